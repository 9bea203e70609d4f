// Wilson's score interval (E. B. Wilson, JASA 22, 1927): never outside 0…1, sensible at 0 and n successes.
import { quantile } from './normal.ts';
import type { Rate } from './rate.ts';

/** Share of successes with its Wilson interval. `n = 0` has no rate: the fields are null, never 0 or NaN. */
export function rate(successes: number, n: number, level = 0.95): Rate {
  if (!(n >= 0 && successes >= 0 && successes <= n)) {
    throw new RangeError(`${successes} successes among ${n} are no share`);
  }
  if (n === 0) return { value: null, low: null, high: null, n: 0 };
  const value = successes / n;
  return { value, ...wilsonInterval(value, n, level), n };
}

/** The interval alone. `n` is the number of independent observations behind the share. */
export function wilsonInterval(share: number, n: number, level: number): { low: number; high: number } {
  const z2 = quantile(0.5 + level / 2) ** 2;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = Math.sqrt((share * (1 - share) * z2) / n + (z2 / (2 * n)) ** 2) / (1 + z2 / n);
  // Exact ends: rounding must not turn "none of them" into a lower bound of 1e-18.
  return {
    low: share === 0 ? 0 : Math.min(share, Math.max(0, centre - half)),
    high: share === 1 ? 1 : Math.max(share, Math.min(1, centre + half)),
  };
}
