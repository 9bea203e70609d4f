// Where two generations of the same turn part.
import type { Turn } from './records/record.ts';

/**
 * `at`: how many tokens (or, where a server returns none, characters) are the same; `before`, `after`: the token that stands there, null
 * where the turn has ended or there are no tokens.
 */
export type Divergence = { at: number; unit: 'token' | 'character'; before: number | null; after: number | null };

type Said = Pick<Turn, 'text' | 'ids' | 'finish'>;

/** Null where both say the same and end alike. */
export function divergenceOf(before: Said, after: Said): Divergence | null {
  if (before.ids !== null && after.ids !== null) {
    const at = firstUnlike(before.ids, after.ids);
    if (at !== null) return { at, unit: 'token', before: before.ids[at] ?? null, after: after.ids[at] ?? null };
  }
  const [one, other] = [[...before.text], [...after.text]];
  const at = firstUnlike(one, other);
  if (at !== null) return { at, unit: 'character', before: null, after: null };
  return before.finish === after.finish ? null : { at: one.length, unit: 'character', before: null, after: null };
}

function firstUnlike<T>(one: T[], other: T[]): number | null {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return null;
}
