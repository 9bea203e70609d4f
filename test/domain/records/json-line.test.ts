import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLine } from '../../../domain/records/json-line.ts';

const obeyed = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;
const units = fc.oneof(
  fc.constantFrom('\u0085', '\u2028', '\u2029', '\u009b', '\u202e', '\ufeff', '\\', '"', '\n', '\0', '\ud83d', '👩‍👧'),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
);
const text = fc.array(units).map((parts) => parts.join(''));

test('any value is one line of whole characters, none of which a terminal obeys, and reads back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: units }), text, (value, word) => {
      const line = jsonLine({ [word]: value, word });
      expect(line).not.toMatch(obeyed);
      expect(line.isWellFormed()).toBe(true);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ [word]: value, word })));
    }),
  );
});

test('letters, joiners and emoji stay as they are', () => {
  expect(jsonLine(['שלום é 👩‍👧', '\u2028\u009b', undefined])).toBe('["שלום é 👩‍👧","\\u2028\\u009b",null]');
});
