// GSM8K as published: every reference is a number by our rule, and only that number is right.
import { expect, test } from 'vitest';
import { scoreTurn } from '../../domain/accuracy/score.ts';
import type { Item } from '../../domain/data/item.ts';
import type { Turn } from '../../domain/records/record.ts';
import { published } from './folder.ts';

test.each([
  ['test.jsonl', 1_319, 'gsm8k-test-0000'],
  ['train.jsonl.gz', 7_473, 'gsm8k-train-0000'],
])('GSM8K %s: every reference is right, and its neighbour wrong', async (file, count, first) => {
  const { items, scored, held_out } = await published('gsm8k', 'gsm8k', file);
  expect([items.length, items[0]?.id, scored, held_out]).toEqual([count, first, true, false]);

  const written: [form: string, outcome: string, of: (expected: string) => string][] = [
    ['as it stands', 'right', (expected) => `Answer: ${expected}`],
    ['dressed', 'right', (expected) => `So:\n**Answer:** \\boxed{$${grouped(expected)}.00}\n`],
    ['one more', 'wrong', (expected) => `Answer: ${Number(expected) + 1}`],
    ['a tenth more', 'wrong', (expected) => `Answer: ${expected}.1`],
    ['without a marker', 'unscored', (expected) => `It is ${expected}.`],
  ];
  const outcomes = written.map(([form, wanted, of]) => {
    const others = items.filter((item) => outcomeOf(item, of(expectedOf(item))) !== wanted);
    return [form, wanted, others.map(({ id }) => id)];
  });
  expect(outcomes).toEqual(written.map(([form, wanted]) => [form, wanted, []]));
});

function expectedOf({ answer }: Item): string {
  return answer?.check === 'number' ? answer.expected : 'no number';
}

function outcomeOf({ answer }: Item, text: string): string | undefined {
  const turn: Turn = { text, finish: 'stop', ids: null, prompt: null, tokens: 1, seed: 0 };
  return answer?.check === 'number' ? scoreTurn(turn, answer).outcome : undefined;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
