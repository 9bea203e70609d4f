// A stage for workflows alone: a real Temporal server and worker, with activities that do what a test says.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { engineActivities } from '../../activities/engine/lease.ts';
import { withFailures } from '../../activities/failures.ts';
import type { Judged } from '../../activities/nights/judge.ts';
import { tellActivities } from '../../activities/run/tell.ts';
import type { NightEnd, OpenedNight } from '../../domain/nights/night.ts';
import {
  type CampaignProgress,
  campaignId,
  names,
  type OpenedRun,
  type PinBatch,
  queues,
  type RunEnd,
  type ShardCounts,
  type ShardRef,
} from '../../domain/plan/boundary.ts';
import type { Budget } from '../../domain/plan/budget.ts';
import type { Concurrency } from '../../domain/plan/concurrency.ts';
import type { Group } from '../../domain/plan/graph.ts';
import type { EngineRef, EpochInput } from '../../domain/plan/lease.ts';
import { shortHashOf } from '../../domain/records/canonical.ts';
import { cacheFolder } from '../../local/cache.ts';
import { type ConnectedTemporal, connectTemporal } from '../../local/connection.ts';
import { openHome } from '../../local/home.ts';
import { stopUnkept } from '../../local/services.ts';
import { ensureTemporal } from '../../local/temporal.ts';
import { workflowBundle } from '../../workers/bundle.ts';

export type Script = {
  models: string[];
  groups: Group[];
  lanes?: number;
  attempts?: number;
  events?: number;
  /** What the run may spend. A record costs 30 tokens. */
  budget?: NonNullable<OpenedRun['budget']>;
  /** What happens when a node is worked on; a failure is the activity's. */
  node?(ref: ShardRef): Promise<void>;
  /** Errors among a node's records. */
  errors?(ref: ShardRef): number;
  /** Lanes that each campaign gets by a word on concurrency. */
  lanesAt?(word: Concurrency): Record<string, number>;
  /** What the models are served by, and what its worker does in one epoch. */
  engine?: EngineRef;
  serve?(epoch: EpochInput): Promise<void>;
  /** What happens when an execution of a campaign begins. */
  openCampaign?(): Promise<void>;
  /** What happens when a night's run is to be made. */
  openNight?(): Promise<void>;
};

export type Stage = ConnectedTemporal & {
  /** Starts a sweep under a name of its own. */
  start(name: string): Promise<Started>;
  /** What a campaign says of itself; null while there is none. */
  progressOf(run: string, model: string): Promise<CampaignProgress | null>;
  /** Plays a script under activities that answer at once; returns what they were asked. */
  play(script: Script): Promise<Played>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type Started = { run: string; handle: WorkflowHandle; end: Promise<RunEnd> };

export type Played = {
  nodes: ShardRef[];
  batches: PinBatch[];
  ends: RunEnd[];
  /** What runs were closed with. */
  closed: { gpu_hours?: number }[];
  /** Limits that were written down. */
  budgets: Budget[];
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function openStage(): Promise<Stage> {
  const base = await mkdtemp(join(tmpdir(), 'uturn-stage-'));
  const home = await openHome({ UTURN_HOME: join(base, '.uturn') });
  const temporal = await ensureTemporal(home, { keep: 'run', report: () => undefined });
  const connected = await connectTemporal(temporal);
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const connection = await NativeConnection.connect(temporal.connectOptions);
  const codePath = await workflowBundle(cacheFolder());

  let started = 0;

  return {
    ...connected,
    async start(name) {
      started += 1;
      const run = `${name}-${started}`;
      const args = [{ run, execution: 1 }];
      const handle = await connected.client.workflow.start('sweep', {
        workflowId: run,
        taskQueue: queues.control,
        args,
      });
      return { run, handle, end: handle.result() as Promise<RunEnd> };
    },
    progressOf: (run, model) =>
      connected.client.workflow
        .getHandle(campaignId(run, model))
        .query<CampaignProgress>(names.progress)
        .catch(() => null),
    async play(script) {
      const played = {
        nodes: [] as ShardRef[],
        batches: [] as PinBatch[],
        ends: [] as RunEnd[],
        closed: [] as Played['closed'],
        budgets: [] as Budget[],
      };
      const activities = withFailures(scripted(script, played));
      const common = {
        connection,
        namespace: temporal.namespace,
        activities,
        shutdownGraceTime: '1 second',
        // An epoch hears with a heartbeat that it is cancelled.
        maxHeartbeatThrottleInterval: '500 milliseconds',
      } as const;
      const workers = await Promise.all([
        Worker.create({ ...common, taskQueue: queues.control, workflowBundle: { codePath } }),
        Worker.create({ ...common, taskQueue: queues.judge }),
        Worker.create({ ...common, taskQueue: queues.inference }),
        ...(script.serve ? [Worker.create({ ...common, taskQueue: queues.gpu })] : []),
      ]);
      const ended = Promise.all(workers.map((worker) => worker.run()));
      const stop = async () => {
        for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
        await ended;
      };
      return { ...played, stop, [Symbol.asyncDispose]: stop };
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      await connected.close();
      await stopUnkept(home);
      await rm(base, { recursive: true, force: true });
    },
  };
}

function scripted(script: Script, played: Pick<Played, 'nodes' | 'batches' | 'ends' | 'closed' | 'budgets'>) {
  const { models, groups, lanes = 2, attempts = 3, events = 1_500, engine, budget } = script;
  const prices = { prompt: 1_000, completion: 2_000 };
  const spending = { prices: { generation: prices, judging: prices }, expected: {} };
  const node = async (ref: ShardRef): Promise<ShardCounts> => {
    played.nodes.push(ref);
    await script.node?.(ref);
    return {
      part: partOf(ref),
      records: ref.items,
      errors: script.errors?.(ref) ?? 0,
      made: ref.items,
      tokens: 10 * ref.items,
      requests: ref.items,
      spent: { prompt: 20 * ref.items, completion: 10 * ref.items },
    };
  };
  return {
    ...engineActivities(),
    ...tellActivities(),
    serveEngine: async (epoch: EpochInput) => script.serve?.(epoch),
    openRun: async () => ({
      plan: 'plan',
      campaigns: models.map((model) => ({
        model,
        pace: { lanes, attempts, events },
        ...(budget && { spending }),
        ...(engine && { engine }),
      })),
      ...(budget && { budget }),
    }),
    openCampaign: async () => {
      await script.openCampaign?.();
      return groups;
    },
    savePins: async (batch: PinBatch) => {
      played.batches.push(batch);
    },
    saveBudget: async (at: { budget: Budget }) => {
      played.budgets.push(at.budget);
    },
    setConcurrency: async ({ word }: { word: Concurrency }) => script.lanesAt?.(word) ?? {},
    reopenCampaign: async ({ model }: { model: string }) => {
      const batches = played.batches.filter((batch) => batch.model === model);
      return { pins: batches.length };
    },
    closeRun: async (input: Closing): Promise<RunEnd> => {
      const state = input.cancelled ? 'cancelled' : input.problems.length > 0 ? 'failed' : 'complete';
      played.closed.push(input);
      const end: RunEnd = { run: input.run, state, problems: input.problems, samples: 0, errors: 0 };
      played.ends.push(end);
      return end;
    },
    openNight: async (): Promise<OpenedNight> => {
      await script.openNight?.();
      return { execution: 1 };
    },
    judgeNight: async ({ run, nominal, problem }: Judged): Promise<NightEnd> => {
      return { run, nominal, problem, verdict: problem === null ? 'pass' : 'broken' };
    },
    tellOfNight: async () => {},
    assistantTurns: node,
    userTurns: node,
    judgeTurns: node,
    judgeReferences: node,
    scoreAnswers: node,
  };
}

type Closing = { run: string; problems: string[]; cancelled: boolean; gpu_hours?: number };

/** A part's name, as long as a real one. */
export function partOf(ref: Pick<ShardRef, 'key' | 'block' | 'sample'>): string {
  const half = shortHashOf([ref.key, ref.block, ref.sample]);
  return `part-${half}${half}.jsonl.gz`;
}

/** Groups as a plan's outline makes them: temperatures of one data set. */
export function groupsOf(shape: { temperatures: number[]; blocks: number; samples?: number }): Group[] {
  return shape.temperatures.map((temperature) => {
    const key = (stage: string) => shortHashOf([stage, temperature]);
    return {
      data: 'sums',
      temperature,
      items: shape.blocks * 16,
      size: 16,
      blocks: shape.blocks,
      samples: shape.samples ?? 1,
      stages: [
        { stage: 'assistant_turn', key: key('assistant_turn'), after: null },
        { stage: 'user_turn', key: key('user_turn'), after: 0 },
        { stage: 'judgement', key: key('judgement'), after: 1 },
        { stage: 'score', key: key('score'), after: 0 },
      ],
    };
  });
}
