// What a worker does about a word on how many requests may be in flight.
import type { HeardConcurrency } from '../run/concurrency.ts';

/** `model`: null of a judge. `usual`: where nobody set anything. */
type Heeding = { hear: HeardConcurrency; usual: number; allow(most: number): void; clock?: () => number };
export type AtWork = { run: string; model: string | null };

/** Whoever is at work is heard of every two seconds. */
const rememberedMs = 6_000;

/**
 * Looks what a run may have of a server now. Runs and models at work that share one share its room: as much of it as the one that may
 * have the least.
 */
export function heeding({ hear, usual, allow, clock = Date.now }: Heeding): (who: AtWork) => Promise<void> {
  const heard = new Map<string, { most: number; at: number }>();
  let now = usual;
  return async ({ run, model }) => {
    const set = await hear(run);
    const most = model === null ? set?.judge : set?.models[model];
    heard.set(JSON.stringify([run, model]), { most: most ?? usual, at: clock() });
    for (const [other, { at }] of heard) if (clock() - at > rememberedMs) heard.delete(other);
    const least = Math.min(...[...heard.values()].map((one) => one.most));
    if (least === now) return;
    now = least;
    allow(least);
  };
}
