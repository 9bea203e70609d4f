import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adjusted } from '../../../domain/stats/adjusted.ts';
import type { Cluster } from '../../../domain/stats/bootstrap.ts';
import { detectable } from '../../../domain/stats/detectable.ts';
import { mcnemar } from '../../../domain/stats/mcnemar.ts';
import { newcombeInterval } from '../../../domain/stats/newcombe.ts';
import { type PairedItem, paired } from '../../../domain/stats/paired.ts';
import { signFlips } from '../../../domain/stats/sign-flips.ts';

const how = { seed: 7, draws: 200 };
const of = (most: number): fc.Arbitrary<Cluster> =>
  fc
    .integer({ min: 0, max: most })
    .chain((n) => fc.record({ successes: fc.integer({ min: 0, max: n }), n: fc.constant(n) }));
const items = (most: number) => fc.array(fc.record({ before: of(most), after: of(most) }), { maxLength: 40 });
const either = fc.oneof(items(1), items(5));

const item = (before: number, after: number, n = 1): PairedItem => ({
  before: { successes: before, n },
  after: { successes: after, n },
});
const repeat = (times: number, one: PairedItem) => Array.from({ length: times }, () => one);

const nothing = {
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

test('nothing on both sides is nothing to compare', () => {
  expect(paired([], how)).toEqual(nothing);
  expect(paired([{ before: { successes: 1, n: 1 }, after: { successes: 0, n: 0 } }], how)).toEqual(nothing);
});

test('one pair is compared, and says next to nothing', () => {
  expect(paired([item(1, 0)], how)).toMatchObject({ items: 1, samples: 1, before: 1, after: 0, difference: -1, p: 1 });
  const { low, high } = paired([item(1, 1)], how);
  expect([low, high]).toEqual([expect.closeTo(-0.793, 3), expect.closeTo(0.793, 3)]);
});

test('one sample each is McNemar’s test and Newcombe’s interval', () => {
  const all = [...repeat(36, item(1, 1)), ...repeat(2, item(1, 0)), ...repeat(12, item(0, 1))];
  expect(paired(all, how)).toEqual({
    items: 50,
    samples: 50,
    before: 0.76,
    after: 0.96,
    difference: 0.2,
    ...newcombeInterval({ both: 36, lost: 2, gained: 12, neither: 0 }, 0.95),
    p: mcnemar({ lost: 2, gained: 12 }),
    effect: expect.closeTo(0.62, 2),
    variance: expect.closeTo(14 / 50 - 0.04, 12),
    test: 'mcnemar',
  });
});

test('nothing that changed has p = 1 and an interval around 0 that is no point', () => {
  for (const all of [repeat(30, item(1, 1)), [...repeat(20, item(3, 3, 4)), ...repeat(20, item(0, 0, 4))]]) {
    const { difference, low, high, p } = paired(all, how);
    expect({ difference, p }).toEqual({ difference: 0, p: 1 });
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  }
});

test('an item that was measured more often before weighs the same on both sides', () => {
  // Easy items were measured ten times before and hard ones once: nothing changed, whatever the pooled rates say.
  const easy = { before: { successes: 10, n: 10 }, after: { successes: 1, n: 1 } };
  const hard = { before: { successes: 0, n: 1 }, after: { successes: 0, n: 1 } };
  expect(paired([...repeat(10, easy), ...repeat(10, hard)], how)).toMatchObject({ before: 0.5, after: 0.5, p: 1 });
});

test('the order of the items does not matter', () => {
  fc.assert(
    fc.property(either, fc.infiniteStream(fc.nat()), (all, ranks) => {
      const ranked = all.map((one) => ({ one, rank: ranks.next().value ?? 0 }));
      const shuffled = ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
      expect(paired(shuffled, how)).toEqual(paired(all, how));
    }),
  );
});

test('before and after exchanged turn the difference round, and leave p', () => {
  fc.assert(
    fc.property(either, (all) => {
      const there = paired(all, how);
      const back = paired(
        all.map(({ before, after }) => ({ before: after, after: before })),
        how,
      );
      expect(back.p).toBe(there.p);
      expect(back.difference ?? 0).toBeCloseTo(-(there.difference ?? 0), 12);
      expect(back.effect ?? 0).toBeCloseTo(-(there.effect ?? 0), 12);
      if (there.test !== 'mcnemar') return;
      expect(back.low).toBeCloseTo(-(there.high ?? 0), 12);
      expect(back.high).toBeCloseTo(-(there.low ?? 0), 12);
    }),
  );
});

test('figures are null together or numbers, the interval holds the difference, and 0 < p ≤ 1', () => {
  fc.assert(
    fc.property(either, (all) => {
      const { test: _, ...found } = paired(all, how);
      const { low, high, difference, p, variance } = found;
      if (low === null || high === null || difference === null || p === null || variance === null) {
        expect(Object.values(found).filter((one) => one !== null)).toEqual([0, 0]);
        return;
      }
      expect(Object.values(found).every(Number.isFinite)).toBe(true);
      expect(-1 <= low && low <= difference && difference <= high && high <= 1 && low < high).toBe(true);
      expect(p > 0 && p <= 1 && variance >= 0).toBe(true);
    }),
  );
});

test('any numbers of samples will do, also those that no step of use divides', () => {
  const all = Array.from({ length: 300 }, (_, at) => ({
    before: { successes: 200, n: 401 + at },
    after: { successes: at % 50, n: 49 + (at % 7) },
  }));
  const { p, low, high } = paired(all, how);
  expect([p, low, high].every(Number.isFinite)).toBe(true);
  expect(p).toBeGreaterThan(0);
});

test('of differences of one, all signs are McNemar’s test', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), (lost, gained) => {
      const changes = [...Array<number>(lost).fill(-1), 0, ...Array<number>(gained).fill(1)];
      expect(signFlips(changes, 1) / mcnemar({ lost, gained })).toBeCloseTo(1, 10);
    }),
  );
});

test('a finer unit, or a grid where it is too fine, says the same of all signs', () => {
  const changes = Array.from({ length: 80 }, (_, at) => ((at * 37) % 11) - 4.3);
  const p = signFlips(changes, 0.1);
  expect(signFlips(changes, 0.05)).toBeCloseTo(p, 12);
  expect(signFlips(changes, 1e-9)).toBeCloseTo(p, 2);
});

test('many differences are taken for normal without a jump', () => {
  const changes = (n: number) => Array.from({ length: n }, (_, at) => (at % 25 < 13 ? 1 : -1));
  expect(signFlips(changes(4100), 1)).toBeCloseTo(mcnemar({ lost: 1968, gained: 2132 }), 3);
  expect(signFlips(changes(100_000), 1)).toBeGreaterThan(0);
});

test('a one-sided flood has a p-value above 0', () => {
  expect(mcnemar({ lost: 5000, gained: 0 })).toBeGreaterThan(0);
  expect(signFlips(Array<number>(3000).fill(-1), 1)).toBeGreaterThan(0);
});

test('adjusted p-values are no smaller than p, keep its order, and pass over what was not tested', () => {
  const p = fc.option(fc.double({ min: 1e-12, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(p), (ps) => {
      const found = adjusted(ps);
      expect(found.map((one) => one === null)).toEqual(ps.map((one) => one === null));
      const both = ps.flatMap((one, at) => (one === null ? [] : [{ p: one, to: found[at] ?? Number.NaN }]));
      both.sort((a, b) => a.p - b.p);
      for (const [at, { p: from, to }] of both.entries()) {
        expect(to >= from && to <= 1 && to >= (both[at - 1]?.to ?? 0)).toBe(true);
      }
      expect(adjusted(ps.filter((one) => one !== null))).toEqual(found.filter((one) => one !== null));
    }),
  );
});

test('a smaller drop is found by more items, less churn, less power or a higher alpha', () => {
  const design = { items: 200, samples: 800, churn: 0.05, alpha: 0.05, power: 0.8, at_least: 0.02 };
  const found = detectable(design) ?? 0;
  for (const easier of [{ items: 400, samples: 1600 }, { churn: 0.02 }, { power: 0.6 }, { alpha: 0.1 }])
    expect(detectable({ ...design, ...easier })).toBeLessThan(found);
  expect(detectable({ ...design, at_least: 0.1 })).toBeGreaterThan(0.1);
});

test('no drop can be found among no items, or among fewer than an exact test needs', () => {
  const design = { churn: 0, alpha: 0.05, power: 0.8, at_least: 0 };
  const at = (items: number) => detectable({ ...design, items, samples: items });
  expect([0, 1, 5].map(at)).toEqual([null, null, null]);
  expect(at(8)).toBeLessThanOrEqual(1);
});
