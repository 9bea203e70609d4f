// How many requests one server gets at once: more while it keeps up, fewer when it says that they are too many.
import pLimit from 'p-limit';
import type { Tried } from './retry.ts';

/** Requests in flight at first, where more are allowed: half of them, and at least so many. */
const atFirst = 32;
const cut = 0.7;
const growth = 0.05;

export type Room = {
  /** Runs a piece of work when there is room for it. */
  limit<T>(piece: () => Promise<T>): Promise<T>;
  /** Every try's outcome goes through here; what was asked is returned. */
  heard<T>(tried: Tried<T>): Tried<T>;
  /** From now on so many at most. Pieces that are at work come to their end. */
  allow(most: number): void;
  /** Pieces now at work, and how many may be. */
  state(): { active: number; width: number };
};

/**
 * Room for at most `allowed` requests, all tries of one counted as one. Each answer makes it wider by one, so that
 * a round of them doubles it, until the server first refuses one as too many (429); from then on it grows by a twentieth a round. A refusal takes three tenths of it
 * away, once for all that were in flight. Other failures say nothing of how many are too many, so they change nothing.
 */
export function openRoom(allowed: number): Room {
  let most = allowed;
  const limit = pLimit(Math.min(most, Math.max(atFirst, Math.ceil(most / 2))));
  let toCome = 0;
  let refusedBefore = false;
  let justCut = false;

  const become = (width: number) => {
    limit.concurrency = Math.min(most, Math.max(1, width));
  };
  const refused = () => {
    toCome -= 1;
    if (justCut && toCome > 0) return;
    toCome = Math.max(1, limit.activeCount);
    refusedBefore = true;
    justCut = true;
    become(Math.floor(limit.concurrency * cut));
  };
  const kept = () => {
    if (!refusedBefore) return become(limit.concurrency + 1);
    toCome -= 1;
    if (toCome > 0) return;
    justCut = false;
    become(limit.concurrency + Math.max(1, Math.floor(limit.concurrency * growth)));
    toCome = limit.concurrency;
  };

  return {
    limit: (piece) => limit(piece),
    heard(tried) {
      if ('value' in tried) kept();
      else if (tried.fault.error.kind === 'overloaded') refused();
      return tried;
    },
    allow(now) {
      most = now;
      if (limit.concurrency > most) limit.concurrency = most;
    },
    state: () => ({ active: limit.activeCount, width: limit.concurrency }),
  };
}
