// Entry point of every worker process: `node workers/main.ts --role local`.
import { parseArgs } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { openStore } from '../activities/store/open.ts';
import { ConfigProblem, sentence } from '../domain/problems.ts';
import { cacheFolder } from '../local/cache.ts';
import { openHome } from '../local/home.ts';
import { sayReady } from '../local/ready.ts';
import { listServices } from '../local/services.ts';
import { logSettings, metricsAddress } from '../local/telemetry.ts';
import { ensureTemporal } from '../local/temporal.ts';
import { openTraces } from '../local/traces.ts';
import { sayAlive } from './alive.ts';
import { workflowBundle } from './bundle.ts';
import { stopOthers, untilIdle } from './idle.ts';
import { logger } from './logs.ts';
import { installRuntime } from './runtime.ts';
import { roles, startWorkers } from './start.ts';
import { workerVersion } from './version.ts';

const checkEvery = 2_000;

/** How long a worker that nobody waits for stays. */
function idleMs(): number {
  const seconds = Number(process.env['UTURN_IDLE_SECONDS']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 10 * 60_000;
}

function logsOf(env: NodeJS.ProcessEnv) {
  return logger({ ...logSettings(env), env, write: (line) => process.stderr.write(line) });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      role: { type: 'string', default: 'local' },
      store: { type: 'string' },
      deployment: { type: 'string' },
      build: { type: 'string' },
    },
  });
  const role = roles.find((one) => one === values.role);
  if (role === undefined) {
    throw new ConfigProblem(`there is no worker role "${values.role}"`, { advice: `Roles: ${roles.join(', ')}.` });
  }
  const asked = await workerVersion(role, values, process.env);
  const log = logsOf(process.env);
  const say = (line: string) => log.info(line);
  const watching = installRuntime({ role, logger: log, metricsAt: metricsAddress(process.env) });
  watching.metrics.watch('uturn_heap_bytes', {}, () => getHeapStatistics().used_heap_size);
  const home = await openHome(process.env);
  const temporal = await ensureTemporal(home, { keep: 'run', report: say });
  const store = await openStore(values.store ?? (process.env['UTURN_STORE'] || home.store), watching.metrics);
  const traces = await openTraces(process.env);
  const bundle = await workflowBundle(
    cacheFolder(),
    traces === null ? 'plain' : 'traced',
    asked === null ? 'unversioned' : 'versioned',
  );
  const running = await startWorkers({
    role,
    home,
    store,
    connect: temporal.connectOptions,
    namespace: temporal.namespace,
    version: asked,
    bundle,
    watching,
    traces,
    report: say,
  });
  // A worker in somebody's foreground must not be taken for the home's own.
  const own = (await listServices(home)).some(({ name, process: { pid } }) => name === 'worker' && pid === process.pid);
  if (own) await sayReady(home);
  const as = asked === null ? '' : ` as build ${asked.build} of ${asked.deployment}`;
  say(`worker ${role} is polling ${temporal.address}${as}`);
  const alive = sayAlive(process.env['UTURN_ALIVE']);

  const embedded = role === 'local' && temporal.kind === 'local';
  const guard = embedded ? setInterval(() => void revive(), checkEvery) : null;
  const revive = async () => {
    await ensureTemporal(home, { keep: 'run', report: say }).catch((error: unknown) =>
      log.warn(`Temporal: ${String(error)}`),
    );
  };
  const stop = () => {
    if (guard !== null) clearInterval(guard);
    say('stopping: what is in flight ends first');
    void running.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const ended = new AbortController();
  const idle = embedded ? untilIdle({ home, temporal, afterMs: idleMs(), signal: ended.signal }) : running.ended;
  if ((await Promise.race([running.ended, idle])) === 'idle') {
    say('nobody uses this home and no run is open: stopping');
    stop();
    await running.ended;
    await stopOthers(home);
  }
  await running.ended;
  alive.stop();
  watching.stop();
  await traces?.stop();
  ended.abort();
  say('stopped');
}

/** What a person has to change is a sentence for a person, except where only machines read. */
function complain(error: unknown): void {
  const said = error instanceof ConfigProblem ? sentence(error) : error;
  if (process.env['UTURN_LOG_FORMAT'] !== 'json') return console.error(said);
  const write = (line: string) => process.stderr.write(line);
  logger({ level: 'error', format: 'json', env: process.env, write }).error(String(said));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    complain(error);
    process.exit(1);
  },
);
