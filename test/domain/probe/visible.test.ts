import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from '../../../domain/probe/visible.ts';

test.each([
  ['plain words, é and 🙂', 'plain words, é and 🙂'],
  ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
  ['\u001b[31mred', '\\u{1b}[31mred'],
  ['right\u202eleft', 'right\\u{202e}left'],
  ['a\u2028b', 'a\\u{2028}b'],
  ['\ud835!', '\\u{d835}!'],
  ['already \\n', 'already \\\\n'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('two different texts are never shown alike, and none moves the cursor', () => {
  const text = fc.string({ unit: fc.constantFrom('\n', 'n', '\\', 'u', '{', 'a', '}', '\u000a', '\u001b', '\ud800') });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(visible(one) === visible(other)).toBe(one === other);
      expect(visible(one)).not.toMatch(/[\p{C}]/u);
    }),
  );
});
