// Interval of the difference of two shares of the same pairs: R. G. Newcombe, Improved confidence intervals for the
// difference between binomial proportions based on paired data, Statistics in Medicine 17, 1998, method 10. Wilson's
// intervals of both shares are put together by how the pairs go along with each other.
import { wilsonInterval } from './wilson.ts';

/** Pairs by what they were before and after: yes and yes, yes and no, no and yes, no and no. Parts of pairs may count too. */
export type PairTable = { both: number; lost: number; gained: number; neither: number };

/** Interval of after − before; there must be pairs. Never a point, never outside −1…1. */
export function newcombeInterval(table: PairTable, level: number): { low: number; high: number } {
  const n = table.both + table.lost + table.gained + table.neither;
  const share = { before: (table.both + table.lost) / n, after: (table.both + table.gained) / n };
  const before = wilsonInterval(share.before, n, level);
  const after = wilsonInterval(share.after, n, level);
  const phi = correlation(table, n);
  const down = hypotenuse(share.after - after.low, before.high - share.before, phi);
  const up = hypotenuse(after.high - share.after, share.before - before.low, phi);
  const difference = (table.gained - table.lost) / n;
  return { low: Math.max(-1, difference - down), high: Math.min(1, difference + up) };
}

/** φ, made smaller by half a pair where it is positive; 0 where one of the shares is 0 or 1. */
function correlation({ both, lost, gained, neither }: PairTable, n: number): number {
  const margins = (both + lost) * (gained + neither) * (both + gained) * (lost + neither);
  if (margins <= 0) return 0;
  const excess = both * neither - lost * gained;
  return (excess > 0 ? Math.max(excess - n / 2, 0) : excess) / Math.sqrt(margins);
}

function hypotenuse(a: number, b: number, cosine: number): number {
  return Math.sqrt(Math.max(0, a * a - 2 * cosine * a * b + b * b));
}
