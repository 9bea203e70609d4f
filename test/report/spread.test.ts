import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spread } from '../../report/spread.ts';

const kindOf = (one: string) => one[0] ?? '';
const many = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind}${at}`);

test.each<[name: string, all: string[], n: number, chosen: string[]]>([
  ['few are all taken', ['b0', 'a0', 'b1'], 3, ['b0', 'a0', 'b1']],
  ['one kind: at even distances', many('a', 10), 3, ['a1', 'a5', 'a8']],
  ['a rare kind is taken whole', [...many('a', 20), 'z0'], 3, ['a5', 'a15', 'z0']],
  [
    'what rare kinds leave over goes to common ones',
    ['z0', ...many('a', 9), ...many('b', 9)],
    7,
    ['z0', 'a1', 'a4', 'a7', 'b1', 'b4', 'b7'],
  ],
  ['more kinds than places: the common ones', ['x0', 'y0', ...many('a', 3), ...many('b', 4)], 2, ['a1', 'b2']],
  ['no places', many('a', 3), 0, []],
])('%s', (_, all, n, chosen) => {
  expect(spread(all, n, kindOf)).toEqual(chosen);
});

const mixture = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 })
  .map((kinds) => kinds.map((kind, at) => `${kind}${at}`));

test('it takes exactly so many, each once and in order, and no kind gives way to a commoner one', () => {
  fc.assert(
    fc.property(mixture, fc.nat({ max: 70 }), (all, n) => {
      const chosen = spread(all, n, kindOf);
      expect(chosen).toHaveLength(Math.min(n, all.length));
      expect(chosen).toEqual(all.filter((one) => chosen.includes(one)));
      const count = (some: string[], kind: string) => some.filter((one) => kindOf(one) === kind).length;
      const most = Math.max(0, ...['a', 'b', 'c', 'd'].map((kind) => count(chosen, kind)));
      for (const kind of new Set(all.map(kindOf))) {
        const left = count(all, kind) - count(chosen, kind);
        if (left > 0) expect(count(chosen, kind)).toBeGreaterThanOrEqual(most - 1);
      }
    }),
  );
});
