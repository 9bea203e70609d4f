import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findAddedToken } from '../../domain/probe/added.ts';
import { detokenize, isToken, tokenize } from './tokenizer.ts';

const markers = ['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<|im_end', '|>', 'user', '\n', ' '];
/** Any string at all: lone surrogates, NULs, words, markers whole and broken. */
const anyText = fc
  .array(
    fc.oneof(
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...markers),
      fc.stringMatching(/^[A-Za-z]{1,12}$/),
    ),
  )
  .map((parts) => parts.join(''));

test('any string comes back from its ids', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const ids = tokenize(text);
      expect(ids.every(isToken)).toBe(true);
      expect(detokenize(ids)).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test('no two pieces share an id', () => {
  const piece = fc.oneof(
    fc.stringMatching(/^[A-Za-z]{1,4}$/),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(piece, piece, (a, b) => {
      expect(tokenize(a).join() === tokenize(b).join()).toBe(a === b);
    }),
  );
});

test.each([
  ['<|im_start|>user\nHello, world<|im_end|>', 10],
  ['<|im_end|><|endoftext|>', 2],
  ['<|im_end', 5],
  ['zzzz', 1],
  ['𝔸', 2],
  ['', 0],
])('%j is %i tokens', (text, count) => {
  expect(tokenize(text)).toHaveLength(count);
});

test('special tokens are skipped on request', () => {
  expect(detokenize(tokenize('<|im_start|>a<|im_end|> b'), { specials: 'skip' })).toBe('a b');
});

test('what no text gives is no token', () => {
  const largest = tokenize('zzzz')[0] ?? 0;
  expect([-1, 0.5, largest + 1, 2 ** 40].map(isToken)).toEqual([false, false, false, false]);
  expect(() => detokenize([largest + 1])).toThrow(RangeError);
});

test('the marker that ends a turn stands out from words, as in a real tokenizer', async () => {
  const added = (text: string) => findAddedToken(text, async (one) => tokenize(one));
  expect(await added('<|im_end|>\n<|im_start|>user\n')).toEqual({ id: 2, text: '<|im_end|>', start: 0 });
  expect(await added('\nuser: what')).toBeNull();
});
