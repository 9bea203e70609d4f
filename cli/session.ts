// What a command that talks to Temporal holds while it runs: the home, the store, a client, and a worker that is kept alive.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { openStore } from '../activities/store/open.ts';
import type { Store } from '../activities/store/store.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { connectTemporal, type Temporal } from '../local/connection.ts';
import { type Home, homePaths, openHome } from '../local/home.ts';
import { isReady } from '../local/ready.ts';
import { ensureService, type Keep, listServices, stopUnkept } from '../local/services.ts';
import { ensureTemporal } from '../local/temporal.ts';
import { openTraces } from '../local/traces.ts';
import { joinHome } from '../local/users.ts';
import { leaveOnInterrupt } from './early.ts';
import { exit } from './exit.ts';

/** What commands need that only read. */
export type Reading = { home: Home; store: Store };

export type Session = Reading & { temporal: Temporal; client: Client };

export type SessionOptions = { keep: Keep; worker: 'here' | 'elsewhere'; report(line: string): void };

const watchEvery = 1_000;

/** A person who pressed Ctrl-C was told that what is in flight ends first, and can press again. */
const drainGraceMs = 10 * 60_000;
/** A command whose own work is done does not wait for long on what a worker does for other runs. */
const shortGraceMs = 10_000;

function sayWaiting(): void {
  process.stderr.write('Another uturn is stopping what runs for this home; waiting until it has.\n');
}

/**
 * For commands that look at what there is: nothing is made where nothing is.
 * @throws ConfigProblem  no uturn was ever run here
 */
export async function openLooking(): Promise<Reading> {
  if (isUsed()) return openReading();
  throw new ConfigProblem(`there is no run here: ${homePaths().dir} does not exist`, {
    advice: 'Go to the folder where it was started, or set UTURN_HOME or UTURN_STORE.',
  });
}

/** Whether there is a home, or a store is named. */
export function isUsed(): boolean {
  return existsSync(homePaths().dir) || Boolean(process.env['UTURN_STORE']);
}

export async function openReading(): Promise<Reading> {
  const home = await openHome(process.env);
  return { home, store: await openStore(process.env['UTURN_STORE'] || home.store) };
}

/** Signs on to the home for as long as `work` takes; the last command out stops what `run` started. */
export async function inHome<T>(
  work: (reading: Reading) => Promise<T>,
  open: () => Promise<Reading> = openReading,
): Promise<T> {
  const reading = await open();
  const member = await joinHome(reading.home, { onWait: sayWaiting });
  const leave = (workerGraceMs: number) => member.leave(() => stopUnkept(reading.home, { workerGraceMs }));
  const release = leaveOnInterrupt(reading.home, () => leave(shortGraceMs));
  let graceMs = shortGraceMs;
  try {
    const end = await work(reading);
    if (end === exit.interrupted) graceMs = drainGraceMs;
    return end;
  } finally {
    release();
    await leave(graceMs);
  }
}

/** Joins what runs under the home, or starts it; a worker or server that dies meanwhile is started again. */
export async function withTemporal<T>(
  reading: Reading,
  opts: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const temporal = await ensureTemporal(reading.home, opts);
  const { uri } = reading.store;
  if (opts.worker === 'here') await ensureWorker(reading.home, { ...opts, store: uri });
  const traces = await openTraces();
  const connected = await connectTemporal(temporal, { interceptors: traces?.client ?? [] });
  const stop = new AbortController();
  const watching = keepAlive(reading.home, {
    ...opts,
    store: uri,
    local: temporal.kind === 'local',
    signal: stop.signal,
  });
  try {
    return await work({ ...reading, temporal, client: connected.client });
  } finally {
    stop.abort();
    await watching;
    await connected.close();
    await traces?.stop();
  }
}

async function keepAlive(
  home: Home,
  opts: SessionOptions & { store: string; local: boolean; signal: AbortSignal },
): Promise<void> {
  const quiet = { ...opts, report: () => undefined };
  while (!opts.signal.aborted) {
    await sleep(watchEvery, undefined, { signal: opts.signal }).catch(() => undefined);
    if (opts.signal.aborted) return;
    if (opts.local) await ensureTemporal(home, quiet).catch(() => undefined);
    if (opts.worker === 'here') await ensureWorker(home, quiet).catch(() => undefined);
  }
}

/** `store`: URI of the store that the worker is to serve. */
export type WorkerOptions = { keep: Keep; store: string; report(line: string): void };

/** The worker that does everything on this machine, as a process that outlives this command when it is killed. */
export async function ensureWorker(home: Home, opts: WorkerOptions): Promise<void> {
  const running = (await listServices(home)).find(({ name, alive }) => name === 'worker' && alive);
  const served = running?.extra['store'];
  if (served !== undefined && served !== opts.store) {
    throw new ConfigProblem(`the worker of ${home.dir} serves another store: ${String(served)}`, {
      advice: `Stop it (uturn down) and run again for ${opts.store}, or give each store a home of its own (UTURN_HOME).`,
    });
  }

  const entry = ['../workers/main.ts', '../workers/main.js']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync);
  await ensureService(home, 'worker', {
    ...opts,
    healthy: ({ process: { pid } }) => isReady(home, pid),
    start: async () => ({
      command: process.execPath,
      args: [entry ?? '', '--role', 'local'],
      address: '',
      extra: { store: opts.store },
    }),
    graceMs: 60_000,
  });
}
