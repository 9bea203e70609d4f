// What a command that talks to Temporal holds while it runs: the home, the store, a client, and a worker that is kept alive.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { openStore } from '../activities/store/open.ts';
import type { Store } from '../activities/store/store.ts';
import { connectTemporal, type Temporal } from '../local/connection.ts';
import { type Home, openHome } from '../local/home.ts';
import { isReady } from '../local/ready.ts';
import { ensureService, type Keep, stopUnkept } from '../local/services.ts';
import { ensureTemporal } from '../local/temporal.ts';
import { joinHome } from '../local/users.ts';
import { leaveOnInterrupt } from './early.ts';

/** What commands need that only read. */
export type Reading = { home: Home; store: Store };

export type Session = Reading & { temporal: Temporal; client: Client };

export type SessionOptions = { keep: Keep; worker: 'here' | 'elsewhere'; report(line: string): void };

const watchEvery = 1_000;

export async function openReading(): Promise<Reading> {
  const home = await openHome(process.env);
  return { home, store: await openStore(process.env['UTURN_STORE'] || home.store) };
}

/** Signs on to the home for as long as `work` takes; the last command out stops what `run` started. */
export async function inHome<T>(work: (reading: Reading) => Promise<T>): Promise<T> {
  const reading = await openReading();
  const member = await joinHome(reading.home);
  const leave = () => member.leave(() => stopUnkept(reading.home));
  const release = leaveOnInterrupt(reading.home, leave);
  try {
    return await work(reading);
  } finally {
    release();
    await leave();
  }
}

/** Joins what runs under the home, or starts it; a worker or server that dies meanwhile is started again. */
export async function withTemporal<T>(
  reading: Reading,
  opts: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const temporal = await ensureTemporal(reading.home, opts);
  if (opts.worker === 'here') await ensureWorker(reading.home, opts);
  const connected = await connectTemporal(temporal);
  const stop = new AbortController();
  const watching = keepAlive(reading.home, { ...opts, local: temporal.kind === 'local', signal: stop.signal });
  try {
    return await work({ ...reading, temporal, client: connected.client });
  } finally {
    stop.abort();
    await watching;
    await connected.close();
  }
}

async function keepAlive(home: Home, opts: SessionOptions & { local: boolean; signal: AbortSignal }): Promise<void> {
  const quiet = { ...opts, report: () => undefined };
  while (!opts.signal.aborted) {
    await sleep(watchEvery, undefined, { signal: opts.signal }).catch(() => undefined);
    if (opts.signal.aborted) return;
    if (opts.local) await ensureTemporal(home, quiet).catch(() => undefined);
    if (opts.worker === 'here') await ensureWorker(home, quiet).catch(() => undefined);
  }
}

/** The worker that does everything on this machine, as a process that outlives this command when it is killed. */
export async function ensureWorker(home: Home, opts: { keep: Keep; report(line: string): void }): Promise<void> {
  const entry = ['../workers/main.ts', '../workers/main.js']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync);
  await ensureService(home, 'worker', {
    ...opts,
    healthy: ({ process: { pid } }) => isReady(home, pid),
    start: async () => ({ command: process.execPath, args: [entry ?? '', '--role', 'local'], address: '' }),
    graceMs: 60_000,
  });
}
