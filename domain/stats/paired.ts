// What changed between two measurements of the same items: the difference of the rates, how sure it is, and whether it may be
// chance. Samples of one item resemble each other, so an item counts as one observation, however many samples it has.
import { type Cluster, drawsOf, percentileInterval, type Resampling, resampledShares } from './bootstrap.ts';
import { cohensH } from './effect.ts';
import { mcnemar } from './mcnemar.ts';
import { newcombeInterval, type PairTable } from './newcombe.ts';
import { signFlips } from './sign-flips.ts';

/** One item as it was measured before and after. The two need not have as many samples. */
export type PairedItem = { before: Cluster; after: Cluster };

/** Rates and their difference as shares, after − before: negative where it fell. Null where there is nothing to compute. */
export type Paired = {
  /** Those with samples on both sides; others are left out. */
  items: number;
  /** What the difference rests on: of each item as many as the side that has fewer. */
  samples: number;
  before: number | null;
  after: number | null;
  difference: number | null;
  low: number | null;
  high: number | null;
  /** Two-sided, of no change at all. */
  p: number | null;
  /** Cohen's h. */
  effect: number | null;
  /** Of the items' differences. */
  variance: number | null;
  /** `mcnemar`, with Newcombe's interval, where each item has one sample on each side; else `sign_flips`, with a bootstrap of items. */
  test: 'mcnemar' | 'sign_flips' | null;
};

/**
 * The same for any order of the items. An item weighs as many samples as the side that has fewer, on both sides, so that no
 * rate changes because other items were measured more often.
 */
export function paired(all: PairedItem[], { level = 0.95, ...how }: { level?: number } & Resampling): Paired {
  const items = all.filter(({ before, after }) => before.n > 0 && after.n > 0).map(weighed);
  if (items.length === 0) return nothing;
  items.sort((a, b) => a.weight - b.weight || a.change - b.change || a.before - b.before);
  const samples = sum(items, ({ weight }) => weight);
  const before = sum(items, (item) => item.before) / samples;
  const after = sum(items, (item) => item.after) / samples;
  const difference = sum(items, ({ change }) => change) / samples;
  const variance = (items.length * sum(items, (item) => (item.change - item.weight * difference) ** 2)) / samples ** 2;
  const isSingle = items.every(({ unit, weight }) => unit === 1 && weight === 1);
  const table = tableOf(items);
  const changes = items.map(({ change }) => change);
  return {
    items: items.length,
    samples,
    before,
    after,
    difference,
    ...(isSingle ? newcombeInterval(table, level) : bootstrapInterval(items, { difference, level, how })),
    p: isSingle ? mcnemar(table) : signFlips(changes, unitOf(items)),
    effect: cohensH(before, after),
    variance,
    test: isSingle ? 'mcnemar' : 'sign_flips',
  };
}

const nothing: Paired = {
  items: 0,
  samples: 0,
  before: null,
  after: null,
  difference: null,
  low: null,
  high: null,
  p: null,
  effect: null,
  variance: null,
  test: null,
};

/** Successes are those of `weight` samples. `change` is a whole number of steps of 1 / `unit`. */
type Weighed = { weight: number; before: number; after: number; change: number; unit: number };

function weighed({ before, after }: PairedItem): Weighed {
  const weight = Math.min(before.n, after.n);
  const [was, is] = [(weight * before.successes) / before.n, (weight * after.successes) / after.n];
  return { weight, before: was, after: is, change: is - was, unit: lcm(before.n, after.n) / weight };
}

/** Of pairs. */
function tableOf(items: Weighed[]): PairTable {
  const count = (before: number, after: number) =>
    items.filter((item) => item.before === before && item.after === after).length;
  return { both: count(1, 1), lost: count(1, 0), gained: count(0, 1), neither: count(0, 0) };
}

type At = { difference: number; level: number; how: Resampling };

/**
 * Two made-up items are resampled with the others, one half gained and one half lost: with few items, or few that changed,
 * the interval would else be too narrow, and a point where all changed alike. Without several samples D. G. Bonett &
 * R. M. Price do the like (Journal of Educational and Behavioral Statistics 37, 2012).
 */
function bootstrapInterval(items: Weighed[], { difference, level, how }: At): { low: number; high: number } {
  const n = sum(items, ({ weight }) => weight) / items.length;
  const changes = items.map(({ change, weight }) => ({ successes: change, n: weight }));
  const madeUp = [n / 2, -n / 2].map((successes) => ({ successes, n }));
  return percentileInterval(resampledShares([...changes, ...madeUp], drawsOf(how)), { value: difference, level });
}

/** The largest step that all changes are whole numbers of; one that is too fine to count in, where there is none of use. */
function unitOf(items: Weighed[]): number {
  let parts = 1;
  for (const unit of new Set(items.map((item) => item.unit))) {
    parts = lcm(parts, unit);
    if (parts > 1e6) break;
  }
  return 1 / parts;
}

function lcm(a: number, b: number): number {
  return (a / gcd(a, b)) * b;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

function sum<One>(all: One[], of: (one: One) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
