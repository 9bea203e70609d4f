// Nights held against each other: which items are paired, and what is said where they cannot be.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CellRates, together } from '../../../domain/nights/rates.ts';
import { type NightGate, regression } from '../../../domain/nights/regression.ts';
import { selfTest } from '../../../domain/nights/self-test.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { rate } from '../../../domain/stats/wilson.ts';

const gate: NightGate = { measures: ['follow_up', 'accuracy'], alpha: 0.05, power: 0.8, at_least: 0.1 };

function cell(outcomes: number[], more: Partial<CellRates> = {}): CellRates {
  const items = new Map(outcomes.map((successes, at) => [`i${at}`, { successes, n: 1 }]));
  return { model: 'm', data: 'd', temperature: 0.7, measure: 'accuracy', items, ...more };
}

const all = (value: number, count = 100) => Array.from({ length: count }, () => value);
const held = (night: CellRates[], baseline: CellRates[]) => regression(night, { baseline, gate, seed: 1 });

test('the same again passes, a drop fails, and one bad cell makes a bad night', () => {
  const [good, bad] = [cell(all(1)), cell([...all(1, 60), ...all(0, 40)])];
  expect(held([good], [good]).verdict).toBe('pass');
  const other = { data: 'other' };
  const night = held([cell(all(1), other), bad], [cell(all(1), other), good]);
  expect([night.verdict, ...night.cells.map(({ verdict }) => verdict)]).toEqual(['fail', 'pass', 'fail']);
  expect(night.cells[1]).toMatchObject({ items: 100, before: 1, after: 0.6, difference: -0.4, reason: 'dropped' });
  expect(night.cells.map(({ measured }) => measured)).toEqual([rate(100, 100), rate(60, 100)]);
});

test('a cell without a baseline has nothing to say; what is not in the gate is not held', () => {
  const night = held([cell(all(1))], []);
  expect([night.verdict, night.cells[0]?.reason]).toEqual(['inconclusive', 'nothing_to_compare']);
  const worse = [cell(all(0), { measure: 'follow_up' }), cell(all(1))];
  const before = [cell(all(1), { measure: 'follow_up' }), cell(all(1))];
  const only = { baseline: before, gate: { ...gate, measures: ['accuracy' as const] }, seed: 1 };
  expect(regression(worse, only)).toMatchObject({ verdict: 'pass', cells: [{ measure: 'accuracy' }] });
});

test.each([
  [3, 5, 'it has i3, i4, which this night has not'],
  [9, 2, 'it lacks i2, i3, i4, i5, i6 and 2 more'],
])('%d items against %d are refused, and named', (night, baseline, said) => {
  let problem: unknown = null;
  try {
    held([cell(all(1, night))], [cell(all(1, baseline))]);
  } catch (error) {
    problem = error;
  }
  expect(problem instanceof ConfigProblem && sentence(problem)).toContain(
    `the baseline asked other items of d: ${said}`,
  );
});

const outcomes = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 8, maxLength: 8 });

test('several nights together count each item as often as it was measured, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(outcomes, { minLength: 1, maxLength: 6 }), (nights) => {
      const runs = nights.map((one) => [cell(one)]);
      const [sum] = together(runs);
      expect([...(sum?.items.values() ?? [])]).toEqual(
        nights[0]?.map((_, at) => ({ successes: nights.reduce((n, one) => n + (one[at] ?? 0), 0), n: nights.length })),
      );
      expect(together(runs.toReversed())).toEqual(together(runs));
      expect(runs).toEqual(nights.map((one) => [cell(one)]));
    }),
  );
});

test('a night against itself never fails', () => {
  fc.assert(
    fc.property(outcomes, (one) => {
      expect(held([cell(one)], [cell(one)]).verdict).not.toBe('fail');
    }),
  );
});

test('what measures measures as it did; with other rules it says what comes out otherwise', () => {
  expect(selfTest()).toEqual([]);
  const deaf = selfTest({ overlap: 1.1, subsequence: 1.1, short_characters: 0 });
  expect(deaf.length).toBeGreaterThan(2);
  expect(deaf[0]).toMatch(/^the rules call .* undecided, and it is degenerate_short$/);
});
