// Word to a run that is open: some of its models, what has failed, and how hard it drives its servers.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CampaignProgress, names, type ShardRef } from '../../domain/plan/boundary.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { groupsOf, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const stateIs = (run: string, model: string, state: CampaignProgress['state']) =>
  until(async () => (await stage.progressOf(run, model))?.state === state, 30_000);

/** Work that waits until it is let go. */
function latch() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

test('what failed is tried again while other models are at work, and the run ends as if it never had', async () => {
  const good = latch();
  let refused = true;
  await using played = await stage.play({
    models: ['bad', 'good'],
    groups: groupsOf({ temperatures: [0], blocks: 3 }),
    lanes: 1,
    node: async ({ model, block, stage: at }) => {
      if (model === 'good') await good.passed;
      else if (refused && block === 1 && at === 'user_turn') throw new ConfigProblem('the key was refused');
    },
  });
  const { run, handle, end } = await stage.start('again');
  expect(await stateIs(run, 'bad', 'failed')).toBe(true);
  const ofBad = () => played.batches.filter(({ model }) => model === 'bad');
  expect(ofBad().at(-1)?.progress.trees).toEqual({ done: 1, total: 3 });

  refused = false;
  await handle.signal(names.resume, { errors: 'retry' });
  expect(await stateIs(run, 'bad', 'complete')).toBe(true);
  good.open();
  expect(await end).toMatchObject({ state: 'complete', problems: [] });
  await played.stop();
  expect(ofBad().map(({ n }) => n)).toEqual(ofBad().map((_, n) => n));
  expect(ofBad().at(-1)?.progress).toMatchObject({ state: 'complete', trees: { done: 3, total: 3 } });
  expect(ofBad().at(-1)?.progress.tally.user_turn?.records).toBe(48);
});

test('errors are tried once more for each word, of the models that were meant, and of one at work when it has ended', async () => {
  const other = latch();
  const errorsOf = ({ model, stage: at, block }: ShardRef) =>
    model !== 'other' && at === 'user_turn' && block === 0 ? 2 : 0;
  await using played = await stage.play({
    models: ['a', 'b', 'other'],
    groups: groupsOf({ temperatures: [0], blocks: 2 }),
    node: async ({ model }) => (model === 'other' ? other.passed : undefined),
    errors: errorsOf,
  });
  const { run, handle, end } = await stage.start('errors');
  expect(await stateIs(run, 'a', 'complete')).toBe(true);
  expect(await stateIs(run, 'b', 'complete')).toBe(true);
  const nodes = (model: string) => played.nodes.filter((ref) => ref.model === model).length;
  expect([nodes('a'), nodes('b')]).toEqual([8, 8]);

  await handle.signal(names.resume, { errors: 'retry', models: ['a', 'other'] });
  expect(await until(async () => nodes('a') === 16, 30_000)).toBe(true);
  other.open();
  expect((await end).state).toBe('complete');
  await played.stop();
  expect([nodes('a'), nodes('b'), nodes('other')]).toEqual([16, 8, 8]);
});

test('one model is paused and resumed alone', async () => {
  await using played = await stage.play({
    models: ['a', 'b'],
    groups: groupsOf({ temperatures: [0], blocks: 6 }),
    lanes: 1,
    node: () => sleep(100),
  });
  const { run, handle, end } = await stage.start('one');
  const nodes = (model: string) => played.nodes.filter((ref) => ref.model === model).length;
  await until(async () => nodes('a') >= 2, 20_000);
  await handle.signal(names.pause, { models: ['a'] });
  expect(await stateIs(run, 'a', 'paused')).toBe(true);
  expect(await stateIs(run, 'b', 'complete')).toBe(true);
  expect(nodes('b')).toBe(24);
  expect(nodes('a')).toBeLessThan(24);
  expect((await stage.progressOf(run, 'a'))?.state).toBe('paused');

  await handle.signal(names.resume, { models: ['a'] });
  expect((await end).state).toBe('complete');
  await played.stop();
  expect([nodes('a'), nodes('b')]).toEqual([24, 24]);
});

test('a pause of all and a resume of one leave the others paused', async () => {
  await using played = await stage.play({
    models: ['a', 'b'],
    groups: groupsOf({ temperatures: [0], blocks: 2 }),
    node: () => sleep(20),
  });
  const { run, handle, end } = await stage.start('all');
  await handle.signal(names.pause);
  expect(await stateIs(run, 'b', 'paused')).toBe(true);
  await handle.signal(names.resume, { models: ['a'] });
  expect(await stateIs(run, 'a', 'complete')).toBe(true);
  expect((await stage.progressOf(run, 'b'))?.state).toBe('paused');
  await handle.signal(names.resume);
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(played.nodes.length).toBe(16);
});

test('a campaign begins more at once, or less, as soon as it is told, and goes on so when it continues as new', async () => {
  let active = 0;
  let most = 0;
  await using played = await stage.play({
    models: ['a'],
    groups: groupsOf({ temperatures: [0], blocks: 200 }),
    lanes: 1,
    events: 200,
    lanesAt: ({ models }) => ({ a: models['a'] ?? 1 }),
    node: async ({ stage: at }) => {
      if (at !== 'assistant_turn') return;
      active += 1;
      most = Math.max(most, active);
      await sleep(60);
      active -= 1;
    },
  });
  const { handle, end } = await stage.start('wide');
  await until(async () => played.nodes.length >= 6, 20_000);
  expect(most).toBe(1);
  await handle.signal(names.concurrency, { models: { a: 4 } });
  expect(await until(async () => most === 4, 20_000)).toBe(true);
  // Some 24 events a tree: several executions further on.
  const seen = played.nodes.length;
  expect(await until(async () => played.nodes.length >= seen + 100, 30_000)).toBe(true);
  expect(most).toBe(4);

  await handle.signal(names.concurrency, { models: { a: 2 } });
  // Those that are too many come to their end first; then there are never more than two.
  const twoAtMost = async () => {
    most = 0;
    await sleep(600);
    return most > 0 && most <= 2;
  };
  expect(await until(twoAtMost, 20_000)).toBe(true);
  await handle.cancel();
  await expect(end).rejects.toThrow();
});
