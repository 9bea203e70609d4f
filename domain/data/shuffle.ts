// An order that depends on a name alone: the same on every machine, for every model.
import { hashOf } from '../records/canonical.ts';

/** The same things in an order drawn by the name: over many names each order is as likely as any other. */
export function shuffled<T>(things: readonly T[], name: string): T[] {
  return things
    .map((thing, place) => ({ thing, rank: hashOf(['shuffle', name, place]) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ thing }) => thing);
}
