// A lock between processes that dies with its holder, so that kill -9 never leaves one behind.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigProblem } from '../domain/problems.ts';

const POLL_MS = 50;

/** How long to wait for the lock (`waitMs`, for ever when left out), and what to do once when it is found taken. */
/** `tellAfterMs`: a wait that is over before is not worth a word. */
export type LockOptions = { waitMs?: number; onWait?: () => void; tellAfterMs?: number };

/**
 * Runs `fn` while no other process (and no other call in this one) runs under the same `file`.
 * @throws ConfigProblem  `waitMs` has passed, or the file cannot be made
 */
export async function withLock<T>(file: string, fn: () => Promise<T>, opts: LockOptions = {}): Promise<T> {
  const held = await take(file, opts);
  try {
    return await fn();
  } finally {
    held.close();
  }
}

// SQLite's exclusive transaction is a lock of the operating system on the open file: it ends with the process.
async function take(file: string, opts: LockOptions): Promise<DatabaseSync> {
  const until = opts.waitMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + opts.waitMs;
  const tellAt = Date.now() + (opts.tellAfterMs ?? 0);
  let told = false;
  await mkdir(dirname(file), { recursive: true });
  for (;;) {
    const database = open(file);
    if (begin(database, file)) return database;
    database.close();
    if (!told && Date.now() >= tellAt) {
      told = true;
      opts.onWait?.();
    }
    if (Date.now() >= until) {
      throw new ConfigProblem(`another process holds ${file}`, { advice: 'Wait until it has finished, or end it.' });
    }
    await sleep(POLL_MS);
  }
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw unusable(file, cause);
  }
}

function begin(database: DatabaseSync, file: string): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (cause) {
    const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
    if (code === SQLITE_BUSY) return false;
    database.close();
    throw unusable(file, cause);
  }
}

const SQLITE_BUSY = 5;

function unusable(file: string, cause: unknown): ConfigProblem {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ConfigProblem(`cannot lock ${file}: ${why}`, { cause, advice: 'Check that its folder is writable.' });
}
