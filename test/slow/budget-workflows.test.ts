// What takes a run's budget longer: many executions of a campaign, an engine's hours, a limit that comes late.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaignId, names } from '../../domain/plan/boundary.ts';
import { nothing } from '../../domain/plan/budget.ts';
import { WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { budgetOf, held, node, spentBy } from '../workflows/budgets.ts';
import { engineRef, epochs } from '../workflows/served.ts';
import { groupsOf, openStage, type Stage } from '../workflows/stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const start = () => stage.start('budget');

test('a budget is kept across continue-as-new, and its history stays small', async () => {
  const groups = groupsOf({ temperatures: [0, 0.3, 0.7], blocks: 20 });
  const limit = 200 * node;
  await using played = await stage.play({
    models: ['a'],
    groups,
    lanes: 3,
    events: 150,
    budget: budgetOf({ tokens: limit }),
  });
  const { run, handle, end } = await start();
  expect(await held(stage, run, ['a'])).toBe(true);
  expect(spentBy(played)).toBeGreaterThanOrEqual(limit);
  expect(spentBy(played)).toBeLessThanOrEqual(limit + 3 * node);
  await handle.signal(names.budget, { tokens: 2 * limit });
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(played.nodes.length).toBe(60 * 4);
  const executions = [];
  for await (const info of stage.client.workflow.list({ query: `WorkflowId = "${campaignId(run, 'a')}"` }))
    executions.push(info);
  expect(executions.length).toBeGreaterThan(3);
  const { historyLength } = await handle.describe();
  expect(historyLength).toBeLessThan(500);
});

test('a run without a budget can be given one while it is under way', async () => {
  const groups = groupsOf({ temperatures: [0], blocks: 20 });
  const unlimited = { limits: {}, before: nothing };
  await using played = await stage.play({ models: ['a'], groups, lanes: 1, budget: unlimited, node: () => sleep(100) });
  const { run, handle, end } = await start();
  await until(async () => played.nodes.length >= 4, 20_000);
  await handle.signal(names.budget, { tokens: 20 * node });
  expect(await held(stage, run, ['a'])).toBe(true);
  expect(played.nodes.length).toBeGreaterThanOrEqual(20);
  expect(played.nodes.length).toBeLessThanOrEqual(21);
  await handle.signal(names.budget, { tokens: 1e6 });
  expect((await end).state).toBe('complete');
  await played.stop();
});

test('GPU hours run while an engine is up, also during a pause, and at their limit it is given back', async () => {
  const server = epochs();
  const seconds = 3;
  const played = await stage.play({
    models: ['a', 'b'],
    groups: groupsOf({ temperatures: [0], blocks: 5 }),
    lanes: 1,
    engine: engineRef('metered'),
    serve: server.serve,
    budget: budgetOf({ gpu_hours: seconds / 3_600 }),
    node: async (ref) => {
      if (ref.stage !== 'assistant_turn' && ref.stage !== 'user_turn') return;
      if (ref.engine === undefined) throw new WorldProblem('engine_gone', 'not served yet');
      await sleep(300);
    },
  });
  await using _ended = played;
  const { run, handle, end } = await start();
  await until(async () => played.nodes.some(({ engine }) => engine !== undefined), 20_000);
  const begun = Date.now();
  await handle.signal(names.pause);
  // The engine is given back by the clock alone: nothing else happens in a pause.
  expect(await until(() => server.cancelled.length === 1, 30_000)).toBe(true);
  expect(Date.now() - begun).toBeGreaterThan((seconds - 2) * 1_000);
  expect(await held(stage, run, ['a', 'b'])).toBe(true);
  const hours = (await stage.progressOf(run, 'a'))?.gpu_hours ?? 0;
  expect(hours * 3_600).toBeGreaterThanOrEqual(seconds - 0.5);

  await handle.signal(names.budget, { gpu_hours: 10 });
  await handle.signal(names.resume);
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(server.begun).toEqual([1, 1]);
  expect(played.closed[0]?.gpu_hours).toBeGreaterThan(hours / 2);
});
