import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cluster, clusteredRate } from '../../../domain/stats/bootstrap.ts';
import { rate, wilsonInterval } from '../../../domain/stats/wilson.ts';

const seed = 7;
const cluster = fc
  .integer({ min: 0, max: 6 })
  .chain((n) => fc.record({ successes: fc.integer({ min: 0, max: n }), n: fc.constant(n) }));
const clusters = fc.array(cluster, { maxLength: 30 });
const repeat = (times: number, one: Cluster): Cluster[] => Array.from({ length: times }, () => ({ ...one }));

test('no clusters, or only empty ones, have no rate', () => {
  const none = { value: null, low: null, high: null, n: 0 };
  expect(clusteredRate([], { seed })).toEqual(none);
  expect(clusteredRate(repeat(3, { successes: 0, n: 0 }), { seed })).toEqual(none);
});

test('one sample per item is the Wilson rate', () => {
  const single = [...repeat(7, { successes: 1, n: 1 }), ...repeat(17, { successes: 0, n: 1 })];
  expect(clusteredRate(single, { seed })).toEqual(rate(7, 24));
  expect(clusteredRate(single, { seed, level: 0.9 })).toEqual(rate(7, 24, 0.9));
});

test.each<[name: string, clusters: Cluster[], share: number, items: number]>([
  ['one item', [{ successes: 3, n: 8 }], 3 / 8, 1],
  ['never', repeat(12, { successes: 0, n: 4 }), 0, 12],
  ['always', repeat(12, { successes: 4, n: 4 }), 1, 12],
  ['each item half', [...repeat(5, { successes: 1, n: 2 }), ...repeat(5, { successes: 2, n: 4 })], 0.5, 10],
])('where all items agree (%s) the number of items is Wilson’s n', (_, alike, share, items) => {
  const n = alike.reduce((sum, cluster) => sum + cluster.n, 0);
  expect(clusteredRate(alike, { seed })).toEqual({ value: share, ...wilsonInterval(share, items, 0.95), n });
});

test('the interval of a small example is the one of all its resamples', () => {
  // Two clusters of two, 0/2 and 2/2: a resample has share 0, ½, ½ or 1 with equal probability.
  const two = [
    { successes: 0, n: 2 },
    { successes: 2, n: 2 },
  ];
  expect(clusteredRate(two, { seed })).toEqual({ value: 0.5, low: 0, high: 1, n: 4 });
  expect(clusteredRate(two, { seed, level: 0.4 })).toEqual({ value: 0.5, low: 0.5, high: 0.5, n: 4 });
});

test('the interval comes close to the one from the standard error of clusters', () => {
  // 400 clusters of 4 with shares spread evenly over 0, ¼, ½, ¾, 1: standard error √(0.125 / 400) = 0.01768.
  const even = [0, 1, 2, 3, 4].flatMap((successes) => repeat(80, { successes, n: 4 }));
  const found = clusteredRate(even, { seed, draws: 20_000 });
  expect(found.value).toBe(0.5);
  expect(found.low).toBeCloseTo(0.5 - 1.96 * 0.01768, 2);
  expect(found.high).toBeCloseTo(0.5 + 1.96 * 0.01768, 2);
});

test('samples of one item count for less than as many items', () => {
  const clustered = [...repeat(10, { successes: 8, n: 8 }), ...repeat(10, { successes: 0, n: 8 })];
  const found = clusteredRate(clustered, { seed });
  const naive = rate(80, 160);
  expect(found.high! - found.low!).toBeGreaterThan(2 * (naive.high! - naive.low!));
});

test('the order of clusters does not matter', () => {
  fc.assert(
    fc.property(clusters, fc.integer(), fc.infiniteStream(fc.nat()), (list, seed, ranks) => {
      const shuffled = list
        .map((cluster) => ({ cluster, rank: ranks.next().value ?? 0 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ cluster }) => cluster);
      expect(clusteredRate(shuffled, { seed, draws: 50 })).toEqual(clusteredRate(list, { seed, draws: 50 }));
    }),
  );
});

test('the interval lies in 0…1, holds the value and is never a point', () => {
  fc.assert(
    fc.property(clusters, fc.integer(), (list, seed) => {
      const { value, low, high, n } = clusteredRate(list, { seed, draws: 200 });
      expect(n).toBe(list.reduce((sum, cluster) => sum + cluster.n, 0));
      if (value === null || low === null || high === null) {
        expect(n).toBe(0);
        return;
      }
      expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
      expect(high).toBeGreaterThan(low);
    }),
  );
});

test('a seed decides the resamples', () => {
  const list = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ successes: n % 4 === 0 ? n : 1, n }));
  const at = (seed: number) => clusteredRate(list, { seed, draws: 40 });
  expect(at(1)).toEqual(at(1));
  expect(at(1)).not.toEqual(at(2));
});

test('the given clusters are left as they were', () => {
  const list = [
    { successes: 2, n: 3 },
    { successes: 0, n: 1 },
  ];
  clusteredRate(list, { seed });
  expect(list).toEqual([
    { successes: 2, n: 3 },
    { successes: 0, n: 1 },
  ]);
});
