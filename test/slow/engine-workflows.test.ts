// Leases and epochs: who is told what, and when a server is started and ended.
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type CampaignProgress,
  campaignId,
  names,
  queues,
  type RunEnd,
  type ShardRef,
} from '../../domain/plan/boundary.ts';
import { engineNames, epochId, freshLease, type Lease } from '../../domain/plan/lease.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { engineRef, epochs } from '../workflows/served.ts';
import { groupsOf, openStage, type Script, type Stage } from '../workflows/stage.ts';

vi.setConfig({ testTimeout: 150_000 }); // a server after another, on a machine that may be busy

let stage: Stage;
let count = 0;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

async function start(): Promise<{ run: string; end: Promise<RunEnd> }> {
  count += 1;
  const run = `served-${count}`;
  const handle = await stage.client.workflow.start('sweep', {
    workflowId: run,
    taskQueue: queues.control,
    args: [{ run, execution: 1 }],
  });
  return { run, end: handle.result() as Promise<RunEnd> };
}

const isClosed = (id: string) =>
  until(async () => {
    const status = await stage.client.workflow
      .getHandle(id)
      .describe()
      .then(
        (info) => info.status.name,
        (error: unknown) => (error instanceof WorkflowNotFoundError ? 'NEVER' : Promise.reject(error)),
      );
    return status !== 'RUNNING';
  }, 40_000);

/** What a shard does that needs a server: without one, or with one that is gone, it says so. */
function needing(alive: (epoch: number) => boolean): NonNullable<Script['node']> {
  return async (ref: ShardRef) => {
    if (ref.stage !== 'assistant_turn' && ref.stage !== 'user_turn') return;
    if (ref.engine !== undefined && alive(ref.engine.epoch)) return;
    throw new WorldProblem('engine_gone', ref.engine === undefined ? 'not served yet' : 'nobody answers');
  };
}

const groups = groupsOf({ temperatures: [0], blocks: 4 });

test('an engine is started when a shard needs it, and ended when no campaign holds it', async () => {
  const engine = engineRef('plain');
  const server = epochs();
  await using played = await stage.play({ models: ['a', 'b'], groups, engine, ...server, node: needing(() => true) });
  const { end } = await start();
  expect((await end).state).toBe('complete');
  expect(await isClosed(engine.id)).toBe(true);
  expect([server.begun, server.cancelled]).toEqual([[1], [1]]);
  await played.stop();
});

test('shards that need no server start none', async () => {
  const engine = engineRef('unneeded');
  const server = epochs();
  await using played = await stage.play({ models: ['a'], groups, engine, ...server });
  const { end } = await start();
  expect((await end).state).toBe('complete');
  expect(server.begun).toEqual([]);
  expect(played.nodes.every((ref) => ref.engine === undefined)).toBe(true);
});

test('a campaign waits for a newer epoch without spending a shard’s patience', async () => {
  const engine = engineRef('reborn');
  let alive = 1;
  const server = epochs();
  const needs = needing((epoch) => epoch >= alive);
  let seen = 0;
  const node: Script['node'] = async (ref) => {
    if (ref.stage === 'user_turn' && ref.engine?.epoch === 1 && ++seen === 2) {
      alive = 2;
      server.end(1, new WorldProblem('engine_died', 'the server was killed'));
    }
    await needs(ref);
  };
  await using played = await stage.play({ models: ['a'], groups, attempts: 1, engine, serve: server.serve, node });
  const { end } = await start();
  expect((await end).state).toBe('complete');
  expect(server.begun).toEqual([1, 2]);
  expect(played.batches.at(-1)?.progress).toMatchObject({ state: 'complete', parked: [] });
});

test('what a person has to mend is refused to every holder, with its sentence', async () => {
  const engine = engineRef('refused');
  const begin = () => {
    throw new ConfigProblem('it holds other weights', { advice: 'Put them back.' });
  };
  await using played = await stage.play({
    models: ['a', 'b'],
    groups,
    engine,
    serve: epochs({ begin }).serve,
    node: needing(() => true),
  });
  const { end } = await start();
  const sentence = 'it holds other weights\n  Put them back.';
  expect(await end).toMatchObject({ state: 'failed', problems: [sentence, sentence] });
  expect(await isClosed(engine.id)).toBe(true);
  await played.stop();
});

test('a server that never came up is refused; one that was up before is started again', async () => {
  const engine = engineRef('starts');
  const failing = (epochsThatFail: number[]) => (epoch: number) => {
    if (epochsThatFail.includes(epoch)) throw new WorldProblem('engine_start', 'no room for the weights');
  };
  {
    const server = epochs({ begin: failing([1]) });
    await using played = await stage.play({ models: ['a'], groups, engine, ...server, node: needing(() => true) });
    expect(await (await start()).end).toMatchObject({ state: 'failed', problems: ['no room for the weights'] });
    expect(await isClosed(engine.id)).toBe(true);
    await played.stop();
  }
  const server = epochs({ begin: failing([2]) });
  let alive = 1;
  const needs = needing((epoch) => epoch >= alive);
  const node: Script['node'] = async (ref) => {
    if (ref.stage === 'user_turn' && alive === 1) {
      alive = 3;
      server.end(1, new WorldProblem('engine_died', 'the server was killed'));
    }
    await needs(ref);
  };
  await using played = await stage.play({ models: ['a'], groups, attempts: 1, engine, serve: server.serve, node });
  expect((await (await start()).end).state).toBe('complete');
  expect(server.begun).toEqual([1, 2, 3]);
  await played.stop();
});

test('a shard under which one server after another dies is set aside, the others go on, and the engine is given back', async () => {
  const engine = engineRef('poison');
  const server = epochs();
  const needs = needing(() => true);
  const node: Script['node'] = async (ref) => {
    await needs(ref);
    if (ref.stage !== 'user_turn' || ref.block !== 1 || ref.engine === undefined) return;
    server.end(ref.engine.epoch, new WorldProblem('engine_died', 'the server was killed'));
    throw new WorldProblem('engine_gone', 'nobody answers');
  };
  await using played = await stage.play({
    models: ['a'],
    groups,
    attempts: 1,
    lanes: 1,
    engine,
    serve: server.serve,
    node,
  });
  const { run, end } = await start();
  const progress = () =>
    stage.client.workflow
      .getHandle(campaignId(run, 'a'))
      .query<CampaignProgress>(names.progress)
      .catch(() => null);
  expect(await until(async () => (await progress())?.state === 'parked', 100_000)).toBe(true);
  expect(await progress()).toMatchObject({ trees: { done: 3, total: 4 }, parked: [{ reason: 'nobody answers' }] });
  // Six died under it; the seventh serves the others.
  expect(server.begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(await isClosed(engine.id)).toBe(true);
  await stage.client.workflow.getHandle(run).cancel();
  await expect(end).rejects.toThrow();
  await played.stop();
});

test('a lease looks for holders and epochs that were lost, and continues as new with what it knows', async () => {
  const engine = engineRef('lost');
  const server = epochs();
  await using played = await stage.play({ models: [], groups, engine, ...server });
  const first: Lease = {
    ...freshLease(engine),
    holders: ['nobody'],
    pace: { look: 1, events: 40 },
  };
  const start = { workflowId: engine.id, taskQueue: queues.control, args: [first] };
  const handle = await stage.client.workflow.start('engine', start);
  // The first holder is nobody; this one is, for a while.
  const holder = await stage.client.workflow.start('engine', {
    workflowId: 'a-holder',
    taskQueue: queues.control,
    args: [{ ...first, id: 'engine/other', holders: ['a-holder'], refused: 'only here to be open' }],
  });
  await handle.signal(engineNames.acquire, 'a-holder');
  const now = () => handle.query<Lease>(engineNames.lease).catch(() => null);
  expect(await until(async () => (await now())?.holders.join() === 'a-holder', 20_000)).toBe(true);
  expect(await until(async () => (await now())?.address !== null, 20_000)).toBe(true);

  const { epoch = 0 } = (await now()) ?? {};
  await stage.client.workflow.getHandle(epochId(engine.id, epoch)).terminate();
  expect(await until(async () => ((await now())?.epoch ?? 0) > epoch, 20_000)).toBe(true);
  const continued = async () => (await handle.describe()).runId !== handle.firstExecutionRunId;
  expect(await until(continued, 40_000)).toBe(true);
  await holder.terminate();
  expect(await isClosed(engine.id)).toBe(true);
  await played.stop();
});
