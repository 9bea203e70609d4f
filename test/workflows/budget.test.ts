import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { names } from '../../domain/plan/boundary.ts';
import { nothing } from '../../domain/plan/budget.ts';
import { WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { budgetOf, held, node, spentBy } from './budgets.ts';
import { groupsOf, openStage, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const start = () => stage.start('budget');

test('at its limit a run begins nothing, says why, and goes on when the limit is raised', async () => {
  const groups = groupsOf({ temperatures: [0, 0.7], blocks: 5 });
  const models = ['a', 'b'];
  const limit = 30 * node;
  await using played = await stage.play({ models, groups, budget: budgetOf({ tokens: limit }), node: () => sleep(20) });
  const { run, handle, end } = await start();
  expect(await held(stage, run, models)).toBe(true);
  // What was in flight ended; it was expected, so there is little of it.
  expect(spentBy(played)).toBeGreaterThanOrEqual(limit);
  expect(spentBy(played)).toBeLessThanOrEqual(limit + 2 * node);
  // What is written down says so too.
  const isWritten = () =>
    played.batches.some(({ model, progress }) => model === 'a' && progress.paused_by === 'budget');
  expect(await until(async () => isWritten(), 10_000)).toBe(true);

  const begun = played.nodes.length;
  await handle.signal(names.resume);
  await sleep(1_000);
  expect(played.nodes.length).toBe(begun);
  expect(await held(stage, run, models)).toBe(true);

  await handle.signal(names.budget, { tokens: 1_000 * node });
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(played.nodes.length).toBe(2 * 10 * 4);
  expect(played.budgets).toEqual([{ tokens: 1_000 * node }]);
});

test('a limit in dollars goes by the prices, and what was spent before counts', async () => {
  const groups = groupsOf({ temperatures: [0], blocks: 6 });
  // 16 records of 20 and 10 tokens, at 1000 and 2000 dollars a million.
  const each = 16 * 0.04;
  const before = { ...nothing, usd: 10 * each };
  await using played = await stage.play({ models: ['a'], groups, budget: { limits: { usd: 18 * each }, before } });
  const { run, handle, end } = await start();
  expect(await held(stage, run, ['a'])).toBe(true);
  expect(played.nodes.length).toBeGreaterThanOrEqual(8);
  expect(played.nodes.length).toBeLessThanOrEqual(10);
  await handle.signal(names.budget, { usd: 100 * each });
  expect((await end).state).toBe('complete');
  await played.stop();
});

test('a budget that is used up when a run begins again lets it begin nothing', async () => {
  const groups = groupsOf({ temperatures: [0], blocks: 2 });
  const before = { ...nothing, tokens: 500 };
  await using played = await stage.play({ models: ['a', 'b'], groups, budget: { limits: { tokens: 500 }, before } });
  const { run, handle, end } = await start();
  expect(await held(stage, run, ['a', 'b'])).toBe(true);
  expect(played.nodes).toEqual([]);
  await handle.signal(names.budget, { tokens: 1e6 });
  expect((await end).state).toBe('complete');
  await played.stop();
});

test('what one campaign does not need goes to the others, also while it waits for the world', async () => {
  let away = true;
  const groups = groupsOf({ temperatures: [0], blocks: 8 });
  await using played = await stage.play({
    models: ['away', 'there'],
    groups,
    attempts: 1,
    budget: budgetOf({ tokens: 40 * node }),
    node: async (ref) => {
      if (away && ref.model === 'away') throw new WorldProblem('unreachable', 'nobody answers');
    },
  });
  const { run, handle, end } = await start();
  const thereIsDone = () => until(async () => (await stage.progressOf(run, 'there'))?.state === 'complete', 40_000);
  expect(await thereIsDone()).toBe(true);
  away = false;
  await handle.signal(names.resume);
  expect(await held(stage, run, ['away'])).toBe(true);
  await handle.signal(names.budget, { tokens: 100 * node });
  expect((await end).state).toBe('complete');
  await played.stop();
});
