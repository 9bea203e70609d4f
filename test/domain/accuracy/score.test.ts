import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCheckable, type OwnCheck, scoreTurn } from '../../../domain/accuracy/score.ts';
import { canonicalJson } from '../../../domain/records/canonical.ts';
import type { Turn } from '../../../domain/records/record.ts';
import { storeText } from '../../../domain/records/text.ts';

function turn(text: string, finish: Turn['finish'] = 'stop'): Turn {
  return { ...storeText(text), finish, ids: null, prompt: null, tokens: 0, seed: null };
}
const number: OwnCheck = { check: 'number', expected: '42' };
const choice: OwnCheck = { check: 'choice', expected: 'B' };
const exact: OwnCheck = { check: 'exact', expected: 'New York' };
const format: OwnCheck = { check: 'format', rules: [{ rule: 'max_words', n: 2 }, { rule: 'lowercase' }] };

describe('a score says what was expected, what was found, and why it does not count', () => {
  test.each<[string, OwnCheck, unknown]>([
    ['Answer: 42.0', number, { check: 'number', outcome: 'right', extracted: '42', expected: '42', reason: null }],
    [
      'Answer: 43',
      number,
      { check: 'number', outcome: 'wrong', extracted: '43', expected: '42', reason: 'another value' },
    ],
    ['42', number, { check: 'number', outcome: 'unscored', extracted: null, expected: '42', reason: 'no marker' }],
    [
      'Answer: 40-42',
      number,
      { check: 'number', outcome: 'unscored', extracted: null, expected: '42', reason: 'a range' },
    ],
    ['', number, { check: 'number', outcome: 'unscored', extracted: null, expected: '42', reason: 'no marker' }],
    ['Answer: (b)', choice, { check: 'choice', outcome: 'right', extracted: 'B', expected: 'B', reason: null }],
    [
      'Answer: C',
      choice,
      { check: 'choice', outcome: 'wrong', extracted: 'C', expected: 'B', reason: 'another letter' },
    ],
    [
      'Answer: B or C',
      choice,
      { check: 'choice', outcome: 'unscored', extracted: null, expected: 'B', reason: 'two letters' },
    ],
    [
      'Answer: **new  york**.',
      exact,
      { check: 'exact', outcome: 'right', extracted: 'new york', expected: 'New York', reason: null },
    ],
    [
      'Answer: Oslo',
      exact,
      { check: 'exact', outcome: 'wrong', extracted: 'oslo', expected: 'New York', reason: 'another text' },
    ],
    [
      'two words',
      format,
      { check: 'format', outcome: 'right', extracted: null, expected: 'max_words 2, lowercase', reason: null },
    ],
    [
      'Two',
      format,
      {
        check: 'format',
        outcome: 'wrong',
        extracted: null,
        expected: 'max_words 2, lowercase',
        reason: 'fails lowercase',
      },
    ],
    [
      '',
      format,
      {
        check: 'format',
        outcome: 'wrong',
        extracted: null,
        expected: 'max_words 2, lowercase',
        reason: 'fails max_words 2, lowercase',
      },
    ],
  ])('%j by %j', (text, check, score) => expect(scoreTurn(turn(text), check)).toEqual(score));
});

describe('an answer that hit its limit', () => {
  test.each([
    ['I think', 'truncated', 'cut off before an answer'],
    ['', 'truncated', 'cut off before an answer'],
    ['Answer:', 'truncated', 'cut off inside the answer line'],
    ['Answer:\n\n', 'truncated', 'cut off inside the answer line'],
    ['Answer: 42', 'truncated', 'cut off inside the answer line'],
    ['Answer: 4', 'truncated', 'cut off inside the answer line'],
    ['Answer: 42 or', 'truncated', 'cut off inside the answer line'],
    ['Answer:\n42', 'truncated', 'cut off inside the answer line'],
    ['Answer: 42\n', 'right', null],
    ['Answer: 42\n\nNext question: what', 'right', null],
    ['Answer: 41\nAnd so on', 'wrong', 'another value'],
    ['Answer: 4 or 5\nAnd so on', 'unscored', 'two numbers joined by "or"'],
    ['Answer: 42\nAnd so on. Answer: 4', 'truncated', 'cut off inside the answer line'],
    ['<think>Answer: 42\n so', 'truncated', 'cut off inside the reasoning'],
    ['<think>Answer: 42\n</think>\n', 'truncated', 'cut off before an answer'],
    ['<think>Answer: 42\n</think>\nAnswer: 41\nDone', 'wrong', 'another value'],
  ])('%j is %s (%s)', (text, outcome, reason) => {
    expect(scoreTurn(turn(text, 'length'), number)).toMatchObject({ outcome, reason });
  });

  test('is not the whole answer that instructions are about', () => {
    expect(scoreTurn(turn('two words', 'length'), format)).toMatchObject({ outcome: 'truncated', reason: 'cut off' });
  });

  test('is inside the reasoning that its prompt opened until that is closed', () => {
    const cut = turn('So far\nAnswer: 42\n and', 'length');
    expect(scoreTurn(cut, number, { opens: 'reasoning' })).toMatchObject({ outcome: 'truncated', extracted: null });
    expect(scoreTurn(cut, number)).toMatchObject({ outcome: 'right' });
  });
});

describe('reasoning', () => {
  test.each<[string, OwnCheck, string]>([
    ['<think>Answer: 41</think>Answer: 42', number, 'right'],
    ['Answer: 41\n</think>Answer: 42', number, 'right'],
    ['<think>Answer: 42</think>It is 42.', number, 'unscored'],
    ['<think>Answer: 42', number, 'unscored'],
    ['<think>MANY Large Words</think>two words', format, 'right'],
    ['<think>two words', format, 'wrong'],
  ])('is not part of the answer %j', (text, check, outcome) => {
    expect(scoreTurn(turn(text), check)).toMatchObject({ outcome });
  });
});

test('an answer that came with the data is scored like one that ended by itself', () => {
  expect(scoreTurn(turn('Answer: 42', 'given'), number)).toEqual(scoreTurn(turn('Answer: 42'), number));
});

test('an expected answer that nothing can equal is no check, and makes no answer wrong', () => {
  const broken: OwnCheck[] = [
    { check: 'number', expected: 'many' },
    { check: 'choice', expected: 'Z' },
    { check: 'exact', expected: ' . ' },
    { check: 'format', rules: [] },
  ];
  expect(broken.map(isCheckable)).toEqual([false, false, false, false]);
  expect([number, choice, exact, format].map(isCheckable)).toEqual([true, true, true, true]);
  expect(scoreTurn(turn('Answer: 42'), { check: 'number', expected: 'many' })).toMatchObject({
    outcome: 'unscored',
    reason: 'the expected answer has no number',
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    'Answer:',
    'answer',
    '\n',
    ' ',
    '42',
    '1,2',
    '/',
    '=',
    '(',
    ')',
    '-',
    '$',
    '\\frac{',
    '\\boxed{',
    '}',
    '*',
    '^',
    '<think>',
    '</think>',
    '<|channel|>final<|message|>',
    '\ud835',
    '\udc00',
    '\0',
    '½',
    '𝟜',
    '\u2009',
    'B',
    'or',
    ':',
    '.',
    '`',
    '_',
  );
  const text = fc.oneof(fc.string({ unit: pieces }), fc.string({ unit: 'binary' }));
  const check = fc.constantFrom(number, choice, exact, format);

  test('is scored without an exception, the same twice, in a record that can be hashed', () => {
    fc.assert(
      fc.property(text, check, fc.constantFrom<Turn['finish']>('stop', 'length', 'given'), (answer, how, finish) => {
        const score = scoreTurn(turn(answer, finish), how);
        expect(scoreTurn(turn(answer, finish), how)).toEqual(score);
        expect(canonicalJson(score)).toContain(how.check);
        expect(score.extracted !== null).toBe(how.check !== 'format' && ['right', 'wrong'].includes(score.outcome));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '9',
    '1,',
    ' ',
    '(',
    '*',
    '_',
    '\n',
    '=',
    '1/',
    'answer ',
    'Answer: ',
    '\\frac{',
    '<think>',
    '</think>',
    '\ud835',
    '\0',
    '1\u2009234\u2009',
    'A ',
    '`',
  ])('a megabyte of %j is scored in linear time', (unit) => {
    const answer = `Answer: ${unit.repeat(Math.ceil(2 ** 20 / unit.length))}`;
    const start = performance.now();
    for (const how of [number, choice, exact, format]) scoreTurn(turn(answer), how);
    expect(performance.now() - start).toBeLessThan(5_000); // a quadratic pattern would take hours
  });
});
