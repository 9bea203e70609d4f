// Successes and cases of a rate, gathered item by item.
import { type Cluster, clusteredRate, type Resampling } from './bootstrap.ts';
import type { Rate } from './rate.ts';

export type Share = {
  /** `item`: its position. */
  add(item: number, of: Cluster): void;
  rate(how: Resampling): Rate;
};

/** Nothing of `items` items. */
export function shareOver(items: number): Share {
  const successes = new Float64Array(items);
  const cases = new Float64Array(items);
  return {
    add(item, of) {
      successes[item] = (successes[item] ?? 0) + of.successes;
      cases[item] = (cases[item] ?? 0) + of.n;
    },
    rate: (how) =>
      clusteredRate(
        Array.from(cases, (n, item) => ({ successes: successes[item] ?? 0, n })),
        how,
      ),
  };
}

/** One case. */
export function caseOf(isSuccess: boolean): Cluster {
  return isSuccess ? success : failure;
}

const success: Cluster = { successes: 1, n: 1 };
const failure: Cluster = { successes: 0, n: 1 };
