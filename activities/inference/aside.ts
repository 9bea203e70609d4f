// Work that a reply leaves behind: hashing it, writing it down. Whoever waits for a free connection goes first.
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';

const oneATurn = pLimit(1);

/** Resolves once the sockets have had their turn, for one caller at a time: a burst of replies holds up no request. */
export function afterSockets(): Promise<void> {
  return oneATurn(() => setImmediate());
}
