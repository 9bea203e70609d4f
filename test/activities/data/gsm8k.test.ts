import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { gsm8k } from '../../../activities/data/adapters/gsm8k.ts';
import { sentence } from '../../../domain/problems.ts';
import { folder } from './folder.ts';

const testSplit = '3730d312f6e3440559ace48831e51066acaca737f6eabec99bccb9e4b3c39d14';
const trainSplit = '17f347dc51477c50d4efb83959dbb7c56297aba886e5544ee2aaed3024813465';

/** Rows on every second line, as if blank ones stood between them. */
function read(content: string, ...rows: object[]) {
  return gsm8k(
    { file: '', content, lines: rows.map((row, index) => ({ number: 2 * index + 1, text: JSON.stringify(row) })) },
    'q',
  );
}

const row = {
  question: 'Ana has 1,000 beads and buys 234. How many has she?',
  answer: 'She has 1,000 + 234 = <<1000+234=1234>>1,234.\n#### 1,234',
};

test('a row becomes an item whose answer is the number after the last mark', () => {
  expect(read('', row)).toEqual({
    items: [
      {
        id: 'gsm8k-0000',
        messages: [
          {
            role: 'user',
            content:
              'Ana has 1,000 beads and buys 234. How many has she?\n\nThink step by step, then end with a last line of exactly this form:\nAnswer: <number>',
          },
        ],
        answer: { check: 'number', expected: '1234' },
        assistant: null,
        reference_user_turn: null,
      },
    ],
    problems: [],
  });
});

test.each([
  ['the published test file', testSplit, ['gsm8k-test-0000', 'gsm8k-test-0001']],
  ['the published train file', trainSplit, ['gsm8k-train-0000', 'gsm8k-train-0001']],
  ['any other file', 'f'.repeat(64), ['gsm8k-0000', 'gsm8k-0001']],
])('ids in %s count rows from 0', (_, content, ids) => {
  expect(read(content, row, row).items.map((item) => item.id)).toEqual(ids);
});

test.each([
  ['#### 18', '18'],
  ['a\n####-7', '-7'],
  ['#### 3\n#### 2.50 ', '2.50'],
  ['####\t12,345,678\n', '12345678'],
])('the answer %j expects %s', (answer, expected) => {
  expect(read('', { ...row, answer }).items.map((item) => item.answer)).toEqual([{ check: 'number', expected }]);
});

const noNumber =
  'answer: does not end with `####` and a number.\n  Is this file GSM8K? For another one write `set: jsonl`.';
test.each<[name: string, row: object, sentences: string]>([
  ['no mark', { ...row, answer: 'It is 18.' }, noNumber],
  ['nothing behind the mark', { ...row, answer: '#### ' }, noNumber],
  ['a word behind the mark', { ...row, answer: '#### many' }, noNumber],
  ['no answer', { question: 'Why?' }, 'answer: is missing.'],
  ['an empty question', { ...row, question: '' }, 'question: is empty.'],
  ['another kind of file', { prompt: 'x' }, 'question: is missing.\nq:3  answer: is missing.'],
])('%s', (_, bad, sentences) => {
  expect(read('', row, bad).problems.map(sentence).join('\n')).toBe(`q:3  ${sentences}`);
});

test('a file of another set is named with its first twenty faults', async () => {
  await using files = await folder();
  const source = await files.source('q', '{"id": "a"}\n'.repeat(30), { adapter: 'gsm8k' });
  const problem = await adapt(source).catch((error: unknown) => error);
  const lines = problem instanceof Error ? sentence(problem as never).split('\n') : [];
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
    22,
    'q has 60 faults.',
    '  q:1  question: is missing.',
    '  and 40 more.',
  ]);
});
