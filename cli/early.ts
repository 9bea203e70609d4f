// Ctrl-C before a run is followed: nothing is in flight that is worth waiting for, but what was started must not stay.
import type { Home } from '../local/home.ts';
import { killUnkept } from '../local/services.ts';
import { othersPresent } from '../local/users.ts';
import { exit } from './exit.ts';

/** One Ctrl-C may come twice: from the terminal, and from an npm that passes it on. Nobody presses twice this fast. */
export const onePressMs = 200;

const signals = ['SIGINT', 'SIGTERM'] as const;
let handler: (() => void) | null = null;

/** Leaves the home and ends this process at the first signal, at once at a second. Returns what takes that back. */
export function leaveOnInterrupt(home: Home, leave: () => Promise<unknown>): () => void {
  let firstAt: number | null = null;
  const handle = () => {
    if (firstAt !== null) {
      if (performance.now() - firstAt >= onePressMs) void stopNow(home).finally(() => process.exit(exit.interrupted));
      return;
    }
    firstAt = performance.now();
    process.stderr.write(
      'Stopping. Nothing that was completed is lost; the same command goes on. Ctrl-C again stops at once.\n',
    );
    // What was being started meanwhile would otherwise stay.
    void leave()
      .then(() => stopNow(home))
      .finally(() => process.exit(exit.interrupted));
  };
  for (const signal of signals) process.on(signal, handle);
  handler = handle;
  return releaseEarly;
}

/** From here on somebody else listens to signals. */
export function releaseEarly(): void {
  if (handler !== null) for (const signal of signals) process.off(signal, handler);
  handler = null;
}

/** Kills what `run` started here, unless another command uses it. */
export async function stopNow(home: Home): Promise<void> {
  if (!(await othersPresent(home))) await killUnkept(home);
}
