// Waiting for something that nobody announces.
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again every `everyMs` until the condition holds (true) or `ms` have passed (false). Asks at least once. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms: number,
  opts: { everyMs?: number } = {},
): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await sleep(opts.everyMs ?? 20);
  }
  return true;
}
