// MATH's layout, with problems of our own.
import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { folder } from './folder.ts';

const rows = [
  {
    problem: 'How many legs have 6 spiders?',
    solution: 'Each has 8: $6 \\cdot 8 = \\boxed{48}$.',
    level: 'Level 1',
    type: 'Algebra',
  },
  { problem: 'Which $x$ solve $x^2 < 4$?', solution: 'All of $\\boxed{(-2,2)}$.', level: 'Level 5', type: 'Algebra' },
  { problem: 'What share is 3 of 4?', solution: 'First $\\boxed{1}$? No: $\\boxed{\\frac{3}{4}}$', level: 'Level 2' },
];

async function read(text: string, adapter: 'math' | 'gsm8k' = 'math') {
  await using files = await folder();
  return await adapt(await files.source('m.json', text, { adapter }));
}

test('a plain number is checked as one, any other answer is not, and all are asked alike', async () => {
  const { items, scored, notes } = await read(JSON.stringify(rows));
  expect(items.map(({ id, answer }) => [id, answer])).toEqual([
    ['math-00000', { check: 'number', expected: '48' }],
    ['math-00001', null],
    ['math-00002', { check: 'number', expected: '3/4' }],
  ]);
  expect([scored, notes]).toEqual([
    true,
    ['2 of 3 answers are plain numbers and are checked; the others are not scored.'],
  ]);
  expect(items.map(({ messages }) => messages)).toEqual(
    rows.map(({ problem }) => [
      {
        role: 'user',
        content: `${problem}\n\nThink step by step, then end with a last line of exactly this form:\nAnswer: <answer>`,
      },
    ]),
  );
});

test('a list and lines hold the same items', async () => {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  expect((await read(lines)).blob).toBe((await read(JSON.stringify(rows, null, 2))).blob);
});

test.each([
  [
    'a solution without an answer',
    '[\n{"problem": "x",\n"solution": "It is 4."}\n]',
    'math',
    'm.json:2  solution: holds no answer in `\\boxed{}`.\n  Is this file MATH?',
  ],
  ['no solution', '{"problem": "x"}', 'math', 'm.json:1  solution: is missing.'],
  [
    'GSM8K',
    '{"question": "x", "answer": "y #### 4"}',
    'math',
    'm.json has 2 faults.\n  m.json:1  problem: is missing.\n  and 1 more.\n  This file looks like gsm8k.',
  ],
  [
    'a CSV',
    'Question,Correct Answer\nx,y\n',
    'math',
    'm.json:1 is a line of CSV.\n  This set is read from JSON: one object a line.\n  This file looks like gpqa-main or gpqa-diamond.',
  ],
  [
    'MATH, taken for GSM8K',
    '{"problem": "x", "solution": "\\\\boxed{4}"}',
    'gsm8k',
    'm.json has 2 faults.\n  m.json:1  question: is missing.\n  and 1 more.\n  This file looks like math.',
  ],
] as const)('%s', async (_, text, adapter, sentences) => {
  const problem = await read(text, adapter).catch((error: unknown) => error);
  expect(problem instanceof ConfigProblem ? sentence(problem) : problem).toBe(sentences);
});
