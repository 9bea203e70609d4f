import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalNumber, over, parseDecimal, plus, ratio } from '../../../domain/accuracy/rational.ts';

const small = fc.bigInt(-(10n ** 9n), 10n ** 9n);

test.each([
  [1n, 2n, '0.5'],
  [-1n, 2n, '-0.5'],
  [1n, -2n, '-0.5'],
  [-6n, -4n, '1.5'],
  [0n, -5n, '0'],
  [1n, 3n, '1/3'],
  [-14n, 6n, '-7/3'],
  [1n, 1024n, '0.0009765625'],
  [100n, 1n, '100'],
])('%s/%s is written %s', (n, d, written) => {
  const value = ratio(n, d);
  expect(value && canonicalNumber(value)).toBe(written);
});

test('nothing is divided by nought', () => {
  expect(ratio(1n, 0n)).toBeNull();
  expect(over({ n: 1n, d: 2n }, { n: 0n, d: 1n })).toBeNull();
});

test.each(['', '.', '1.', 'e3', '-1', '+1', '1,000', '0x10', 'Infinity', '1e', '１', '1e201', '1'.repeat(201)])(
  '%j is no plain decimal',
  (text) => expect(parseDecimal(text)).toBeNull(),
);

test('equal values, and only they, are written alike', () => {
  fc.assert(
    fc.property(small, small, small, small, (a, b, c, d) => {
      const [x, y] = [ratio(a, b), ratio(c, d)];
      fc.pre(x !== null && y !== null);
      expect(canonicalNumber(x) === canonicalNumber(y)).toBe(a * d === c * b);
    }),
  );
});

test('sums and quotients are exact', () => {
  fc.assert(
    fc.property(small, small, small, (a, b, c) => {
      const [x, y] = [ratio(a, b), ratio(c, 7n)];
      fc.pre(x !== null && y !== null);
      const sum = plus(x, y);
      expect(sum.n * b * 7n).toBe((a * 7n + c * b) * sum.d);
      const quotient = over(sum, y);
      if (quotient !== null) expect(quotient.n * y.n * sum.d).toBe(sum.n * y.d * quotient.d);
    }),
  );
});
