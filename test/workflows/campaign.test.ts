import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CampaignProgress,
  campaignId,
  names,
  type PinBatch,
  queues,
  type RunEnd,
  type ShardRef,
} from '../../domain/plan/boundary.ts';
import { treeCount } from '../../domain/plan/graph.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { groupsOf, openStage, partOf, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const start = () => stage.start('run');
const progressOf = (run: string, model: string) => stage.progressOf(run, model);

const stateIs = (run: string, model: string, state: CampaignProgress['state']) =>
  until(async () => (await progressOf(run, model))?.state === state, 30_000);

const nodeName = (ref: Pick<ShardRef, 'key' | 'block' | 'sample'>) => `${ref.key} ${ref.block} ${ref.sample}`;

/** Nodes that a campaign's batches pin, each with the part that goes with it. */
function pinned(batches: PinBatch[], model: string): string[] {
  return batches
    .filter((batch) => batch.model === model)
    .flatMap((batch) => batch.pins.map((pin) => `${nodeName(pin)} ${pin.part}`));
}

test('every node of every tree runs once, after the one it is made from, and is pinned', async () => {
  const groups = groupsOf({ temperatures: [0, 0.7], blocks: 3, samples: 2 });
  await using played = await stage.play({ models: ['a', 'b'], groups });
  const { end } = await start();
  expect((await end).state).toBe('complete');
  await played.stop();

  for (const model of ['a', 'b']) {
    const refs = played.nodes.filter((ref) => ref.model === model);
    expect(refs.length).toBe(treeCount(groups) * 4);
    expect(new Set(refs.map(nodeName)).size).toBe(refs.length);
    expect(pinned(played.batches, model).toSorted()).toEqual(
      refs.map((ref) => `${nodeName(ref)} ${partOf(ref)}`).toSorted(),
    );
    for (const ref of refs) {
      const sources = {
        assistant_turn: [],
        perturbed_turn: ['assistant_turn'],
        user_turn: ['assistant_turn'],
        judgement: ['assistant_turn', 'user_turn'],
        reference_judgement: ['assistant_turn'],
        score: ['assistant_turn'],
      };
      expect(Object.keys(ref.sources)).toEqual(sources[ref.stage]);
      for (const source of Object.values(ref.sources))
        expect(source?.part).toBe(partOf({ ...ref, key: source?.key ?? '' }));
    }
  }
});

test('a long campaign continues as new, loses no tree and does none twice', async () => {
  const groups = groupsOf({ temperatures: [0, 0.3, 0.7], blocks: 12 });
  await using played = await stage.play({ models: ['a'], groups, lanes: 3, events: 120 });
  const { run, end } = await start();
  await end;
  await played.stop();

  expect(played.nodes.length).toBe(36 * 4);
  expect(new Set(pinned(played.batches, 'a')).size).toBe(36 * 4);
  expect(played.batches.map((batch) => batch.n)).toEqual(played.batches.map((_, n) => n));
  expect(played.batches.at(-1)?.progress).toMatchObject({ state: 'complete', trees: { done: 36, total: 36 } });
  expect(played.batches.at(-1)?.progress.tally.user_turn).toEqual({
    records: 576,
    errors: 0,
    made: 576,
    tokens: 5_760,
    requests: 576,
    spent: { prompt: 11_520, completion: 5_760 },
  });

  const executions = [];
  for await (const info of stage.client.workflow.list({ query: `WorkflowId = "${campaignId(run, 'a')}"` }))
    executions.push(info);
  expect(executions.length).toBeGreaterThan(2);
  expect(executions.filter((info) => info.status.name === 'CONTINUED_AS_NEW').length).toBe(executions.length - 1);
  expect(Math.max(...executions.map((info) => info.historyLength))).toBeLessThan(120 + 3 * 30);
});

test('what the world refuses for too long is parked, the rest goes on, and resume takes it up again', async () => {
  let away = true;
  await using played = await stage.play({
    models: ['a'],
    groups: groupsOf({ temperatures: [0], blocks: 4 }),
    attempts: 2,
    node: async (ref) => {
      if (away && ref.stage === 'user_turn' && ref.block === 1)
        throw new WorldProblem('unreachable', 'nobody answers at the model server');
    },
  });
  const { run, end } = await start();
  expect(await stateIs(run, 'a', 'parked')).toBe(true);
  expect(await progressOf(run, 'a')).toMatchObject({
    trees: { done: 3, total: 4 },
    parked: [{ tree: { group: 0, block: 1, sample: 0 }, reason: 'nobody answers at the model server' }],
  });

  away = false;
  await stage.client.workflow.getHandle(run).signal(names.resume);
  expect((await end).state).toBe('complete');
  await played.stop();
  const last = played.batches.at(-1)?.progress;
  expect(last).toMatchObject({ state: 'complete', trees: { done: 4, total: 4 }, parked: [] });
  expect(Object.values(last?.tally ?? {}).map((stageTally) => stageTally.records)).toEqual([64, 64, 64, 64]);
});

test('while the world is away a campaign gives up on few trees and waits with the others', async () => {
  let away = true;
  await using played = await stage.play({
    models: ['a'],
    groups: groupsOf({ temperatures: [0], blocks: 30 }),
    attempts: 1,
    node: async () => {
      if (away) throw new WorldProblem('unreachable', 'x'.repeat(10_000));
    },
  });
  const { run, end } = await start();
  expect(await stateIs(run, 'a', 'parked')).toBe(true);
  // The limit, and what the second lane had begun by then.
  const parked = (await progressOf(run, 'a'))?.parked.length ?? 0;
  expect([8, 9]).toContain(parked);
  expect(played.nodes.length).toBe(parked);
  expect(JSON.stringify(played.batches.at(-1)).length).toBeLessThan(10_000);

  away = false;
  await stage.client.workflow.getHandle(run).signal(names.resume);
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(played.batches.at(-1)?.progress).toMatchObject({ trees: { done: 30, total: 30 }, parked: [] });
});

test('our own problem ends its campaign at once with its sentence; the other models go on', async () => {
  await using played = await stage.play({
    models: ['bad', 'good'],
    groups: groupsOf({ temperatures: [0, 1], blocks: 2 }),
    node: async (ref) => {
      if (ref.model === 'bad') throw new ConfigProblem('the key was refused', { advice: 'Set another key.' });
    },
  });
  const { end } = await start();
  expect(await end).toMatchObject({ state: 'failed', problems: ['the key was refused\n  Set another key.'] });
  await played.stop();
  expect(played.nodes.filter((ref) => ref.model === 'good').length).toBe(16);
  expect(played.nodes.filter((ref) => ref.model === 'bad').length).toBeLessThanOrEqual(2);
});

test('a paused run begins no node until it is resumed', async () => {
  await using played = await stage.play({
    models: ['a'],
    groups: groupsOf({ temperatures: [0], blocks: 8 }),
    lanes: 1,
    node: () => sleep(100),
  });
  const { run, end } = await start();
  await until(async () => played.nodes.length >= 3, 20_000);
  await stage.client.workflow.getHandle(run).signal(names.pause);
  expect(await stateIs(run, 'a', 'paused')).toBe(true);
  await sleep(400);
  const seen = played.nodes.length;
  await sleep(1_500);
  expect(played.nodes.length).toBe(seen);
  await stage.client.workflow.getHandle(run).signal(names.resume);
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(played.nodes.length).toBe(32);
});

test('a run that is paused before its campaigns begin starts them paused', async () => {
  const run = 'paused-run';
  const handle = await stage.client.workflow.signalWithStart('sweep', {
    workflowId: run,
    taskQueue: queues.control,
    args: [{ run, execution: 1 }],
    signal: names.pause,
  });
  await using played = await stage.play({ models: ['a'], groups: groupsOf({ temperatures: [0], blocks: 2 }) });
  expect(await stateIs(run, 'a', 'paused')).toBe(true);
  expect(played.nodes).toEqual([]);
  await handle.signal(names.resume);
  expect(((await handle.result()) as RunEnd).state).toBe('complete');
  await played.stop();
});

test('a cancelled run keeps and pins what was finished', async () => {
  await using played = await stage.play({
    models: ['a'],
    groups: groupsOf({ temperatures: [0], blocks: 8 }),
    lanes: 1,
    node: () => sleep(50),
  });
  const { run, end } = await start();
  await until(async () => played.nodes.length >= 6, 20_000);
  await stage.client.workflow.getHandle(run).cancel();
  await expect(end).rejects.toThrow(WorkflowFailedError);
  await played.stop();
  expect(played.ends.at(-1)?.state).toBe('cancelled');
  expect(played.batches.at(-1)?.progress.state).toBe('cancelled');
  expect(pinned(played.batches, 'a').length).toBeGreaterThanOrEqual(5);
});

test('a cancelled run cuts campaigns that have continued as new, too', async () => {
  await using played = await stage.play({
    models: ['a', 'b'],
    groups: groupsOf({ temperatures: [0], blocks: 60 }),
    events: 60,
    node: () => sleep(30),
  });
  const { run, end } = await start();
  await until(async () => ((await progressOf(run, 'b'))?.trees.done ?? 0) >= 6, 30_000);
  await stage.client.workflow.getHandle(run).cancel();
  await expect(end).rejects.toThrow(WorkflowFailedError);
  await played.stop();
  expect(played.ends.at(-1)?.state).toBe('cancelled');
  expect(played.nodes.length).toBeLessThan(200);
  const last = ['a', 'b'].map((model) => played.batches.findLast((batch) => batch.model === model)?.progress.state);
  expect(last).toEqual(['cancelled', 'cancelled']);
});

test('no payload of a campaign as large as the paper’s grid passes ten kilobytes', async () => {
  const groups = ['gsm8k', 'ifeval', 'ifbench', 'gpqa-main', 'gpqa-diamond'].flatMap((data) =>
    groupsOf({ temperatures: [0, 0.3, 0.7, 1], blocks: 2 }).map((group) => ({ ...group, data })),
  );
  await using played = await stage.play({ models: ['a'], groups, lanes: 4, events: 250 });
  const { run, end } = await start();
  await end;
  await played.stop();
  let largest = 0;
  for await (const info of stage.client.workflow.list({ query: `WorkflowId STARTS_WITH "${run}"` })) {
    const history = await stage.client.workflow.getHandle(info.workflowId, info.runId).fetchHistory();
    JSON.stringify(history, (key, value: unknown) => {
      if (key === 'data' && typeof value === 'string') largest = Math.max(largest, Buffer.from(value, 'base64').length);
      return value;
    });
  }
  expect(largest).toBeGreaterThan(1_000);
  expect(largest).toBeLessThan(10_240);
});
