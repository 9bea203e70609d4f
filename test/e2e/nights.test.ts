// `uturn schedule` as a person uses it, on a real Temporal.
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedSchedule } from '../../cli/schedule/show.ts';
import type { NightVerdict } from '../../domain/nights/night.ts';
import type { Lab } from '../lab.ts';
import { nightLab, nightly, nightsIn } from '../nights/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await nightLab();
  await lab.write('nightly.yaml', nightly);
});
afterAll(() => lab[Symbol.asyncDispose]());

const trigger = () => lab.run<NightVerdict>(['schedule', 'trigger', 'smoke', '--wait', '--json']);

test('a nightly is put on its schedule once, and listed with when it comes', async () => {
  const { code, json } = await lab.run<{ schedule: string; next: string }>([
    'schedule',
    'add',
    'nightly.yaml',
    '--json',
  ]);
  expect([code, json.schedule, json.next.slice(10)]).toEqual([0, 'smoke', 'T02:00:00.000Z']);
  const again = await lab.run(['schedule', 'add', 'nightly.yaml']);
  expect([again.code, again.stderr.split('\n')[0]]).toEqual([2, 'there is a schedule smoke already']);
  const listed = await lab.run<ListedSchedule>(['schedule', 'list', '--json']);
  expect(listed.json).toEqual({ schedule: 'smoke', state: 'on', next: json.next, last: null, verdict: null });
});

test('a night is measured anew, held against the one before, and told of in files', async () => {
  const first = await trigger();
  expect([first.code, first.json.verdict, first.json.baseline]).toEqual([3, 'inconclusive', []]);
  const { served } = await lab.model.stats();
  const second = await trigger();
  expect([second.code, second.json.verdict, second.json.baseline]).toEqual([0, 'pass', [first.json.run]]);
  expect((await lab.model.stats()).served).toBe(2 * served);
  const told = await readdir(join(lab.dir, 'told'));
  expect(told.sort()).toEqual(
    [first, second].flatMap(({ json: { run } }) => [`${run}.json`, `${run}.md`, `${run}.xml`]).sort(),
  );
  expect(JSON.parse(await readFile(join(lab.dir, 'told', `${second.json.run}.json`), 'utf8'))).toEqual(second.json);
});

test('a model that got worse fails the night, by exit code too, and is in no baseline', async () => {
  await lab.model.kill();
  await lab.model.start({ answers: { wrong: 0.9 } });
  const worse = await trigger();
  expect([worse.code, worse.json.verdict]).toEqual([1, 'fail']);
  const cells = Object.fromEntries(worse.json.cells.map((cell) => [cell.measure, cell]));
  expect(cells['accuracy']).toMatchObject({ verdict: 'fail', reason: 'dropped', items: 60 });
  expect(cells['follow_up']?.verdict).not.toBe('fail');
  const xml = await readFile(join(lab.dir, 'told', `${worse.json.run}.xml`), 'utf8');
  expect(xml).toContain('tests="2" failures="1" errors="0"');

  await lab.model.kill();
  await lab.model.start();
  const mended = await trigger();
  expect([mended.code, mended.json.verdict]).toEqual([0, 'pass']);
  expect(mended.json.baseline).not.toContain(worse.json.run);
});

test('an experiment that cannot be planned any more breaks its night, with the sentence that says why', async () => {
  const data = join(lab.dir, 'sums.jsonl');
  const text = await readFile(data, 'utf8');
  await lab.write('sums.jsonl', 'nothing');
  const { code, json } = await trigger();
  await lab.write('sums.jsonl', text);
  expect([code, json.verdict, json.problem?.includes('sums.jsonl')]).toEqual([1, 'broken', true]);
  expect((await nightsIn(lab)).map(({ state }) => state)).toEqual(['inconclusive', 'pass', 'fail', 'pass', 'broken']);
  const drawn = await lab.run(['schedule', 'show', 'smoke', '--html', 'nights.html']);
  expect([drawn.code, drawn.stderr]).toEqual([0, 'Page: nights.html\n']);
  const page = await readFile(join(lab.dir, 'nights.html'), 'utf8');
  expect(page).toContain('5 nights: 1 inconclusive, 2 pass, 1 fail, 1 broken.');
  expect(page.match(/<figure /g)).toHaveLength(2);
  // It never became a run, and is nobody's trouble: the store is sound, and what runs refer to can be told.
  expect((await lab.run(['store', 'verify'])).code).toBe(0);
  expect((await lab.run(['gc', '--json'])).code).toBe(0);
  expect((await lab.run(['list'])).stdout).not.toContain(json.run);
});

test('a night whose webhook fails keeps its verdict, and says that nobody could be told', async () => {
  await lab.write(
    'told.yaml',
    nightly.replace('name: smoke', 'name: told').replace('folder: told', 'webhook: NO_SUCH_HOOK, when: always'),
  );
  expect((await lab.run(['schedule', 'add', 'told.yaml'])).code).toBe(0);
  const { code, json, stderr } = await lab.run<NightVerdict>(['schedule', 'trigger', 'told', '--wait', '--json']);
  expect([code, json.verdict]).toEqual([3, 'inconclusive']);
  expect(stderr).toContain('Nobody could be told: notify.webhook: the environment variable NO_SUCH_HOOK of the worker');
  expect((await lab.run(['schedule', 'remove', 'told'])).code).toBe(0);
});

test('what a schedule measures lies where no clearing up looks, and a night without it says so', async () => {
  const folder = join(lab.home.store, 'nights', 'smoke', 'experiments');
  const [file = ''] = await readdir(folder);
  expect(await readFile(join(folder, file), 'utf8')).toBe(await readFile(join(lab.dir, 'sweep.yaml'), 'utf8'));
  await rename(join(folder, file), join(lab.dir, 'kept.yaml'));
  const { json } = await trigger();
  await rename(join(lab.dir, 'kept.yaml'), join(folder, file));
  expect([json.verdict, json.problem]).toEqual([
    'broken',
    expect.stringContaining('the experiment of this schedule is missing'),
  ]);
});

test('a schedule is paused, goes on, and is removed; its nights stay', async () => {
  expect((await lab.run(['schedule', 'pause', 'smoke'])).code).toBe(0);
  expect((await lab.run<ListedSchedule>(['schedule', 'list', '--json'])).json).toMatchObject({
    state: 'paused',
    next: null,
  });
  expect((await lab.run(['schedule', 'unpause', 'smoke'])).code).toBe(0);
  const removed = await lab.run(['schedule', 'remove', 'smoke']);
  expect([removed.code, removed.stderr]).toEqual([0, 'smoke is off its schedule; 6 nights of it stay in the store.\n']);
  const gone = await lab.run(['schedule', 'show', 'smoke']);
  expect([gone.code, gone.stderr]).toEqual([
    2,
    'there is no schedule smoke\n  Make one: uturn schedule add <config>\n',
  ]);
});
