// Histories are in the store before Temporal forgets them, whole, once, and can be replayed from there.
import { gunzipSync } from 'node:zlib';
import { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunWorkflows, WorkflowHistory } from '../../../activities/run/histories.ts';
import { historyKeeper, keepHistories, keptHistories } from '../../../activities/run/kept.ts';
import { faultIn } from '../../../activities/store/soundness.ts';
import type { Store } from '../../../activities/store/store.ts';
import { campaignId } from '../../../domain/plan/boundary.ts';
import { WorldProblem } from '../../../domain/problems.ts';
import { cacheFolder } from '../../../local/cache.ts';
import { workflowBundle } from '../../../workers/bundle.ts';
import { freshStore } from '../../report/stores.ts';
import { engineRef, epochs } from '../../workflows/served.ts';
import { groupsOf, openStage, type Script, type Stage } from '../../workflows/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const of = (run: string, over: Partial<RunWorkflows> = {}): RunWorkflows => ({
  workflows: [run, campaignId(run, 'a')],
  engines: [],
  since: 0,
  ...over,
});

async function kept(store: Store, run: string): Promise<WorkflowHistory[]> {
  const found = [];
  for await (const one of keptHistories(store, run)) found.push(one);
  return found;
}

async function faults(histories: WorkflowHistory[]): Promise<string[]> {
  const found: string[] = [];
  const codePath = await workflowBundle(cacheFolder());
  const read = histories.map(({ workflow, history }) => ({ workflowId: workflow, history }));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, read))
    if (error) found.push(`${workflowId}: ${error.message}`);
  return found;
}

test('what a campaign did is kept as soon as it goes on as new, the rest at the end, and nothing twice', async () => {
  const store = await freshStore();
  const seen: number[] = [];
  const openCampaign = async () => {
    const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
    const run = workflowId.split('/')[0] ?? '';
    await historyKeeper(store)(run, of(run, { workflows: [workflowId] }), 'closed');
    seen.push((await kept(store, run)).length);
  };
  const groups = groupsOf({ temperatures: [0], blocks: 6 });
  await using _played = await stage.play({ models: ['a'], groups, events: 45, openCampaign });
  const { run, end } = await stage.start('kept');
  await end;
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual(seen.map((_, before) => before));

  expect(await keepHistories(store, stage.client, { run, of: of(run), which: 'all' })).toBe(2);
  expect(await keepHistories(store, stage.client, { run, of: of(run), which: 'all' })).toBe(0);
  const found = await kept(store, run);
  expect(found.map(({ type }) => type)).toEqual(['sweep', ...seen.map(() => 'campaign')]);
  expect(await faults(found)).toEqual([]);
  for (const name of await store.list(`runs/${run}/histories/`)) {
    const path = `runs/${run}/histories/${name}`;
    const bytes = (await store.read(path)) ?? new Uint8Array();
    expect(await faultIn(path, bytes)).toBeNull();
    expect(await faultIn(path, bytes.subarray(0, 100))).toBe('it does not hold gzipped JSON');
    expect(gunzipSync(bytes).toString()).not.toMatch(/"identity":"(?!worker")|node_modules|\d+@/);
  }
});

test('of a workflow that is open what there is so far is kept where it is asked for, and the longest counts', async () => {
  const store = await freshStore();
  const open = Promise.withResolvers<void>();
  const groups = groupsOf({ temperatures: [0], blocks: 1 });
  await using _played = await stage.play({ models: ['a'], groups, node: () => open.promise });
  const { run, end } = await stage.start('open');
  await expect.poll(() => stage.progressOf(run, 'a')).not.toBeNull();
  expect(await keepHistories(store, stage.client, { run, of: of(run), which: 'closed' })).toBe(0);
  expect(await keepHistories(store, stage.client, { run, of: of(run), which: 'all' })).toBe(2);
  const early = await kept(store, run);
  expect(await faults(early)).toEqual([]);
  open.resolve();
  await end;
  expect(await keepHistories(store, stage.client, { run, of: of(run), which: 'closed' })).toBe(2);
  const whole = await kept(store, run);
  expect(whole.map(({ execution }) => execution)).toEqual(early.map(({ execution }) => execution));
  for (const [at, { events }] of whole.entries()) expect(events).toBeGreaterThan(early[at]?.events ?? 0);
});

test('what served the run is kept with it: the engine and each start of its server, and nothing of before its time', async () => {
  const store = await freshStore();
  const server = epochs();
  let alive = 1;
  const node: Script['node'] = async (ref) => {
    if (ref.stage !== 'assistant_turn' && ref.stage !== 'user_turn') return;
    if (ref.engine === undefined) throw new WorldProblem('engine_gone', 'not served yet');
    if (ref.stage === 'user_turn' && alive === 1) {
      alive = 2;
      server.end(1, new WorldProblem('engine_died', 'the server was killed'));
    }
    if (ref.engine.epoch < alive) throw new WorldProblem('engine_gone', 'nobody answers');
  };
  const groups = groupsOf({ temperatures: [0], blocks: 2 });
  const engine = engineRef('kept');
  await using _played = await stage.play({ models: ['a'], groups, attempts: 1, engine, serve: server.serve, node });
  const { run, end } = await stage.start('served');
  await end;
  await stage.client.workflow.getHandle(engine.id).result();
  const engines = [engine.id];
  await keepHistories(store, stage.client, { run, of: of(run, { engines }), which: 'closed' });
  const found = await kept(store, run);
  expect(found.map(({ type }) => type).sort()).toEqual(['campaign', 'engine', 'epoch', 'epoch', 'sweep']);
  expect(await faults(found)).toEqual([]);
  const later = of(run, { workflows: [], engines, since: Date.now() + 1_000 });
  expect(await keepHistories(await freshStore(), stage.client, { run, of: later, which: 'all' })).toBe(0);
});
