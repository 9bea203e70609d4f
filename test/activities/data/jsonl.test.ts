// The general format: what each field does, and what is said when it is wrong.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonl } from '../../../activities/data/adapters/jsonl.ts';
import { itemSet, itemsBlob } from '../../../activities/data/items.ts';
import { sentence } from '../../../domain/problems.ts';

function read(...rows: (object | string)[]) {
  const lines = rows.map((row, index) => ({
    number: index + 1,
    text: typeof row === 'string' ? row : JSON.stringify(row),
  }));
  return jsonl({ file: '', content: '', lines }, 'q');
}

function said(...rows: (object | string)[]): string {
  return read(...rows)
    .problems.map(sentence)
    .join('\n');
}

const nothing = { answer: null, assistant: null, reference_user_turn: null };

test('a question alone is asked as it stands and not scored', () => {
  expect(read({ id: 'a', question: ' Why?\n' })).toEqual({
    items: [{ id: 'a', messages: [{ role: 'user', content: ' Why?\n' }], ...nothing }],
    problems: [],
  });
});

test('every kind of check', () => {
  const { items, problems } = read(
    { id: 1, question: 'Six times two?', check: 'number', answer: 1200 },
    { id: 'n2', question: 'Half?', check: 'number', answer: '1,234.50' },
    { id: 'c', question: 'Red?', choices: ['Grass', 'Blood'], answer: 'B' },
    { id: 'e', question: 'Capital of Peru?', check: 'exact', answer: 'Lima' },
    {
      id: 'f',
      question: 'Be brief.',
      check: 'format',
      rules: [{ rule: 'max_words', n: 5 }, { rule: 'contains', text: 'x' }, { rule: 'json' }],
    },
  );
  expect(problems).toEqual([]);
  const marker = (first: string, what: string) => `\n\n${first} a last line of exactly this form:\nAnswer: <${what}>`;
  const steps = 'Think step by step, then end with';
  const user = (content: string) => [{ role: 'user', content }];
  expect(items).toEqual([
    {
      ...nothing,
      id: '1',
      messages: user(`Six times two?${marker(steps, 'number')}`),
      answer: { check: 'number', expected: '1200' },
    },
    {
      ...nothing,
      id: 'n2',
      messages: user(`Half?${marker(steps, 'number')}`),
      answer: { check: 'number', expected: '1234.50' },
    },
    {
      ...nothing,
      id: 'c',
      messages: user(`Red?\n\nA. Grass\nB. Blood${marker('End with', 'letter')}`),
      answer: { check: 'choice', expected: 'B' },
    },
    {
      ...nothing,
      id: 'e',
      messages: user(`Capital of Peru?${marker('End with', 'answer')}`),
      answer: { check: 'exact', expected: 'Lima' },
    },
    {
      ...nothing,
      id: 'f',
      messages: user('Be brief.'),
      answer: {
        check: 'format',
        rules: [{ rule: 'max_words', n: 5 }, { rule: 'contains', text: 'x' }, { rule: 'json' }],
      },
    },
  ]);
});

test('messages are sent as they stand, a given answer and what a person said next are kept', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '' },
    { role: 'user', content: '2 + 2?' },
  ];
  const row = {
    id: 'a',
    messages,
    check: 'number',
    answer: '4',
    assistant: '',
    reference_user_turn: 'Thanks',
    meta: { any: ['thing'] },
  };
  expect(read(row)).toEqual({
    items: [
      { id: 'a', messages, answer: { check: 'number', expected: '4' }, assistant: '', reference_user_turn: 'Thanks' },
    ],
    problems: [],
  });
});

test('null is the same as nothing', () => {
  const nulls = {
    messages: null,
    choices: null,
    check: null,
    answer: null,
    rules: null,
    assistant: null,
    reference_user_turn: null,
  };
  expect(read({ id: 'a', question: 'b', ...nulls })).toEqual(read({ id: 'a', question: 'b' }));
});

const ask = { id: 'a', question: 'b' };
test.each<[name: string, row: object | string, sentences: string]>([
  ['no id', { question: 'b' }, 'q:1  id: is missing.\n  Unique in the file.'],
  ['an empty id', { ...ask, id: '' }, 'q:1  id: is empty.\n  Unique in the file.'],
  [
    'an id of two lines',
    { ...ask, id: 'a\nb' },
    'q:1  id: is no id: up to 200 printable characters on one line, no space at either end.\n  Unique in the file.',
  ],
  [
    'no question',
    { id: 'a' },
    'q:1  question: is missing.\n  Give a `question`, or `messages` that end with a user message.',
  ],
  [
    'an empty question',
    { ...ask, question: '' },
    'q:1  question: is empty.\n  What is asked. With a check other than format, the form of the answer line is added.',
  ],
  [
    'question and messages',
    { ...ask, messages: [{ role: 'user', content: 'x' }] },
    'q:1  messages: stands beside `question`.\n  Give one of the two.',
  ],
  ['a misspelt field', { ...ask, anwser: '4' }, 'q:1  anwser: there is no such field.\n  Did you mean answer?'],
  [
    'a check without an answer',
    { ...ask, check: 'number' },
    'q:1  answer: is missing.\n  Give the right answer, or leave `check` out: then nothing is scored.',
  ],
  [
    'an unknown check',
    { ...ask, check: 'numbers', answer: 4 },
    'q:1  check: "numbers" is not allowed; one of number, choice, exact, format is.\n  How an answer is checked. Left out: choice with choices, else number where the answer is one, else exact; did you mean number?',
  ],
  [
    'an answer that is no number',
    { ...ask, check: 'number', answer: 'four' },
    'q:1  answer: "four" is nothing that number can check.\n  One plain number, such as 12, -3.5 or 1/4.',
  ],
  [
    'two numbers',
    { ...ask, check: 'number', answer: '4 or 5' },
    'q:1  answer: "4 or 5" is nothing that number can check.\n  One plain number, such as 12, -3.5 or 1/4.',
  ],
  [
    'a letter too far',
    { ...ask, choices: ['x', 'y'], answer: 'C' },
    'q:1  answer: "C" is the letter of no choice.\n  One of A, B.',
  ],
  [
    'one choice',
    { ...ask, choices: ['x'], answer: 'A' },
    'q:1  choices: has only 1; at least 2 are needed.\n  Possible answers, lettered from A and put after the question.',
  ],
  [
    'format without rules',
    { ...ask, check: 'format' },
    'q:1  rules: is missing.\n  Say what an answer must meet, such as [{"rule": "max_words", "n": 5}].',
  ],
  [
    'format with an answer',
    { ...ask, check: 'format', answer: 'x' },
    'q:1  answer: has no use with `check: format`.\n  Leave it out.',
  ],
  [
    'rules without format',
    { ...ask, rules: [{ rule: 'json' }] },
    'q:1  rules: goes with `check: format` only.\n  Set `check` to format, or leave the rules out.',
  ],
  [
    'an unknown rule',
    { ...ask, check: 'format', rules: [{ rule: 'json' }, { rule: 'max_word', n: 3 }] },
    'q:1  rules[1].rule: "max_word" is not allowed.\n  One of max_words, min_words, lines, bullets, contains, excludes, ends_with, lowercase, uppercase, json; did you mean max_words?',
  ],
  [
    'a rule without its number',
    { ...ask, check: 'format', rules: [{ rule: 'lines' }] },
    'q:1  rules[0].n: is missing.',
  ],
  [
    "a rule with another rule's field",
    { ...ask, check: 'format', rules: [{ rule: 'json', n: 3 }] },
    'q:1  rules[0].n: does not go with `rule: json`.',
  ],
  [
    'messages that end with the assistant',
    {
      id: 'a',
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y' },
      ],
    },
    'q:1  messages[1].role: is not user.\n  The last message is the question. A given answer goes into `assistant`.',
  ],
  [
    'a late system message',
    {
      id: 'a',
      messages: [
        { role: 'user', content: 'x' },
        { role: 'system', content: 'y' },
        { role: 'user', content: 'z' },
      ],
    },
    'q:1  messages[1].role: system may only come first.\n  Move its text into the first message.',
  ],
  [
    'an unknown role',
    { id: 'a', messages: [{ role: 'usr', content: 'x' }] },
    'q:1  messages[0].role: "usr" is not allowed; one of system, user, assistant is.\n  Did you mean user?',
  ],
  [
    'choices beside messages',
    { id: 'a', messages: [{ role: 'user', content: 'x' }], choices: ['x', 'y'], answer: 'A' },
    'q:1  choices: goes with a `question` only.\n  Put the choices into the last message.',
  ],
  [
    'half a character',
    '{"id": "a", "question": "x\\ud835"}',
    'q:1  question: holds half of a character (a surrogate without its partner).\n  What is asked. With a check other than format, the form of the answer line is added.',
  ],
  [
    'half a character in a field name',
    '{"id": "a", "question": "x", "\\ud835": 1}',
    'q:1  ["\\ud835"]: there is no such field.\n  Fields here: id, question, messages, choices, check, answer, rules, assistant, reference_user_turn, meta.',
  ],
])('%s', (_, row, sentences) => {
  expect(said(row)).toBe(sentences);
});

test('an id twice is named with the line it stood on first', () => {
  expect(said(ask, { id: 'b', question: 'x' }, ask, { ...ask, check: 'number' })).toBe(
    [
      'q:3  id: "a" stands already on line 1.\n  Every item needs an id of its own.',
      'q:4  id: "a" stands already on line 1.\n  Every item needs an id of its own.',
      'q:4  answer: is missing.\n  Give the right answer, or leave `check` out: then nothing is scored.',
    ].join('\n'),
  );
});

function itemsIn(blob: string) {
  const items = itemSet(Buffer.from(blob));
  return items.slice(0, items.count);
}

test('NULs, control characters and two megabytes are kept as they are', () => {
  const question = `\0\u001b[31m\u2028<script>\r\n${'é'.repeat(1_000_000)}`;
  const { items, problems } = read({ id: 'a', question });
  expect(problems).toEqual([]);
  expect(items[0]?.messages).toEqual([{ role: 'user', content: question }]);
  expect(itemsIn(itemsBlob(items))).toEqual(items);
});

test('items come back from their blob as they were, in order, and the same items give the same bytes', () => {
  const text = fc.string({ unit: 'grapheme' });
  const id = fc.uuid();
  const row = fc.record({
    question: text.filter((question) => question !== '' && question.isWellFormed()),
    assistant: fc.option(text.filter((one) => one.isWellFormed())),
  });
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(id, row), { selector: ([one]) => one, maxLength: 6 }), (rows) => {
      const { items, problems } = read(...rows.map(([one, fields]) => ({ id: one, ...fields })));
      expect(problems).toEqual([]);
      const blob = itemsBlob(items);
      expect(itemsIn(blob)).toEqual(items);
      for (const at of items.keys())
        expect(itemSet(Buffer.from(blob)).slice(at, at + 2)).toEqual(items.slice(at, at + 2));
      expect(items.map((item) => item.id)).toEqual(rows.map(([one]) => one));
      expect(itemsBlob(itemsIn(blob))).toBe(blob);
    }),
  );
});

test('any JSON line is an item or a fault on its line', () => {
  const odd = fc.oneof(
    fc.json(),
    fc
      .record(
        {
          id: fc.jsonValue(),
          question: fc.jsonValue(),
          check: fc.jsonValue(),
          rules: fc.jsonValue(),
          messages: fc.jsonValue(),
          answer: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((row) => JSON.stringify(row)),
  );
  fc.assert(
    fc.property(odd, (line) => {
      const { items, problems } = read(line);
      expect(items.length === 1 ? problems.length === 0 : problems.length > 0).toBe(true);
      expect(problems.filter(({ place }) => place.line !== 1 || place.file !== 'q')).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [12, { check: 'number', expected: '12' }],
  ['1,234', { check: 'number', expected: '1234' }],
  ['Lima', { check: 'exact', expected: 'Lima' }],
  ['B', { check: 'exact', expected: 'B' }],
])('an answer without a check, %j, is checked as what it is', (answer, expected) => {
  expect(read({ id: 'a', question: 'Well?', answer }).items[0]?.answer).toEqual(expected);
});
