import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cumulative, quantile } from '../../../domain/stats/normal.ts';

// scipy 1.17.1: scipy.stats.norm.ppf
const known: [p: number, z: number][] = [
  [0.5, 0],
  [0.6, 0.2533471031357997],
  [0.75, 0.6744897501960817],
  [0.9, 1.2815515655446004],
  [0.95, 1.6448536269514722],
  [0.975, 1.959963984540054],
  [0.995, 2.5758293035489004],
  [0.9995, 3.2905267314919255],
  [0.99999, 4.264890793923841],
  [0.9999999, 5.199337582290661],
  [0.025, -1.9599639845400545],
  [0.001, -3.090232306167813],
];

test.each(known)('the quantile of %d is %d', (p, z) => {
  expect(quantile(p)).toBeCloseTo(z, 8);
});

test('the quantile undoes the distribution', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-7, max: 1 - 1e-7, noNaN: true }), (p) => {
      expect(cumulative(quantile(p))).toBeCloseTo(p, 13);
    }),
  );
});

test('the distribution goes from 0 to 1 and is symmetric', () => {
  expect([cumulative(-50), cumulative(0), cumulative(50)]).toEqual([0, 0.5, 1]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 40, noNaN: true }), (z) => {
      expect(cumulative(z) + cumulative(-z)).toBeCloseTo(1, 14);
      expect(cumulative(z)).toBeGreaterThanOrEqual(0.5);
      expect(cumulative(z)).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([0, 1, -0.1, 1.1, Number.NaN])('%d has no quantile', (p) => {
  expect(() => quantile(p)).toThrow(RangeError);
});
