// Processes that outlive the command which started them: who they are, starting and stopping them.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import { until } from './until.ts';

/** A pid alone may belong to another process by now; together with the start time it cannot. */
export type ProcessIdentity = { pid: number; started: string };

/** Null where no process has this pid. A zombie counts as none: it only waits for its parent to look. */
export function identify(pid: number, platform: NodeJS.Platform = process.platform): ProcessIdentity | null {
  const started = platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return started === null ? null : { pid, started };
}

export function thisProcess(): ProcessIdentity {
  const identity = identify(process.pid);
  if (!identity) throw new ConfigProblem('neither /proc nor ps tells when a process started; uturn needs one of them.');
  return identity;
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

export type SpawnOptions = {
  /** Standard output and error are appended here. */
  logFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Called before the command begins. Where it fails, or this process dies in it, the command never begins. */
  record?: (identity: ProcessIdentity) => Promise<void>;
};

// The shell waits for our word and then becomes the command, keeping its pid. Without the word (we were killed
// before the process was recorded) it ends: there is never a running process that nobody knows of.
const GATE = 'read -r word && [ "$word" = go ] && exec "$@" </dev/null';

/**
 * Starts a command in its own process group, where it survives us and our terminal.
 * A command that does not exist ends at once and says so in its log.
 */
export async function spawnDetached(command: string, args: string[], opts: SpawnOptions): Promise<ProcessIdentity> {
  const log = openSync(opts.logFile, 'a');
  try {
    const child = spawn('/bin/sh', ['-c', GATE, 'sh', command, ...args], {
      detached: true,
      stdio: ['pipe', log, log],
      env: opts.env ?? process.env,
      ...(opts.cwd === undefined ? {} : { cwd: opts.cwd }),
    });
    // Before the event loop turns nobody can have reaped the child, so this is its identity and no other's.
    const identity = child.pid === undefined ? null : identify(child.pid);
    const failed = new Promise<Error>((fail) => child.once('error', fail));
    child.stdin?.on('error', () => {}); // it died already: who waits for it finds out
    if (!identity) throw new ConfigProblem(`${command} could not be started.`, { cause: await failed });

    try {
      await opts.record?.(identity);
      child.stdin?.write('go\n');
    } finally {
      child.stdin?.end();
      child.unref();
    }
    return identity;
  } finally {
    closeSync(log);
  }
}

/**
 * Ends a process started by `spawnDetached` and its group: SIGTERM, and SIGKILL after `graceMs`.
 * Returns once it is gone. A process of the same pid that is another one is left alone (`gone`).
 */
export async function stop(
  identity: ProcessIdentity,
  opts: { graceMs: number },
): Promise<'gone' | 'stopped' | 'killed'> {
  if (!isAlive(identity)) return 'gone';
  const ended = () => !isAlive(identity);
  signalGroup(identity.pid, 'SIGTERM');
  const stopped = await until(ended, opts.graceMs);
  signalGroup(identity.pid, 'SIGKILL'); // also reaches children it left behind in its group
  if (!(await until(ended, 5_000))) throw new WorldProblem('process', `process ${identity.pid} does not die`);
  return stopped ? 'stopped' : 'killed';
}

/** Ends a process started by `spawnDetached` and its group at once. */
export function killGroup(identity: ProcessIdentity): void {
  if (isAlive(identity)) signalGroup(identity.pid, 'SIGKILL');
}

/** Last lines of a log, from byte `from` on, without control characters: a log holds what its writer wants. */
export async function lastLines(file: string, count: number, opts: { from?: number } = {}): Promise<string[]> {
  await using handle = await open(file).catch(() => null);
  if (!handle) return [];
  const { size } = await handle.stat();
  const start = Math.max(opts.from ?? 0, size - 64 * 1024, 0);
  if (start >= size) return [];
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer
    .toString('utf8', 0, bytesRead)
    .split('\n')
    .map(printable)
    .filter((line) => line !== '')
    .slice(-count);
}

function printable(line: string): string {
  return line.replace(/\p{Cc}+/gu, ' ').trim();
}

/** Signals a whole process group; one that is gone is none. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!(pid > 1)) throw new RangeError(`refusing to signal group ${pid}`); // kill(-1) is everybody
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Start time in clock ticks since boot; the boot's id keeps a restarted machine's processes apart. */
function startFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, field 2, may hold spaces and parentheses; what follows its last `)` begins with field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
    // A killed process is a zombie while its last threads still hold its port and its files.
    if (ticks === undefined || state === 'X' || (state === 'Z' && threads <= 1)) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return null;
  }
}

function startFromPs(pid: number): string | null {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }; // lstart is written for people otherwise
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
    const [state, ...lstart] = line.split(/\s+/);
    return !state || state.startsWith('Z') ? null : lstart.join(' ');
  } catch {
    return null;
  }
}
