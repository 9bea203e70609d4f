// How often a call is tried again, and how long it waits before: never in step with the other callers.
import { setTimeout as wait } from 'node:timers/promises';
import { WorldProblem } from '../../domain/problems.ts';
import type { RequestRefused } from './completion.ts';

/** `attempts` are requests altogether; `unreachable` those of them that may find nobody listening. */
export type RetryPolicy = {
  attempts: number;
  unreachable: number;
  /** The first back-off is at most this long, each further one twice that, until `capMs`. */
  baseMs: number;
  capMs: number;
  /** The longest wait a server can ask for; jitter comes on top. */
  askedCapMs: number;
};

export const defaultPolicy: RetryPolicy = {
  attempts: 5,
  unreachable: 2,
  baseMs: 500,
  capMs: 20_000,
  askedCapMs: 60_000,
};

/** A try that failed. `error` is thrown if it was the last one; `askedMs`: what the server asked us to wait. */
export type Fault = {
  error: WorldProblem | RequestRefused;
  askedMs: number | null;
  reached: 'server' | 'nobody';
  next: 'another_try' | 'give_up';
};

export type Tried<T> = { value: T } | { fault: Fault };

export type RetryOptions = { policy: RetryPolicy; random: () => number; signal: AbortSignal };

/** `requests`: tries that reached the server. `away`: on some try it was not there, and may be another one since. */
export type Done<T> = { value: T; requests: number; away: boolean };

/**
 * Tries until there is a value or the policy is used up.
 * What a try throws is final; an aborted signal ends a wait at once with the signal's reason.
 */
export async function withRetries<T>(tryOnce: () => Promise<Tried<T>>, opts: RetryOptions): Promise<Done<T>> {
  const count = { server: 0, nobody: 0 };
  let away = false;
  for (;;) {
    const tried = await tryOnce();
    if ('value' in tried) return { value: tried.value, requests: count.server + 1, away };
    const { fault } = tried;
    count[fault.reached] += 1;
    away ||= ['cut', 'unreachable'].includes(fault.error.kind);
    const tries = count.server + count.nobody;
    const ms = waitMs(fault.askedMs, tries, opts);
    const last = tries >= opts.policy.attempts || count.nobody >= opts.policy.unreachable;
    if (last || fault.next === 'give_up') throw Object.assign(toldWhen(fault, ms), { requests: count.server });
    await pause(ms, opts.signal);
  }
}

/** Whoever tries again later is asked to wait as we would have: as long as asked, and not in step with the others. */
function toldWhen({ error, askedMs }: Fault, ms: number): Fault['error'] {
  if (askedMs === null || !(error instanceof WorldProblem)) return error;
  return new WorldProblem(error.kind, error.message, { retryAfterMs: Math.ceil(ms) });
}

/** What was asked for and some more, or else a back-off with full jitter after the `tries`th try. */
export function waitMs(askedMs: number | null, tries: number, opts: Pick<RetryOptions, 'policy' | 'random'>): number {
  const { baseMs, capMs, askedCapMs } = opts.policy;
  if (askedMs === null) return opts.random() * Math.min(capMs, baseMs * 2 ** (tries - 1));
  const asked = Math.min(askedMs, askedCapMs);
  // Everybody was asked to come back at the same moment: they must not.
  return asked + opts.random() * Math.max(baseMs, asked / 2);
}

/** `retry-after-ms`, else `retry-after` as seconds or a date; null where neither can be read. */
export function retryAfterMs(headers: Record<string, string | string[] | undefined>, now: number): number | null {
  const milliseconds = numberIn(headers['retry-after-ms']);
  if (milliseconds !== null) return milliseconds;
  const after = headers['retry-after'];
  const seconds = numberIn(after);
  if (seconds !== null) return seconds * 1_000;
  // Date.parse makes a year of almost any number; an HTTP date begins with its weekday.
  const date = typeof after === 'string' && /^[A-Z][a-z]+,/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberIn(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : null;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (stopped) {
    throw signal.aborted ? signal.reason : stopped;
  }
}
