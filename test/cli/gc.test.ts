import { utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { judgedNight } from '../../activities/nights/judge.ts';
import { putBlob } from '../../activities/store/blobs.ts';
import { joinHome } from '../../local/users.ts';
import { runRates } from '../../report/rates.ts';
import { order } from '../nights/order.ts';
import { item, written } from '../report/written.ts';
import { type Desk, desk } from './uturn.ts';

const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });
const items = Array.from({ length: 20 }, (_, n) => item(`i${n}`));

/** A run that is complete, one that is not, and a blob of nobody's, all of them written so many hours ago. */
async function worn(hours: number): Promise<Desk> {
  const opened = await desk();
  // None that would have to be waited for.
  const env = { TEMPORAL_ADDRESS: '' };
  const at: Desk = { ...opened, uturn: (args) => opened.uturn(args, { env }) };
  await written(at.store, { name: 'done', items, story, ended: 'complete' });
  await written(at.store, { name: 'begun', items, temperatures: [1], story });
  await putBlob(at.store, 'of nobody');
  const then = new Date(Date.now() - hours * 3_600_000);
  for await (const path of at.store.below('')) await utimes(at.store.fileOf(path) ?? '', then, then);
  return at;
}

const shortened = (text: string) => text.replaceAll(/-[0-9a-f]{8}\b/g, '-…').replaceAll(/\d\.\d MB/g, '… MB');

test('without --delete it says what would go, and nothing is gone', async () => {
  const at = await worn(30);
  const { stdout, stderr, code } = await at.uturn(['gc']);
  expect({ stdout: shortened(stdout), stderr: shortened(stderr), code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "Not complete, so all they may go on with is kept: begun-…
    Nothing was deleted. To delete what is to go: uturn gc --delete
    ",
      "stdout": "          kept          to go
    parts       16  … MB      0  … MB
    segments     8  … MB      8  … MB
    plans        2  … MB      0  … MB
    blobs        1  … MB      1  … MB
    ",
    }
  `);
  expect((await at.uturn(['gc'])).stdout).toBe(stdout);
});

test('with --delete it is gone, and runs say what they said', async () => {
  const at = await worn(30);
  const before = await at.uturn(['list', '--json']);
  const { code, json } = await at.uturn<{ dropped: object; deleted: number }>(['gc', '--delete', '--json']);
  expect([code, json.deleted]).toEqual([0, 9]);
  expect(json.dropped).toMatchObject({
    parts: { objects: 0 },
    segments: { objects: 8 },
    blobs: { objects: 1, bytes: 9 },
  });
  expect((await at.uturn(['list', '--json'])).stdout).toBe(before.stdout);
  expect((await at.uturn(['store', 'verify'])).code).toBe(0);
  expect((await at.uturn<{ deleted: number }>(['gc', '--delete', '--json'])).json.deleted).toBe(0);
});

test.each([
  { run: 0, pinned: null },
  { run: null, pinned: [0, 1] },
])('what a night is held against stays: %j', async ({ run, pinned }) => {
  const at = await worn(30);
  const names = [];
  for (const name of ['was', 'again', 'tonight'])
    names.push(await written(at.store, { name, items, weights: name.padEnd(64, '0'), story, ended: 'complete' }));
  const [was = '', again = '', tonight = ''] = names;
  const named = (one: number) => (one === 0 ? was : again);
  const held = { run: run === null ? null : named(run), pinned: pinned?.map(named) ?? null, nights: null };
  const night = {
    order: { ...order('smoke'), baseline: held },
    run: tonight,
    nominal: '2026-03-01T02:00Z',
    problem: null,
  };
  const before = await judgedNight(at.store, runRates, night);
  expect([before.verdict, before.baseline]).toEqual(['inconclusive', pinned === null ? [was] : [was, again]]);
  expect(before.cells[0]).toMatchObject({ measure: 'accuracy', items: 20, before: 1, after: 1 });
  const then = new Date(Date.now() - 30 * 3_600_000);
  for await (const path of at.store.below('')) await utimes(at.store.fileOf(path) ?? '', then, then);
  expect((await at.uturn<{ deleted: number }>(['gc', '--delete', '--json'])).json.deleted).toBeGreaterThan(0);
  expect(await judgedNight(at.store, runRates, night)).toEqual(before);
});

test('what is younger than was said stays', async () => {
  const at = await worn(30);
  const { stderr } = await at.uturn(['gc', '--delete', '--older-than', '48']);
  expect(stderr).toContain('9 objects of those kept no run refers to: younger than 48 h.\n');
  expect(stderr).toContain('\n0 objects deleted.\n');
});

test('while records are being written nothing is deleted', async () => {
  const at = await worn(0.1);
  const { code, stderr } = await at.uturn(['gc', '--delete', '--older-than', '0']);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^a record was written 6 min ago: a run may be at work\n {2}Wait until nothing has been written for 10 min/,
  );
  expect((await at.uturn<{ dropped: object }>(['gc', '--older-than', '0', '--json'])).json.dropped).toMatchObject({
    segments: { objects: 8 },
  });
});

test('while another command is at work here nothing is deleted', async () => {
  const at = await worn(30);
  const member = await joinHome(at.home);
  const { code, stderr } = await at.uturn(['gc', '--delete']);
  expect([code, stderr]).toEqual([
    2,
    'another uturn is at work in this home, and may begin a run\n  Wait until it has ended, then again: uturn gc --delete\n',
  ]);
  expect((await at.uturn(['gc'])).code).toBe(0);
  await member.leave();
});

test.each(['-1', 'day', ''])('--older-than %j is refused', async (hours) => {
  const at = await desk();
  const { code, stderr } = await at.uturn(['gc', '--older-than', hours]);
  expect(code).toBe(2);
  expect(stderr).toContain('It must be a number of hours from 0.');
});
