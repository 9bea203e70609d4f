// The word somebody probably meant.

/**
 * The closest of `words`, or null where none is close: at most one slip in three letters. Ties go to the earlier
 * word.
 */
export function nearest<Word extends string>(word: string, words: readonly Word[]): Word | null {
  const given = word.toLowerCase().slice(0, 64);
  let best: { word: Word; slips: number } | null = null;
  for (const candidate of words) {
    const slips = slipsBetween(given, candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(given.length, candidate.length) / 3));
    if (slips <= allowed && slips < candidate.length && slips < (best?.slips ?? Infinity))
      best = { word: candidate, slips };
  }
  return best?.word ?? null;
}

/** Letters to add, drop, change, or swap with their neighbour (optimal string alignment distance). */
export function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(changed, at(last, j) + 1, at(row, j - 1) + 1, swapped ? at(beforeLast, j - 2) + 1 : Infinity));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Infinity;
}
