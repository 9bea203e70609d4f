// Items that fail: counted as what they are, never adopted, and tried again by `resume`.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 20, fake: { latencyMs: 2 } });
});
beforeEach(() => lab.model.reset());
afterAll(() => lab[Symbol.asyncDispose]());

test('a cell with too many errors is failed; resumed when the fault is gone, it holds what it would have held', async () => {
  await lab.config({ name: 'fails' });
  await lab.model.setFaults([{ fault: 400, when: { at: [2, 3, 5, 8, 13] } }]);
  const failed = await lab.run(['run', 'sweep.yaml', '--json']);
  const { run } = failed.json;
  expect([failed.code, failed.json.cells[0]?.state, failed.json.totals.errors]).toEqual([1, 'failed', 5]);
  expect(failed.stderr).toContain(`${run} ended failed. Go on with: uturn resume ${run}\n`);
  const errors = (await lab.records(run)).filter(({ result }) => result.status === 'error');
  expect(errors.map(({ result }) => result.status === 'error' && result.error.kind)).toEqual(
    Array.from({ length: 5 }, () => 'refused'),
  );

  const served = (await lab.model.stats()).served;
  await lab.model.setFaults([]);
  const resumed = await lab.run(['resume', run, '--json']);
  expect([resumed.code, resumed.json.run, resumed.json.cells[0]?.state, resumed.json.totals.errors]).toEqual([
    0,
    run,
    'complete',
    0,
  ]);
  expect([served, (await lab.model.stats()).served, (await lab.model.stats()).repeated]).toEqual([30, 40, 0]);

  await using undisturbed = await lab.fresh();
  await undisturbed.run(['run', 'sweep.yaml', '--json']);
  expect(await lab.hashes(run)).toEqual(await undisturbed.hashes(run));
});

test('a run that tolerates its errors is complete; asked for again it calls nothing, resumed it asks for them alone', async () => {
  await lab.config({ name: 'tolerates', seed: 3, max_error_share: 1 });
  // An answer that failed has no user turn to ask for.
  await lab.model.setFaults([{ fault: 400, when: { at: [1, 2, 3] } }]);
  const first = await lab.run(['run', 'sweep.yaml', '--json']);
  const { run } = first.json;
  expect([first.code, first.json.cells[0]?.answer_errors]).toEqual([0, 3]);
  expect(first.stderr).toContain(`3 samples ended in an error. Try them again: uturn resume ${run}\n`);

  await lab.model.setFaults([]);
  expect((await lab.run(['run', 'sweep.yaml', '--json'])).json).toEqual(first.json);
  expect((await lab.model.stats()).served).toBe(34);

  const resumed = await lab.run(['resume', run, '--json']);
  expect([resumed.json.totals.errors, (await lab.model.stats()).served]).toEqual([0, 40]);
  const again = await lab.run(['resume', run, '--json']);
  expect([again.code, again.json, (await lab.model.stats()).served]).toEqual([0, resumed.json, 40]);
});
