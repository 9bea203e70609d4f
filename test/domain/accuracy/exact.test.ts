import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded, textAfterMarker } from '../../../domain/accuracy/exact.ts';

test.each([
  ['Answer: Paris', 'paris'],
  ['Answer: **Paris**.', 'paris'],
  ['Answer: "New   York"', 'new york'],
  ['Answer: (the) Nile!', 'the) nile'],
  ['Answer:\n> Paris', 'paris'],
  ['Answer: \\text{Paris}', 'paris'],
  ['Answer: -3', '-3'],
  ['Answer: C++', 'c++'],
  ['Answer: Cafe\u0301', 'caf\u00e9'],
])('%j gives %s', (text, value) => expect(textAfterMarker(text)).toEqual({ value }));

test.each([
  ['Paris', 'no marker'],
  ['Answer: ...', 'nothing after the marker'],
  ['Answer:', 'nothing after the marker'],
])('%j is unscored: %s', (text, unscored) => expect(textAfterMarker(text)).toEqual({ unscored }));

test('case, surrounding quotes, stops and white space do not matter', () => {
  const frame = fc.constantFrom(['', '.'], [' ', '\n'], ['"', '"'], ['**', '**'], ['(', ')!']);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,4}$/), frame, (text, [before, after]) => {
      expect(folded(`${before}${text.toUpperCase().replaceAll(' ', '  ')}${after}`)).toBe(text);
    }),
  );
});
