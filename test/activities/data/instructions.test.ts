import { expect, test } from 'vitest';
import { instructionSet } from '../../../activities/data/adapters/instructions.ts';
import { sentence } from '../../../domain/problems.ts';

/** Rows on every second line, as if blank ones stood between them. */
function read(family: 'ifeval' | 'ifbench', ...rows: object[]) {
  const lines = rows.map((row, index) => ({ number: 2 * index + 1, text: JSON.stringify(row) }));
  return instructionSet(family)({ file: '', content: '', lines }, 'q');
}

const row = {
  key: 7,
  prompt: ' Praise a bridge in two words, without commas.\n',
  instruction_id_list: ['punctuation:no_comma', 'length_constraints:number_words'],
  kwargs: [{}, { num_words: 3, relation: 'less than' }],
};

test('a row becomes an item with its prompt as it stands and its instructions with their arguments', () => {
  expect(read('ifeval', row)).toEqual({
    items: [
      {
        id: 'ifeval-7',
        messages: [{ role: 'user', content: ' Praise a bridge in two words, without commas.\n' }],
        answer: {
          check: 'instructions',
          family: 'ifeval',
          instructions: [
            { id: 'punctuation:no_comma', kwargs: {} },
            { id: 'length_constraints:number_words', kwargs: { num_words: 3, relation: 'less than' } },
          ],
        },
        assistant: null,
        reference_user_turn: null,
      },
    ],
    problems: [],
  });
});

test('arguments that are null are left out, numbers with a point are the numbers they are', () => {
  const text =
    '{"key": "12", "prompt": "Go.", "instruction_id_list": ["count:numbers"], "kwargs": [{"N": 3.0, "word": null}]}';
  const { items } = instructionSet('ifbench')({ file: '', content: '', lines: [{ number: 1, text }] }, 'q');
  expect(items.map(({ id, answer }) => ({ id, answer }))).toEqual([
    {
      id: 'ifbench-12',
      answer: {
        check: 'instructions',
        family: 'ifbench',
        instructions: [{ id: 'count:numbers', kwargs: { N: 3 } }],
      },
    },
  ]);
});

test.each<[string, typeof row, string]>([
  ['an instruction of the other family', { ...row, instruction_id_list: ['words:vowel', 'punctuation:no_comma'] }, ''],
  ['a slip', { ...row, instruction_id_list: ['punctuation:no_coma', 'punctuation:no_comma'] }, 'no_comma'],
])('%s has no checker', (_, bad, meant) => {
  const [id] = bad.instruction_id_list;
  const advice = meant === '' ? 'Is this the right file?' : `Did you mean punctuation:${meant}?`;
  expect(read('ifeval', bad).problems.map(sentence)).toEqual([
    `q:1  instruction_id_list[0]: "${id}" is no instruction that has a checker.\n  ${advice}`,
  ]);
});

test.each<[string, object, string]>([
  [
    'fewer arguments than instructions',
    { ...row, kwargs: [{}] },
    'kwargs: holds 1 objects for 2 instructions.\n  Give one object per instruction, `{}` for none.',
  ],
  [
    'no instruction',
    { ...row, instruction_id_list: [], kwargs: [] },
    'instruction_id_list: is empty; at least one is needed.',
  ],
  ['a key that is no key', { ...row, key: 'a b' }, 'key: '],
  ['another kind of file', { question: 'x', answer: '1' }, 'key: is missing.'],
  ['half of a character', { ...row, prompt: '\ud835' }, 'prompt: holds half of a character'],
])('%s', (_, bad, start) => {
  const [first] = read('ifeval', bad).problems.map(sentence);
  expect(first).toMatch(`q:1  ${start}`);
});

test('a key that stands twice', () => {
  expect(
    read('ifbench', ...['1', 1].map((key) => ({ ...row, key, instruction_id_list: ['words:vowel'], kwargs: [{}] }))),
  ).toMatchObject({
    items: [{ id: 'ifbench-1' }],
    problems: [{ message: '"1" stands already on line 1.' }],
  });
});
