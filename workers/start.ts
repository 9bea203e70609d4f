// A worker process's parts put together: which queues a role serves, with which activities.
import { hostname } from 'node:os';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { engineActivities } from '../activities/engine/lease.ts';
import { gpuActivities } from '../activities/engine/serve.ts';
import { withFailures } from '../activities/failures.ts';
import { engines } from '../activities/inference/engines.ts';
import { inferenceActivities } from '../activities/inference/turns.ts';
import { judgeActivities } from '../activities/judge/judge.ts';
import { judges } from '../activities/judge/judges.ts';
import { nightActivities } from '../activities/nights/nights.ts';
import { historyKeeper } from '../activities/run/kept.ts';
import { runActivities } from '../activities/run/run.ts';
import { tellActivities } from '../activities/run/tell.ts';
import { scoringActivities } from '../activities/scoring/score.ts';
import { instructionVerifier } from '../activities/scoring/verifier.ts';
import { withGiven } from '../activities/shard/given.ts';
import { sources } from '../activities/shard/sources.ts';
import type { Store } from '../activities/store/store.ts';
import { queues } from '../domain/plan/boundary.ts';
import type { Home } from '../local/home.ts';
import { checkerVenv } from '../local/python.ts';
import type { Traces } from '../local/traces.ts';
import { version } from '../local/version.ts';
import { nightJunit, nightLine, nightMarkdown } from '../report/night-text.ts';
import { runRates } from '../report/rates.ts';
import { summarise } from '../report/summarise.ts';
import { observing } from './observe.ts';
import { timedPhases } from './phases.ts';
import type { Watching } from './runtime.ts';
import { deploymentOptions, type WorkerVersion } from './version.ts';

export type Role = 'control' | 'inference' | 'gpu' | 'local';
export const roles: Role[] = ['control', 'inference', 'gpu', 'local'];

export type WorkerSetup = {
  role: Role;
  home: Home;
  store: Store;
  connect: Parameters<typeof NativeConnection.connect>[0];
  namespace: string;
  /** Null: runs go on with whichever worker is there. */
  version: WorkerVersion | null;
  /** File of the workflows' bundle. */
  bundle: string;
  watching: Watching;
  traces: Traces | null;
  report(line: string): void;
};

export type Running = { stop(): Promise<void>; ended: Promise<void> };

/** Starts polling. `stop` begins nothing new, lets what is in flight end and returns when all is quiet. */
export async function startWorkers(setup: WorkerSetup): Promise<Running> {
  const connection = await NativeConnection.connect(setup.connect);
  const draining = new AbortController();
  const { metrics } = setup.watching;
  const { traces } = setup;
  const deps = {
    store: setup.store,
    host: hostname(),
    drain: draining.signal,
    sources: sources(setup.store),
    phase: timedPhases(metrics, traces),
  };
  const given = <T extends Parameters<typeof withGiven>[1]>(shards: T) => withGiven(setup.store, shards);
  const open = engines({ store: setup.store, home: setup.home, report: setup.report, metrics });
  const asked = judges({ store: setup.store, metrics });
  const verifier = instructionVerifier(async () => (await checkerVenv({ report: setup.report })).python);
  const common = {
    connection,
    namespace: setup.namespace,
    shutdownGraceTime: '10 minutes',
    maxHeartbeatThrottleInterval: '2 seconds',
    defaultHeartbeatThrottleInterval: '2 seconds',
    // The span of an activity is the outer one: what is told of the activity is told of it.
    interceptors: {
      activity: [...(traces ? [traces.activity] : []), observing(metrics, traces)],
      client: { workflow: traces?.client ?? [] },
    },
    ...(traces && { sinks: traces.sinks }),
  } satisfies Partial<WorkerOptions>;

  const versioned = setup.version && { workerDeploymentOptions: deploymentOptions(setup.version) };
  const serves = (role: Role) => setup.role === role || setup.role === 'local';
  const workers: Worker[] = [];
  if (serves('control')) {
    workers.push(
      await Worker.create({
        ...common,
        ...versioned,
        taskQueue: queues.control,
        workflowBundle: { codePath: setup.bundle },
        activities: withFailures({
          ...runActivities({ store: setup.store, summarise, keep: historyKeeper(setup.store) }),
          ...tellActivities(),
          ...engineActivities(),
          ...given(scoringActivities({ ...deps, verifier })),
          ...nightActivities({
            ...setup,
            judges: asked,
            uturn: version(),
            rates: runRates,
            words: { line: nightLine, markdown: nightMarkdown, junit: nightJunit },
          }),
        }),
        maxConcurrentActivityTaskExecutions: 8,
      }),
    );
    // Apart from the quick ones: where a model judges, a shard takes minutes and waits for somebody else's server.
    workers.push(
      await Worker.create({
        ...common,
        ...versioned,
        taskQueue: queues.judge,
        activities: withFailures(given(judgeActivities({ ...deps, judges: asked }))),
        maxConcurrentActivityTaskExecutions: 64,
      }),
    );
  }
  if (serves('inference')) {
    workers.push(
      await Worker.create({
        ...common,
        ...versioned,
        taskQueue: queues.inference,
        activities: withFailures(given(inferenceActivities({ ...deps, engines: open }))),
        maxConcurrentActivityTaskExecutions: 64,
      }),
    );
  }

  const stopping = new AbortController();
  const engineWorkers: Worker[] = [];
  if (serves('gpu')) {
    const { home, report } = setup;
    engineWorkers.push(
      await Worker.create({
        ...common,
        taskQueue: queues.gpu,
        activities: withFailures(gpuActivities({ home, report, env: process.env, stopping: stopping.signal })),
        maxConcurrentActivityTaskExecutions: enginesAtOnce(process.env),
      }),
    );
  }

  const others = Promise.all(workers.map((worker) => worker.run()));
  const engineServers = Promise.all(engineWorkers.map((worker) => worker.run()));
  const ended = Promise.all([others, engineServers]).then(async () => {
    await open.close();
    await verifier.close();
    await connection.close();
  });
  return {
    ended,
    stop: async () => {
      draining.abort();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      // What is in flight here may need an engine that is served here.
      await others;
      stopping.abort();
      for (const worker of engineWorkers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

/** Engines are large: one at a time, unless this machine has room for more. Others wait their turn. */
function enginesAtOnce(env: NodeJS.ProcessEnv): number {
  const given = Number(env['UTURN_ENGINES']);
  return Number.isInteger(given) && given >= 1 ? given : 1;
}
