import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shuffled } from '../../../domain/data/shuffle.ts';

test('the same things in the same order for the same name, and the list given is left alone', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.string({ unit: 'grapheme' }), (things, name) => {
      const given = [...things];
      const order = shuffled(things, name);
      expect([order.toSorted((a, b) => a - b), shuffled(things, name)]).toEqual([
        given.toSorted((a, b) => a - b),
        order,
      ]);
      expect(things).toEqual(given);
    }),
  );
});

test('this order is frozen: another one would give every model other prompts', () => {
  expect(
    ['rec01', 'rec02', 'rec03'].map((name) => shuffled(['a', 'b', 'c', 'd'], name).join('')),
  ).toMatchInlineSnapshot(`
    [
      "cadb",
      "badc",
      "acbd",
    ]
  `);
});

test('over many names each of the 24 orders of four comes up about equally often', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 24_000; n += 1) {
    const order = shuffled([0, 1, 2, 3], `item-${n}`).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  // Pearson's statistic with 23 degrees of freedom: above 49.7 once in a thousand draws.
  const statistic = [...counts.values()].reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
  expect([counts.size, statistic < 49.7]).toEqual([24, true]);
});
