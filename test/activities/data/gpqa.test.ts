// GPQA's layout, with questions of our own.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { addData } from '../../../activities/data/registry.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { folder } from './folder.ts';

const columns = ['Question', 'Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'];
const bird = ['Which bird\nswims, and "flies" under water?', 'Penguin', 'Robin', 'Swift', 'Lark'];
const stone = ['Which stone floats?', 'Pumice [3]', 'Granite', 'Slate', 'Flint'];

function csv(...rows: string[][]): string {
  return rows.map((row) => `${row.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\n`).join('');
}

async function read(content: string | Uint8Array, adapter: 'gpqa-main' | 'gpqa-diamond' = 'gpqa-diamond') {
  await using files = await folder();
  const source = await files.source('g.csv', content, { adapter });
  return await adapt(source);
}

async function said(content: string): Promise<string> {
  return read(content).then(
    () => 'fine',
    (error: unknown) => (error instanceof ConfigProblem ? sentence(error) : `not ours: ${String(error)}`),
  );
}

/** The choice behind the letter that counts as right. */
function right({ messages, answer }: Awaited<ReturnType<typeof read>>['items'][number]): string | undefined {
  const letter = answer?.check === 'choice' ? answer.expected : '?';
  return messages[0]?.content
    .split('\n')
    .find((line) => line.startsWith(`${letter}. `))
    ?.slice(3);
}

test('a row becomes a question with four choices, and the letter of the right one', async () => {
  const { items, scored, held_out } = await read(csv(['Record ID', ...columns, 'Notes'], ['rec1', ...bird, 'x']));
  expect([scored, held_out]).toEqual([true, false]);
  expect(items).toMatchInlineSnapshot(`
    [
      {
        "answer": {
          "check": "choice",
          "expected": "A",
        },
        "assistant": null,
        "id": "gpqa-rec1",
        "messages": [
          {
            "content": "Which bird
    swims, and "flies" under water?

    A. Penguin
    B. Lark
    C. Swift
    D. Robin

    End with a last line of exactly this form:
    Answer: <letter>",
            "role": "user",
          },
        ],
        "reference_user_turn": null,
      },
    ]
  `);
});

test('a question has one id and one order in both sets, wherever it stands and whatever surrounds it', async () => {
  const whole = await read(csv(['Record ID', ...columns], ['rec1', ...bird], ['rec2', ...stone]), 'gpqa-main');
  const part = await read(csv(['x', ...columns.toReversed(), 'Record ID'], ['y', ...stone.toReversed(), 'rec2']));
  expect(part.items).toEqual(whole.items.slice(1));
});

test.each<[name: string, of: (text: string) => string | Uint8Array]>([
  ['gzip', (text) => gzipSync(text)],
  ['with a byte order mark', (text) => `\ufeff${text}`],
  ['with blank lines', (text) => `\n${text}\n\n`],
  ['without the last line end', (text) => text.trimEnd()],
  ['with spaces around its texts', (text) => text.replaceAll('","', ' "," ')],
])('a file %s holds the same items', async (_, of) => {
  const text = csv(columns, bird, stone);
  expect((await read(of(text))).blob).toBe((await read(text)).blob);
});

test('without record ids an id is a digest of the question', async () => {
  const { items } = await read(csv(columns, bird, stone));
  const { items: again } = await read(csv(['Record ID', ...columns], ['', ...stone], [' ', ...bird]));
  expect(items.map(({ id }) => id)).toEqual(['gpqa-b6b3a6e76f906291', 'gpqa-4947d4f774f69a62']);
  expect(again).toEqual(items.toReversed());
});

test('whatever the texts, the right letter stands for the right answer, and nothing in them changes', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '[', ']', '"', ',', '\\', '$', 'é', '1') });
  const answers = fc.uniqueArray(
    text.filter((one) => one !== ''),
    { minLength: 4, maxLength: 4 },
  );
  const asked = fc.array(fc.tuple(fc.uuid(), answers), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(asked, async (rows) => {
      const { items } = await read(
        csv(['Record ID', ...columns], ...rows.map(([id, four]) => [id, 'Which?', ...four])),
      );
      expect(items.map(right)).toEqual(rows.map(([, [first]]) => first));
      const lines = items.map(({ messages }) =>
        messages[0]?.content
          .split('\n')
          .slice(2, 6)
          .map((line) => line.slice(3)),
      );
      expect(lines.map((four) => four?.toSorted())).toEqual(rows.map(([, four]) => four.toSorted()));
    }),
    { numRuns: 30 },
  );
});

const four = 'A comma or a line end outside of quotes splits a field.';
const needed =
  'The columns Question, Correct Answer, Incorrect Answer 1, Incorrect Answer 2, Incorrect Answer 3 are needed; others are not read.';
test.each<[name: string, content: string, sentences: string]>([
  ['nothing', '', 'g.csv holds no items.\n  Is this the right file?'],
  ['a header alone', csv(columns), 'g.csv holds no items.\n  Is this the right file?'],
  [
    'a column too few',
    csv(columns.slice(0, 4), bird.slice(0, 4)),
    `g.csv:1  Incorrect Answer 3: there is no such column.\n  ${needed}`,
  ],
  [
    'a column twice',
    csv([...columns, 'Question'], [...bird, 'x']),
    'g.csv:1  Question: is the name of two columns.\n  Take one out.',
  ],
  ['a row too short', csv(columns, stone, bird.slice(0, 4)), `g.csv:3 has 4 fields, the first line 5.\n  ${four}`],
  [
    'no question',
    csv(columns, ['', ...stone.slice(1)]),
    'g.csv:2  Question: is empty.\n  Every row needs a question and four answers.',
  ],
  [
    'white space for an answer',
    csv(columns, bird, [...stone.slice(0, 4), ' \n ']),
    'g.csv:4  Incorrect Answer 3: is empty.\n  Every row needs a question and four answers.',
  ],
  [
    'two answers alike',
    csv(columns, ['Which?', 'a', 'b', 'c', ' b ']),
    'g.csv:2  Incorrect Answer 3: is the same as Incorrect Answer 1.\n  Four different answers are needed.',
  ],
  [
    'a question twice',
    csv(columns, bird, stone, bird),
    'g.csv:5  Question: stands already on line 2.\n  Every question may stand in the file once.',
  ],
  [
    'a record twice',
    csv(['Record ID', ...columns], ['r', ...stone], ['r', ...bird]),
    'g.csv:3  Record ID: stands already on line 2.\n  Every question may stand in the file once.',
  ],
  [
    'a record id of two lines',
    csv(['Record ID', ...columns], ['r\ns', ...stone]),
    'g.csv:2  Record ID: is no id.\n  Up to 200 printable characters on one line, or nothing.',
  ],
  [
    'an open quote',
    `${csv(columns, stone)}"Which`,
    'g.csv:3 opens a quote that is never closed.\n  A quote inside a field in quotes is written twice: "".',
  ],
])('%s', async (_, content, sentences) => {
  expect(await said(content)).toBe(sentences);
});

test('a file in another encoding is named with its line', async () => {
  await using files = await folder();
  const bytes = Buffer.from(csv(columns, stone, ['Où?', 'a', 'b', 'c', 'd']), 'latin1');
  const source = await files.source('g.csv', bytes, { adapter: 'gpqa-main' });
  await expect(adapt(source)).rejects.toMatchObject({
    message: 'holds bytes that are no UTF-8.',
    place: { file: 'g.csv', line: 3 },
  });
});

test('another number of questions than published is told, unless the checksum says that it is this file', async () => {
  await using home = await folder();
  await home.source('g.csv', csv(columns, stone));
  const told: string[] = [];
  await addData('gpqa-diamond', join(home.dir, 'g.csv'), { home, report: (line) => told.push(line) });
  expect(told).toEqual([`${join(home.dir, 'g.csv')} holds 1 items; gpqa-diamond as published has 198.`]);
  const { file } = await read(csv(columns, stone));
  const stated = await home.source('g.csv', csv(columns, stone), { adapter: 'gpqa-main', sha256: file });
  expect((await adapt(stated)).notes).toEqual([]);
  const whole = Array.from({ length: 448 }, (_, n) => [`Which of ${n}?`, 'a', 'b', 'c', 'd']);
  expect((await read(csv(columns, ...whole), 'gpqa-main')).notes).toEqual([]);
});
