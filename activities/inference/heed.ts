// What a worker does about a word on how many requests may be in flight.
import type { Concurrency } from '../../domain/plan/concurrency.ts';
import type { HeardConcurrency } from '../run/concurrency.ts';

type Heeding = { hear: HeardConcurrency; of(set: Concurrency): number | undefined; allow(most: number): void };

/**
 * Looks whether something was set for a run, and allows that once. Runs that share a server share its room, so the last
 * word of any of them counts for all.
 */
export function heeding({ hear, of, allow }: Heeding): (run: string) => Promise<void> {
  const heard = new Map<string, number>();
  return async (run) => {
    const set = await hear(run);
    const most = set === null ? undefined : of(set);
    if (most === undefined || heard.get(run) === most) return;
    heard.set(run, most);
    allow(most);
  };
}
