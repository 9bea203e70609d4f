// Servers that belong to a home: found again by whoever comes next, whatever became of the command that started them.
import { readdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import { type Home, logFile } from './home.ts';
import { type LockOptions, withLock } from './lock.ts';
import { isAlive, killGroup, lastLines, spawnDetached, stop } from './process.ts';
import { type Read, readRecord, writeRecord } from './records.ts';
import { until } from './until.ts';

/** `up`: stays until somebody says down. `run`: goes with the last command that uses the home. */
export type Keep = 'up' | 'run';

/** Kept after the process has ended too: the next start takes the same port, so that clients find it again. */
export type Service = {
  name: string;
  process: { pid: number; started: string };
  /** `host:port`; empty where nobody connects to it. */
  address: string;
  keep: Keep;
  extra: Record<string, string | number | boolean>;
};

export type StartCommand = {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  address: string;
  extra?: Service['extra'];
};

export type ServiceOptions = {
  /** How to start it. `previous` is what was recorded last, whose port should be taken again; null for a free one. */
  start(previous: Service | null): Promise<StartCommand>;
  /** Whether it answers, with a real request. Throwing counts as no. */
  healthy(service: Service): Promise<boolean>;
  /** Whether a running one is what is wanted; one that is not is stopped and started anew. */
  suits?(service: Service): boolean;
  keep: Keep;
  report(line: string): void;
  /** How long a running one may not answer before it is replaced. */
  patienceMs?: number;
  /** How long a new one may take until it answers. */
  startMs?: number;
  graceMs?: number;
};

const serviceSchema: z.ZodType<Service> = z.object({
  name: z.string(),
  process: z.object({ pid: z.int().min(2), started: z.string() }),
  address: z.string().regex(/^$|:\d+$/),
  keep: z.enum(['up', 'run']),
  extra: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

const GRACE_MS = 10_000;
const WORKER_GRACE_MS = 10 * 60_000;
const LARGEST_LOG = 20 * 1024 * 1024;

/**
 * The one service of this name in this home, healthy: the running one, or a new one.
 * Of several that ask at once one starts it, the others join.
 * @throws ConfigProblem  it ended while starting; the message holds the last lines of its log
 * @throws WorldProblem `timeout`  it runs but did not answer within `startMs`
 */
export function ensureService(home: Home, name: string, opts: ServiceOptions): Promise<Service> {
  const start = async () => {
    const recorded = await recall(home, name, opts);
    const keep = recorded?.keep === 'up' ? 'up' : opts.keep;
    if (recorded && isAlive(recorded.process)) {
      if (await usable(recorded, opts)) return joined(home, recorded, keep);
      await stop(recorded.process, { graceMs: opts.graceMs ?? GRACE_MS });
    }
    return startAnew(home, name, { ...opts, keep, previous: recorded });
  };
  return locked(home, name, start, {
    // Whether it is well is asked under the same lock, and takes a moment on a busy machine.
    tellAfterMs: 5_000,
    onWait: () => opts.report(`waiting for another uturn that is starting ${name}`),
  });
}

/** Writes down a server that somebody else in this home owns, so that `down` finds it should its owner have lost it. */
export function recordService(home: Home, service: Service): Promise<void> {
  return locked(home, service.name, () => writeRecord(recordFile(home, service.name), service));
}

/**
 * Stops a service; its record stays for the port. With `only: 'run'` one that was brought up to stay is left alone.
 * `none`: there was nothing to stop.
 */
export function stopService(
  home: Home,
  name: string,
  opts: { only?: Keep; graceMs?: number } = {},
): Promise<'stopped' | 'killed' | 'kept' | 'none'> {
  return locked(home, name, async () => {
    const found = await read(home, name);
    if (found.state !== 'read' || !isAlive(found.value.process)) return 'none';
    if (opts.only && found.value.keep !== opts.only) return 'kept';
    const outcome = await stop(found.value.process, { graceMs: opts.graceMs ?? GRACE_MS });
    await writeRecord(recordFile(home, name), { ...found.value, keep: 'run' });
    return outcome === 'gone' ? 'none' : outcome;
  });
}

/** Stops what `run` started and nobody brought up to stay: the duty of the last command out. */
export async function stopUnkept(home: Home, opts: { except?: string; workerGraceMs?: number } = {}): Promise<void> {
  for (const { name } of await inStopOrder(home)) {
    if (name !== opts.except)
      await stopService(home, name, {
        only: 'run',
        graceMs: name === 'worker' ? (opts.workerGraceMs ?? WORKER_GRACE_MS) : GRACE_MS,
      });
  }
}

export type Stopped = { name: string; how: 'stopped' | 'killed' };

/** Stops everything of this home, what was brought up to stay too. `begin` hears of each before it is stopped. */
export async function stopAll(home: Home, opts: { begin(name: string): void }): Promise<Stopped[]> {
  const stopped: Stopped[] = [];
  for (const { name, alive } of await inStopOrder(home)) {
    if (alive) opts.begin(name);
    const how = await stopService(home, name, { graceMs: graceOf(name) });
    if (how === 'stopped' || how === 'killed') stopped.push({ name, how });
  }
  return stopped;
}

/** What was brought up to stay goes with the last command from now on. Returns the names of what runs. */
export async function letGo(home: Home): Promise<string[]> {
  const running: string[] = [];
  for (const { name } of await inStopOrder(home)) {
    const found = await locked(home, name, async () => {
      const now = await read(home, name);
      if (now.state !== 'read' || !isAlive(now.value.process)) return null;
      if (now.value.keep === 'up') await writeRecord(recordFile(home, name), { ...now.value, keep: 'run' });
      return name;
    });
    if (found !== null) running.push(found);
  }
  return running;
}

async function inStopOrder(home: Home): Promise<(Service & { alive: boolean })[]> {
  return (await listServices(home)).toSorted((a, b) => rankAtStop(a.name) - rankAtStop(b.name));
}

/** The same at once and without grace: somebody does not want to wait. */
export async function killUnkept(home: Home): Promise<void> {
  for (const { alive, keep, process } of await listServices(home)) if (alive && keep === 'run') killGroup(process);
}

/** A generation that a worker has begun may take minutes, and was paid for. */
function graceOf(name: string): number {
  return name === 'worker' ? WORKER_GRACE_MS : GRACE_MS;
}

/** A worker finishes what it has begun with its model, and tells Temporal; so it stops before either. */
function rankAtStop(name: string): number {
  return name === 'worker' ? 0 : name === 'temporal' ? 2 : 1;
}

/** What is recorded, by name, with whether it runs. Unreadable records are left out. */
export async function listServices(home: Home): Promise<(Service & { alive: boolean })[]> {
  const files = await readdir(home.services).catch(() => []);
  const names = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => decodeURIComponent(basename(file, '.json')));
  const found = await Promise.all(names.sort().map((name) => read(home, name)));
  return found.flatMap((f) => (f.state === 'read' ? [{ ...f.value, alive: isAlive(f.value.process) }] : []));
}

async function recall(home: Home, name: string, opts: ServiceOptions): Promise<Service | null> {
  const found = await read(home, name);
  if (found.state === 'torn') {
    opts.report(`${recordFile(home, name)} is not a service record; treating it as none`);
  }
  return found.state === 'read' ? found.value : null;
}

/** A command may have been killed right after it started this one, so a silent one gets some time. */
async function usable(service: Service, opts: ServiceOptions): Promise<boolean> {
  if (opts.suits && !opts.suits(service)) return false;
  const patienceMs = opts.patienceMs ?? 10_000;
  const outcome = await answerOrEnd(service, opts, patienceMs);
  if (outcome === 'silent') {
    const who = `${service.name} (process ${service.process.pid})`;
    opts.report(`${who} has not answered for ${patienceMs / 1000} s; replacing it`);
  }
  return outcome === 'answers';
}

/** Waits for one or the other. A process that is just being killed still counts as running for a moment. */
async function answerOrEnd(
  service: Service,
  opts: ServiceOptions,
  ms: number,
): Promise<'answers' | 'ended' | 'silent'> {
  const ended = () => !isAlive(service.process);
  const answers = () => opts.healthy(service).catch(() => false);
  const inTime = await until(async () => ended() || (await answers()), ms);
  return ended() ? 'ended' : inTime ? 'answers' : 'silent';
}

async function joined(home: Home, service: Service, keep: Keep): Promise<Service> {
  if (service.keep === keep) return service;
  const kept = { ...service, keep };
  await writeRecord(recordFile(home, service.name), kept);
  return kept;
}

type Starting = ServiceOptions & { previous: Service | null };

async function startAnew(home: Home, name: string, opts: Starting): Promise<Service> {
  const log = logFile(home, name);
  for (let attempt = 1, { previous } = opts; ; attempt += 1, previous = null) {
    const from = await roomInLog(log);
    const service = await launch(home, name, { ...opts, previous });
    const outcome = await answerOrEnd(service, opts, opts.startMs ?? 60_000);
    if (outcome === 'answers') return service;

    if (outcome === 'silent') await stop(service.process, { graceMs: opts.graceMs ?? GRACE_MS });
    // Between choosing a port and binding it anybody may take it; a server may bury that under a stack.
    const lines = await lastLines(log, 200, { from });
    if (outcome === 'ended' && attempt < 3 && lines.some((line) => /address already in use|^panic:/i.test(line)))
      continue;
    throw neverCame(service, { log, lines: lines.slice(-12), outcome });
  }
}

/** The process begins only when its record is on the disk, so none is ever lost, wherever we are killed. */
async function launch(home: Home, name: string, opts: Starting): Promise<Service> {
  const { command, args, env, cwd, address, extra } = await opts.start(opts.previous);
  const { keep } = opts;
  const serviceOf = (process: Service['process']): Service => ({ name, process, address, keep, extra: extra ?? {} });
  const process = await spawnDetached(command, args, {
    logFile: logFile(home, name),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    record: (identity) => writeRecord(recordFile(home, name), serviceOf(identity)),
  });
  return serviceOf(process);
}

/** Bytes the log holds already; a log grown large is put aside first. */
export async function roomInLog(log: string): Promise<number> {
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  if (size < LARGEST_LOG) return size;
  await rename(log, `${log}.old`);
  return 0;
}

function neverCame(service: Service, end: { log: string; lines: string[]; outcome: 'ended' | 'silent' }): Error {
  const said = end.lines.length > 0 ? `; its log ends:\n${end.lines.map((line) => `    ${line}`).join('\n')}` : '.';
  if (end.outcome === 'silent')
    return new WorldProblem('timeout', `${service.name} started but did not answer at ${service.address}${said}`);
  return new ConfigProblem(`${service.name} ended while it was starting${said}`, {
    advice: `The whole log is ${end.log}`,
  });
}

function locked<T>(home: Home, name: string, fn: () => Promise<T>, opts: LockOptions = {}): Promise<T> {
  return withLock(join(home.locks, `service-${encodeURIComponent(name)}.lock`), fn, opts);
}

function read(home: Home, name: string): Promise<Read<Service>> {
  return readRecord(recordFile(home, name), serviceSchema);
}

function recordFile(home: Home, name: string): string {
  return join(home.services, `${encodeURIComponent(name)}.json`);
}
