// Comma-separated values as spreadsheets and libraries write them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../../activities/data/csv.ts';

const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;

test.each<[name: string, text: string, rows: [line: number, ...fields: string[]][]]>([
  ['nothing', '', []],
  ['blank lines alone', '\n\r\n  \n', []],
  ['one field', 'a', [[1, 'a']]],
  [
    'empty fields',
    'a,,\n,\n',
    [
      [1, 'a', '', ''],
      [2, '', ''],
    ],
  ],
  [
    'a comma, a quote and a line end in quotes',
    '"a,b","say ""x""","1\n2"\nnext,,',
    [
      [1, 'a,b', 'say "x"', '1\n2'],
      [3, 'next', '', ''],
    ],
  ],
  [
    'Windows line ends, inside quotes too',
    'a,"1\r\n2"\r\nb,c\r\n',
    [
      [1, 'a', '1\r\n2'],
      [3, 'b', 'c'],
    ],
  ],
  [
    'quotes around everything',
    '"a"\r\n"b"',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  ['a quote inside a plain field', 'it is 5" long,x"y"z\n', [[1, 'it is 5" long', 'x"y"z']]],
  ['spaces, which belong to their field', ' a , b\n', [[1, ' a ', ' b']]],
  [
    'blank lines between rows',
    'a,b\n\nc,d',
    [
      [1, 'a', 'b'],
      [3, 'c', 'd'],
    ],
  ],
  ['an old line end, which is text', 'a\rb,c\n', [[1, 'a\rb', 'c']]],
])('%s', (_, text, rows) => {
  expect(parseCsv(text)).toEqual({ rows: rows.map(([line, ...fields]) => ({ line, fields })), fault: null });
});

test.each([
  ['a quote that is never closed', 'a,b\n"x\ny', 2, 'opens a quote that is never closed.'],
  ['a doubled quote at the end', 'a,"x""', 1, 'opens a quote that is never closed.'],
  ['text behind a closing quote', '"a\nb" c,d', 2, 'goes on behind a closing quote.'],
])('%s is a fault on its line', (_, text, line, message) => {
  expect(parseCsv(text).fault).toMatchObject({ line, message });
});

test('what is written by RFC 4180 is read back, each row with the line it begins on', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r\n', 'é', '\0', '=') });
  const row = fc.array(fc.tuple(field, fc.boolean()), { minLength: 2, maxLength: 4 });
  const ends = fc.record({ between: fc.constantFrom('\n', '\r\n'), last: fc.boolean() });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), ends, (rows, { between, last }) => {
      const lines = rows.map((fields) =>
        fields.map(([text, always]) => (always || /[",\r\n]/.test(text) ? quoted(text) : text)).join(','),
      );
      const read = parseCsv(lines.join(between) + (last && lines.length > 0 ? between : ''));
      const begins = lines.map((_, at) => lines.slice(0, at).join('').split('\n').length + at);
      expect(read).toEqual({
        rows: rows.map((fields, at) => ({ line: begins[at], fields: fields.map(([text]) => text) })),
        fault: null,
      });
    }),
  );
});

test('any text is rows or a fault, and a megabyte takes no time to speak of', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') }), (text) => {
      const { rows, fault } = parseCsv(text);
      expect(rows.every(({ fields }) => fields.length > 0)).toBe(true);
      expect(fault === null || fault.line <= text.split('\n').length).toBe(true);
    }),
  );
  const begun = performance.now();
  for (const text of [',', '"', '""', '"a",', 'a\r', '"\n']) parseCsv(text.repeat(1_000_000 / text.length));
  expect(performance.now() - begun).toBeLessThan(20_000);
});
