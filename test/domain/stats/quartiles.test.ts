import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quartiles } from '../../../domain/stats/quartiles.ts';

// numpy 2.4.6: percentile(values, [25, 50, 75])
test.each<[values: number[], low: number, median: number, high: number]>([
  [[3], 3, 3, 3],
  [[4, 1], 1.75, 2.5, 3.25],
  [[0, 0, 0, 9], 0, 0, 2.25],
  [[5, 1, 3, 2, 4], 2, 3, 4],
  [[12, 7, 41, 3, 3, 88], 4, 9.5, 33.75],
])('%j has numpy’s quartiles', (values, low, median, high) => {
  expect(quartiles(values)).toEqual({ n: values.length, low, median, high });
});

test('no values have none', () => {
  expect(quartiles([])).toBeNull();
});

test('they lie in order among the values, whatever the order of these', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), (values) => {
      const found = quartiles(values);
      if (found === null) throw new Error('no quartiles');
      expect(quartiles(values.toReversed())).toEqual(found);
      const { low, median, high } = found;
      const inOrder = [Math.min(...values), low, median, high, Math.max(...values)];
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    }),
  );
});
