import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divergenceOf } from '../../domain/divergence.ts';

const said = (text: string, ids: number[] | null = null, finish: 'stop' | 'length' = 'stop') => ({ text, ids, finish });

test.each([
  ['the same', said('a b', [1, 2]), said('a b', [1, 2]), null],
  ['another token', said('a b', [1, 2]), said('a c', [1, 3]), { at: 1, unit: 'token', before: 2, after: 3 }],
  ['one that goes on', said('a', [1]), said('a b', [1, 2]), { at: 1, unit: 'token', before: null, after: 2 }],
  ['other tokens of the same text', said('ab', [1, 2]), said('ab', [3]), { at: 0, unit: 'token', before: 1, after: 3 }],
  ['another text, without tokens', said('abc'), said('abd'), { at: 2, unit: 'character', before: null, after: null }],
  ['tokens on one side alone', said('abc', [1]), said('abc'), null],
  [
    'another end',
    said('abc', [1], 'length'),
    said('abc', [1]),
    { at: 3, unit: 'character', before: null, after: null },
  ],
])('%s', (_, before, after, divergence) => {
  expect(divergenceOf(before, after)).toEqual(divergence);
});

test('all before the first divergence is the same, and what stands there is not', () => {
  const ids = fc.array(fc.nat(3), { maxLength: 8 });
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const divergence = divergenceOf(said(one.join(), one), said(other.join(), other));
      expect(divergence === null).toBe(one.join() === other.join());
      if (divergence === null) return;
      const { at } = divergence;
      expect(one.slice(0, at)).toEqual(other.slice(0, at));
      expect(one[at] ?? null).not.toBe(other[at] ?? null);
    }),
  );
});
