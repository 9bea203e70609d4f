// Parts that this process sealed a moment ago: the next stage wants their records, which it need not read back and check.
import type { StageRecord } from '../../domain/records/record.ts';
import type { Store } from './store.ts';

type Kept = { records: StageRecord[]; bytes: number };

/** Of JSON lines, all parts of a store together. */
const mostBytes = 64 * 2 ** 20;
const keptOf = new WeakMap<Store, Map<string, Kept>>();

/** Keeps a part's records in memory, in the place of those that were kept longest. `bytes`: length of its lines. */
export function keepRecent(store: Store, path: string, part: Kept): void {
  const kept = keptOf.get(store) ?? new Map<string, Kept>();
  keptOf.set(store, kept.set(path, part));
  let bytes = 0;
  for (const { bytes: each } of kept.values()) bytes += each;
  for (const [oldest, { bytes: each }] of kept) {
    if (bytes <= mostBytes) break;
    kept.delete(oldest);
    bytes -= each;
  }
}

/** A part's records, if they are kept. What is in a part never changes, so neither does what is kept of it. */
export function recentPart(store: Store, path: string): StageRecord[] | null {
  return keptOf.get(store)?.get(path)?.records ?? null;
}
