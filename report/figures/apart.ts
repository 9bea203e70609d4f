// Labels beside each other: as near as may be to where they belong, and never over one another.

/**
 * Positions at least `gap` apart, in the order of the wanted ones, nearest to them by least squares, within `low` … `high`. Where there is
 * no room for all, they stand closer.
 */
export function apart(wanted: number[], { gap, low, high }: { gap: number; low: number; high: number }): number[] {
  const step = Math.min(gap, wanted.length < 2 ? gap : (high - low) / (wanted.length - 1));
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  // Without the gaps in between, what must not decrease is all that is left of the problem.
  const levels = nondecreasing(order.map((index, at) => (wanted[index] ?? 0) - at * step));
  const last = (wanted.length - 1) * step;
  const placed: number[] = [];
  for (const [at, index] of order.entries()) {
    placed[index] = Math.min(Math.max(levels[at] ?? 0, low), high - last) + at * step;
  }
  return placed;
}

/** Isotonic regression, by pooling neighbours that are out of order. */
function nondecreasing(values: number[]): number[] {
  const pools: { sum: number; n: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, n: 1 };
    for (let before = pools.at(-1); before && before.sum / before.n > pool.sum / pool.n; before = pools.at(-1)) {
      pools.pop();
      pool = { sum: before.sum + pool.sum, n: before.n + pool.n };
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, n }) => Array.from({ length: n }, () => sum / n));
}
