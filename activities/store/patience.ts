// A store that takes nothing for a while: no room in it, nobody there. What was paid for is held meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { WorldProblem } from '../../domain/problems.ts';

/** How long it is waited for, unless somebody wants to stop before. */
export type Patience = { ms: number; stopping(): boolean };

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/**
 * Does it, or `again` where that is another thing, until it goes. Without patience once.
 * @throws the last failure when patience is over or somebody wants to stop, and at once what no waiting mends
 */
export async function patiently<T>(
  work: () => Promise<T>,
  { patience, again = work }: { patience: Patience | undefined; again?: () => Promise<T> },
): Promise<T> {
  const end = Date.now() + (patience?.ms ?? 0);
  let ms = firstWaitMs;
  for (let next = work; ; next = again) {
    try {
      return await next();
    } catch (failure) {
      if (!(failure instanceof WorldProblem) || Date.now() >= end || !(await waited(ms, patience))) throw failure;
      ms = Math.min(2 * ms, longestWaitMs);
    }
  }
}

/** False where somebody wants to stop. */
async function waited(ms: number, patience: Patience | undefined): Promise<boolean> {
  for (let left = ms; left > 0; left -= firstWaitMs) {
    if (patience?.stopping() !== false) return false;
    await sleep(firstWaitMs);
  }
  return patience?.stopping() === false;
}
