// Lists of objects, as JSON files have them, read like lines.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { elementLines } from '../../../activities/data/elements.ts';
import { readLines } from '../../../activities/data/lines.ts';
import { fromRows } from '../../../activities/data/rows.ts';
import { sentence } from '../../../domain/problems.ts';
import { folder } from './folder.ts';

async function lines(content: string | Uint8Array) {
  await using files = await folder();
  return elementLines(await readLines(await files.source('l.json', content)));
}

/** What is said of a file whose objects need a number `n`. */
async function said(content: string | Uint8Array): Promise<string[]> {
  const row = z.object({ n: z.number() });
  const { problems } = fromRows(await lines(content), row, { shown: 'l', make: ({ value }) => ({ item: value }) });
  return problems.map((problem) => sentence(problem).split('\n')[0] ?? '');
}

test('whatever a list holds and however it is laid out, its elements come back, each on its line', async () => {
  const element = fc.jsonValue({ noUnicodeString: false });
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 5 }), fc.constantFrom(0, 1, 2), async (elements, indent) => {
      const text = JSON.stringify(elements, null, indent);
      const found = await lines(text);
      expect(found.map((line) => JSON.parse(line.text ?? '') as unknown)).toEqual(JSON.parse(text));
      const rows = text.split('\n');
      for (const { number, column = 0, text: piece } of found) {
        const [first = ''] = piece?.split('\n') ?? [];
        expect(rows[number - 1]?.slice(column, column + first.length)).toBe(first);
      }
    }),
    { numRuns: 60 },
  );
});

test.each<[name: string, content: string | Uint8Array, said: string[]]>([
  ['an empty list', ' [ \n ] \n', []],
  ['lines', '{"n": 1}\n{"n": "x"}\n', ['l:2  n: "x" is a text; a number is needed.']],
  ['a list on one line', '[{"n": 1}, {"n": "x"}]', ['l:1  n: "x" is a text; a number is needed.']],
  ['a list over lines', '\n[\n  {"n": 1},\n\n  {\n  "n": "x"}\n]\n', ['l:5  n: "x" is a text; a number is needed.']],
  ['brackets, commas and quotes in texts', '[{"n": 1, "t": "],}[\\"{\\\\"}, {"n": 2}]', []],
  ['a fault inside an element', '[{"n": 1}, {"n": 2,\n "m" 3}]', ['l:2 is no JSON at column 6.']],
  ['a fault on the line it begins on', '[{"n": 1}, {"n" 2}]', ['l:1 is no JSON at column 17.']],
  ['a comma at the end', '[{"n": 1},\n]', ['l:2 is no JSON.']],
  ['something behind the list', '[{"n": 1}]\n{"n": 2}', ['l:1 is no JSON.']],
  ['a list that is never closed', '[{"n": 1}\n', ['l:2 is no JSON.']],
  ['a list that is cut off inside a text', '[{"n": 1},\n{"n": "x', ['l:2 is no JSON at column 9.', 'l:2 is no JSON.']],
  ['a list in a list', '[[{"n": 1}]]', ['l:1 is no JSON object.']],
  [
    'bytes that are no UTF-8',
    Buffer.from('[{"n": 1},\n{"t": "\xe9"}]', 'latin1'),
    ['l:2 holds bytes that are no UTF-8.'],
  ],
])('%s', async (_, content, sentences) => {
  expect(await said(content)).toEqual(sentences);
});
