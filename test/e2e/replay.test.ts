// A run replayed, by the real command on a real Temporal.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplayedWorkflow } from '../../cli/replay/history.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
let run: string;
beforeAll(async () => {
  lab = await Lab.start({ items: 10 });
  await lab.config({ name: 'again', temperatures: [0, 0.7] });
  run = (await lab.run(['run', 'sweep.yaml', '--json'])).json.run;
});
afterAll(() => lab[Symbol.asyncDispose]());

type Told = { equal: boolean; workflows: ReplayedWorkflow[] };

test('the histories of a run go on under the code that made them, from Temporal and from files', async () => {
  const { code, json } = await lab.run<Told>(['replay', run, '--history', '--save-histories', 'kept', '--json']);
  expect([code, json.equal]).toEqual([0, true]);
  expect(json.workflows.map(({ type, workflow }) => [type, workflow])).toEqual([
    ['sweep', run],
    ['campaign', `${run}/fake`],
  ]);
  expect((await readdir(join(lab.dir, 'kept'))).length).toBe(2);
  const fromFiles = await lab.run<Told>(['replay', run, '--history', '--history-file', 'kept', '--json']);
  expect(fromFiles.json).toEqual(json);
});

test('of a run that Temporal has forgotten it is said what to give instead', async () => {
  await using other = await lab.fresh();
  const { code, stdout } = await other.run(['replay', run, '--history'], { env: { UTURN_STORE: lab.home.store } });
  expect([code, stdout]).toEqual([
    3,
    `Temporal has no history of ${run} any more: it keeps them for a time and then forgets. Give one: --history-file <path>\n`,
  ]);
});
