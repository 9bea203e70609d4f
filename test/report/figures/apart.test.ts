import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apart } from '../../../report/figures/apart.ts';

const crowd = Array.from({ length: 11 }, () => 0);

test.each<[why: string, wanted: number[], placed: number[]]>([
  ['none', [], []],
  ['one stays', [3], [3]],
  ['those with room stay', [1, 4, 8], [1, 4, 8]],
  ['two at one place part evenly', [5, 5], [4.5, 5.5]],
  ['their order is kept', [5.2, 5], [5.6, 4.6]],
  ['what is over the end is pushed in', [10, 10, 10], [8, 9, 10]],
  ['too many stand closer', [...crowd, 10], [...crowd.map((_, at) => (at * 10) / 11), 10]],
])('%s', (_, wanted, placed) => {
  const rounded = (all: number[]) => all.map((one) => Number(one.toFixed(9)));
  expect(rounded(apart(wanted, { gap: 1, low: 0, high: 10 }))).toEqual(rounded(placed));
});

test('labels never overlap or change their order, and stay inside', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { maxLength: 40 }), fc.double({ min: 0.001, max: 0.3, noNaN: true }), (wanted, gap) => {
      const placed = apart(wanted, { gap, low: 0, high: 1 });
      const least = Math.min(gap, wanted.length < 2 ? gap : 1 / (wanted.length - 1));
      const pairs = wanted.map((one, at): [number, number] => [one, placed[at] ?? Number.NaN]);
      pairs.sort(([a, x], [b, y]) => a - b || x - y);
      for (const [at, [, position]] of pairs.entries()) {
        expect(position).toBeGreaterThanOrEqual(-1e-9);
        expect(position).toBeLessThanOrEqual(1 + 1e-9);
        if (at > 0) expect(position - (pairs[at - 1]?.[1] ?? 0)).toBeGreaterThanOrEqual(least - 1e-9);
      }
    }),
  );
});
