import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PairedItem } from '../../../domain/stats/paired.ts';
import { type Gate, overall, verdicts } from '../../../domain/stats/verdict.ts';

const gate: Gate = { alpha: 0.05, power: 0.8, at_least: 0.05 };
const how = { seed: 7, draws: 500 };

const item = (before: number, after: number): PairedItem => ({
  before: { successes: before, n: 1 },
  after: { successes: after, n: 1 },
});
/** Of n pairs, half of them right before. */
const pairs = (n: number, { lost = 0, gained = 0 }): PairedItem[] =>
  Array.from({ length: n }, (_, at) => {
    if (at < n / 2) return item(1, at < lost ? 0 : 1);
    return item(0, at - n / 2 < gained ? 1 : 0);
  });

test.each<[name: string, cell: PairedItem[], verdict: string, reason: string]>([
  ['a clear drop', pairs(200, { lost: 30, gained: 4 }), 'fail', 'dropped'],
  ['nothing changed', pairs(200, {}), 'pass', 'drop_excluded'],
  ['a clear gain', pairs(200, { gained: 30 }), 'pass', 'drop_excluded'],
  ['a sure drop of no account', pairs(2000, { lost: 50, gained: 20 }), 'pass', 'drop_excluded'],
  ['a drop that may be chance', pairs(40, { lost: 5, gained: 2 }), 'inconclusive', 'maybe_chance'],
  [
    'no drop, and too much noise to exclude one',
    pairs(40, { lost: 6, gained: 6 }),
    'inconclusive',
    'drop_not_excluded',
  ],
  ['too few to fail', pairs(4, { lost: 2 }), 'inconclusive', 'too_few'],
  ['nothing', [], 'inconclusive', 'nothing_to_compare'],
])('%s', (_, cell, verdict, reason) => {
  expect(verdicts([cell], gate, how)).toMatchObject([{ verdict, reason }]);
});

test('what is called detectable is printed for the family: more cells, larger drops', () => {
  const cell = pairs(200, { lost: 5, gained: 5 });
  const [alone] = verdicts([cell], gate, how);
  const [among] = verdicts([cell, ...Array<PairedItem[]>(9).fill(cell)], gate, how);
  expect(alone?.detectable).toBeGreaterThan(0.05);
  expect(among?.detectable).toBeGreaterThan(alone?.detectable ?? 1);
});

test('a cell with nothing to compare does not weigh on the others', () => {
  const cell = pairs(200, { lost: 12, gained: 2 });
  const [alone] = verdicts([cell], gate, how);
  expect(verdicts([cell, [], []], gate, how)[0]).toEqual(alone);
});

test('in a large family a drop must be surer', () => {
  const dropped = pairs(200, { lost: 14, gained: 3 });
  expect(verdicts([dropped], gate, how)[0]?.verdict).toBe('fail');
  const among = verdicts([dropped, ...Array<PairedItem[]>(30).fill(pairs(200, { lost: 3, gained: 3 }))], gate, how);
  expect(among[0]).toMatchObject({ verdict: 'inconclusive', reason: 'maybe_chance' });
});

test('verdicts belong to their cells, whatever the order', () => {
  const cell = fc.tuple(fc.nat(40), fc.nat(40)).map(([lost, gained]) => pairs(100, { lost, gained }));
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 6 }), (family) => {
      expect(verdicts(family.toReversed(), gate, how)).toEqual(verdicts(family, gate, how).toReversed());
    }),
    { numRuns: 30 },
  );
});

test('one cell that fails fails all, and all must pass to pass', () => {
  expect(overall(['pass', 'inconclusive', 'fail'])).toBe('fail');
  expect(overall(['pass', 'inconclusive'])).toBe('inconclusive');
  expect(overall(['pass', 'pass'])).toBe('pass');
  expect(overall([])).toBe('inconclusive');
});

test.each<Gate>([
  { ...gate, alpha: 0 },
  { ...gate, power: 1 },
  { ...gate, at_least: 0 },
  { ...gate, at_least: Number.NaN },
])('%j is no gate', (wrong) => {
  expect(() => verdicts([], wrong, how)).toThrow(RangeError);
});
