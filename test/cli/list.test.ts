import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnding, readRun } from '../../activities/run/documents.ts';
import { createDoc, putVersion } from '../../activities/store/runs.ts';
import { item, type Story, written } from '../report/written.ts';
import { type Desk, desk, openDesk } from './uturn.ts';

const noTemporal = { env: { TEMPORAL_ADDRESS: '' } };
const items = [item('a'), item('b')];
const fine: Story = { answer: { text: '7' }, user: { text: 'And 8?' }, label: 'plausible_followup', outcome: 'right' };
const failing = (place: { item: string }): Story => (place.item === 'a' ? fine : { answer: { failed: 'no' } });

let at: Desk;
beforeAll(async () => {
  at = await openDesk();
  const done = await written(at.store, { name: 'done', items, story: failing, ended: 'complete' });
  await written(at.store, { name: 'begun', items, samples: 30_000, story: () => ({}) });
  const doc = await readRun(at.store, done);
  const later = {
    ...doc,
    run: 'nightly-1',
    name: 'nightly',
    tags: ['nightly', 'h200'],
    created: '2026-03-01T23:59:59.999Z',
  };
  await createDoc(at.store, 'nightly-1', 'run.json', later);
  const end = { run: 'nightly-1', state: 'cancelled', problems: [], samples: 2, errors: 0 };
  await putVersion(at.store, 'nightly-1', {
    name: 'ends',
    n: 1,
    value: { ...(await readEnding(at.store, done)), end },
  });
  await at.store.create('runs/torn-1/run.json', '{"format":1,');
});
afterAll(() => at[Symbol.asyncDispose]());

test('the newest run comes first, one that cannot be read last', async () => {
  const { stdout, stderr, code } = await at.uturn(['list'], noTemporal);
  const masked = stdout.replaceAll(/-[0-9a-f]{8}\b/g, '-########');
  expect({ stdout: masked, stderr, code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "run             state      name     tags          begun              samples  errors
    nightly-1       cancelled  nightly  nightly h200  2026-03-01 23:59Z        2       0
    begun-########  stopped    begun                  2026-01-01 00:00Z   60 000       0
    done-########   complete   done                   2026-01-01 00:00Z        2       1
    torn-1          damaged                           –                        –       –
    ",
    }
  `);
});

test('tags narrow the list down', async () => {
  const names = async (...args: string[]) => {
    const { stdout } = await at.uturn(['list', '--json', ...args], noTemporal);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).run]));
  };
  expect(await names('--tag', 'h200', '--tag', 'nightly')).toEqual(['nightly-1']);
  expect(await names('--tag', 'h200', '--tag', 'weekly')).toEqual([]);
  const { stderr } = await at.uturn(['list', '--tag', 'weekly'], noTemporal);
  expect(stderr).toBe('No run has these tags.\n');
});

test('a script gets one object per line', async () => {
  const { json } = await at.uturn(['list', '--json', '--tag', 'h200'], noTemporal);
  expect(json).toEqual({
    run: 'nightly-1',
    state: 'cancelled',
    name: 'nightly',
    tags: ['nightly', 'h200'],
    created: '2026-03-01T23:59:59.999Z',
    samples: 2,
    errors: 0,
  });
});

test('an empty store says how to begin, and starts nothing', async () => {
  const empty = await desk();
  const { stdout, stderr, code } = await empty.uturn(['list'], noTemporal);
  expect({ stdout, stderr, code }).toEqual({
    stdout: '',
    stderr: 'There is no run yet: uturn run <config>\n',
    code: 0,
  });
});

test('where nothing was ever run a look makes nothing, and says where it looked', async () => {
  await using empty = await mkdtempDisposable(join(tmpdir(), 'uturn-nothing-'));
  const home = join(empty.path, '.uturn');
  const here = { cwd: empty.path, env: { TEMPORAL_ADDRESS: '', UTURN_HOME: home } };
  const listed = await at.uturn(['list'], here);
  expect([listed.code, listed.stdout, listed.stderr]).toEqual([0, '', 'There is no run yet: uturn run <config>\n']);
  const commands = ['status', 'report', 'records', 'watch', 'resume', 'cancel'];
  const said = await Promise.all(commands.map((command) => at.uturn([command, 'sweep-1'], here)));
  const sentence = `there is no run here: ${home} does not exist\n  Go to the folder where it was started, or set UTURN_HOME or UTURN_STORE.\n`;
  expect(said.map(({ code, stderr }) => [code, stderr])).toEqual(commands.map(() => [2, sentence]));
  expect(await readdir(empty.path)).toEqual([]);
});

test('an empty tag is none', async () => {
  const { code, stderr } = await at.uturn(['list', '--tag', ' ']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must not be empty.')]);
});
