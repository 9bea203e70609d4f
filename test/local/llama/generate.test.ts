import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAtStop, engineSeed } from '../../../local/llama/generate.ts';

test.each([
  ['no stop in it', ['\n'], null],
  ['one\ntwo', ['\n'], { text: 'one', stop: '\n' }],
  ['one\n\ntwo', ['\n', '\n\n'], { text: 'one', stop: '\n\n' }],
  ['b before a', ['a', 'b'], { text: '', stop: 'b' }],
  ['anything', [], null],
])('a text is cut before the first stop string: %j at %j', (text, stops, cut) => {
  expect(cutAtStop(text, stops)).toEqual(cut);
});

test('what is left of a cut text holds no stop string', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(letters, fc.array(letters.filter((stop) => stop !== '')), (text, stops) => {
      const cut = cutAtStop(text, stops);
      const left = cut?.text ?? text;
      expect(stops.filter((stop) => left.includes(stop))).toEqual([]);
      expect(text.startsWith(left + (cut?.stop ?? ''))).toBe(true);
    }),
  );
});

test.each([
  [0, 0],
  [7, 7],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 32 - 2, 2 ** 32 - 2],
  [2 ** 32 - 1, 0], // llama.cpp takes this one as "choose yourself"
  [2 ** 32, 1],
  [-1, 2 ** 32 - 2],
  [Number.MAX_SAFE_INTEGER, 2 ** 21 - 1],
])('seed %d reaches llama.cpp as %d', (seed, expected) => {
  expect(engineSeed(seed)).toBe(expected);
});
