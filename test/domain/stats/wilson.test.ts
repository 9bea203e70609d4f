import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rate } from '../../../domain/stats/wilson.ts';

// statsmodels 0.15.0: proportion_confint(successes, n, 1 - level, 'wilson')
const known: [successes: number, n: number, level: number, low: number, high: number][] = [
  [0, 10, 0.95, 0, 0.2775327998628892],
  [10, 10, 0.95, 0.7224672001371107, 1],
  [1, 10, 0.95, 0.017876213095072896, 0.4041500267952385],
  [5, 10, 0.95, 0.236593090512564, 0.7634069094874361],
  [7, 24, 0.95, 0.14914648196960875, 0.49167693664496637],
  [861, 1319, 0.95, 0.6266640942901347, 0.6779831461730363],
  [1, 1, 0.95, 0.20654931437723745, 1],
  [0, 1, 0.95, 0, 0.7934506856227626],
  [3, 198, 0.99, 0.003835843046519804, 0.0579077637912504],
  [270, 541, 0.9, 0.4638096388241886, 0.5343511303420643],
  [1318, 1319, 0.95, 0.995718002689806, 0.9998661553498869],
];

test.each(known)('%d of %d at level %d has statsmodels’ interval', (successes, n, level, low, high) => {
  const found = rate(successes, n, level);
  expect({ value: found.value, n: found.n }).toEqual({ value: successes / n, n });
  expect(found.low).toBeCloseTo(low, 12);
  expect(found.high).toBeCloseTo(high, 12);
});

test('without cases there is no rate', () => {
  expect(rate(0, 0)).toEqual({ value: null, low: null, high: null, n: 0 });
});

test('none and all have exact ends', () => {
  for (const n of [1, 2, 3, 7, 24, 1319, 1_000_000]) {
    expect(rate(0, n).low).toBe(0);
    expect(rate(n, n).high).toBe(1);
  }
});

const cases = fc
  .integer({ min: 1, max: 5000 })
  .chain((n) => fc.record({ n: fc.constant(n), successes: fc.integer({ min: 0, max: n }) }));
const level = fc.double({ min: 0.5, max: 0.999, noNaN: true });

test('the interval lies in 0…1 and holds the value', () => {
  fc.assert(
    fc.property(cases, level, ({ successes, n }, level) => {
      const { value, low, high } = rate(successes, n, level);
      expect(0 <= low! && low! <= value! && value! <= high! && high! <= 1).toBe(true);
      expect(high! - low!).toBeGreaterThan(0);
    }),
  );
});

test('failures counted as successes mirror the interval', () => {
  fc.assert(
    fc.property(cases, level, ({ successes, n }, level) => {
      const one = rate(successes, n, level);
      const other = rate(n - successes, n, level);
      expect(one.low).toBeCloseTo(1 - other.high!, 12);
      expect(one.high).toBeCloseTo(1 - other.low!, 12);
    }),
  );
});

test('more successes move both ends up, and a higher level moves them apart', () => {
  fc.assert(
    fc.property(cases, ({ successes, n }) => {
      const here = rate(successes, n);
      if (successes < n) {
        const more = rate(successes + 1, n);
        expect(more.low! >= here.low! && more.high! >= here.high!).toBe(true);
      }
      const surer = rate(successes, n, 0.99);
      expect(surer.low! <= here.low! && surer.high! >= here.high!).toBe(true);
    }),
  );
});

test.each([
  [3, 2],
  [-1, 2],
  [0, -1],
  [Number.NaN, 2],
  [1, Number.NaN],
])('%d of %d is no share', (successes, n) => {
  expect(() => rate(successes, n)).toThrow(RangeError);
});
