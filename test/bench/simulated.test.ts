import { expect, test } from 'vitest';
import { type Check, measure, summaryOf } from '../../bench/simulated/check.ts';
import { intervalChecks } from '../../bench/simulated/intervals.ts';
import { nightChecks, quick } from '../../bench/simulated/nights.ts';
import { verdictChecks } from '../../bench/simulated/verdicts.ts';
import { chances, itemKinds, measuredTwice, pairTable } from '../../bench/simulated/worlds.ts';

/** Happens in this share of experiments. */
const happening = (share: number, limit: Check['limit'], allowance = 0): Check => ({
  what: 'it happens',
  setting: `${share}`,
  limit,
  nominal: 0.9,
  allowance,
  once: (chance) => chance() < share,
});

test.each<[share: number, limit: Check['limit'], allowance: number, kept: boolean]>([
  [0.9, 'at least', 0, true],
  [0.97, 'at least', 0, true],
  [0.83, 'at least', 0, false],
  [0.83, 'at least', 0.06, true],
  [0.9, 'at most', 0, true],
  [0.83, 'at most', 0, true],
  [0.97, 'at most', 0, false],
])('a share of %d where 0.9 is wanted %s, %d allowed: kept is %s', (share, limit, allowance, kept) => {
  const found = measure(happening(share, limit, allowance), 1000);
  expect(found.kept).toBe(kept);
  expect(Math.abs(found.share - share)).toBeLessThan(0.03);
  expect(measure(happening(share, limit, allowance), 1000)).toEqual(found);
});

test('the summary names the worst of each claim, and how many were missed', () => {
  const all = [0.95, 0.8].map((share) => ({ ...measure(happening(share, 'at least'), 200), share }));
  expect(summaryOf(all)).toBe('it happens ≥ 0.800 · 1 of 2 MISSED');
});

test('made-up experiments have the truth they are said to have', () => {
  const chance = chances(1, 1);
  for (const kind of itemKinds) {
    const all = measuredTwice({ kind, items: 20_000, before: 3, after: 2 }, 0.1, chance);
    const rate = (side: 'before' | 'after') =>
      all.reduce((sum, one) => sum + one[side].successes, 0) / all.reduce((sum, one) => sum + one[side].n, 0);
    expect(Math.abs(rate('before') - kind.mean), kind.name).toBeLessThan(0.015);
    expect(Math.abs(rate('after') - (kind.mean - 0.1)), kind.name).toBeLessThan(0.015);
  }
  const table = pairTable(20_000, { right: 0.7, churn: 0.2, drop: 0.1 }, chance);
  expect(Math.abs(table.lost / 20_000 - 0.2)).toBeLessThan(0.015);
  expect(Math.abs(table.gained / 20_000 - 0.1)).toBeLessThan(0.015);
  expect(Math.abs(table.both / 20_000 - 0.5)).toBeLessThan(0.015);
});

test('a night on which nothing changed seldom fails, and one with the drop that it calls detectable does', () => {
  const measured = nightChecks([quick]).map((check) => measure(check, 100));
  expect(measured).toHaveLength(9);
  expect(measured.filter(({ kept }) => !kept)).toEqual([]);
});

test('every check runs, and no two have the same name', () => {
  const checks = [...intervalChecks(), ...verdictChecks(), ...nightChecks([quick])];
  expect(new Set(checks.map(({ what, setting }) => `${what} ${setting}`)).size).toBe(checks.length);
  expect(checks.map((check) => measure(check, 1).share).every((share) => share === 0 || share === 1)).toBe(true);
});
