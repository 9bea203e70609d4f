import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest, slipsBetween } from '../../../domain/spec/nearest.ts';

const fields = ['temperatures', 'samples', 'sampling', 'seed', 'limit', 'name', 'url', 'local'];

test.each([
  ['temprature', 'temperatures'],
  ['Temperatures', 'temperatures'],
  ['sample', 'samples'],
  ['smapling', 'sampling'],
  ['lmiit', 'limit'],
  ['uri', 'url'],
  ['nmae', 'name'],
  ['x', null],
  ['', null],
  ['colour', null],
  ['api_key', null],
])('%s: %s', (word, meant) => {
  expect(nearest(word, fields)).toBe(meant);
});

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['abc', 'ab', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('%s to %s: %i', (a, b, slips) => {
  expect(slipsBetween(a, b)).toBe(slips);
});

test('one slip is one slip, both ways', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (word, at, letter) => {
        const place = at % word.length;
        const dropped = word.slice(0, place) + word.slice(place + 1);
        const changed = word.slice(0, place) + letter + word.slice(place + 1);
        expect(slipsBetween(word, dropped)).toBe(1);
        expect(slipsBetween(dropped, word)).toBe(1);
        expect(slipsBetween(word, changed)).toBe(word[place] === letter ? 0 : 1);
      },
    ),
  );
});

test('the distance is symmetric and never above the longer length', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(slipsBetween(a, b)).toBe(slipsBetween(b, a));
      expect(slipsBetween(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(slipsBetween(a, b) === 0).toBe(a === b);
    }),
  );
});
