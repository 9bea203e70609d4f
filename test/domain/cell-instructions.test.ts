import { expect, test } from 'vitest';
import { type InstructionResult, makeRecord, type Score, type Turn } from '../../domain/records/record.ts';
import { clusteredRate } from '../../domain/stats/bootstrap.ts';
import { rate } from '../../domain/stats/wilson.ts';
import { type CellInput, cellFrom } from './told.ts';

const meta = { attempt: 'a1', at: '2026-01-01T00:00:00Z', ms: 1, host: 'h', requests: 1 };
const answer: Turn = { text: 't', finish: 'stop', ids: null, prompt: null, tokens: 1, seed: 1 };

/** `s`: strictly followed, `l`: only loosely, `-`: not at all, `?`: not checked. */
function results(marks: string): InstructionResult[] {
  const what = { s: [true, true], l: [false, true], '-': [false, false], '?': [null, null] } as const;
  return [...marks].map((mark, place) => {
    const [strict, loose] = what[mark as keyof typeof what];
    return { id: `kind:${place}`, strict, loose };
  });
}

type Told = [item: string, outcome: Score['outcome'] | 'error', marks: string];

function cellOf(told: Told[], samples = 1) {
  const places = told.map(([item], index) => ({
    item,
    sample: told.slice(0, index).filter(([one]) => one === item).length,
  }));
  const origins = places.map((place) => ({ key: 'k', from: null, ...place }));
  const records: CellInput['records'] = {
    assistant: origins.map((at) => makeRecord({ ...at, stage: 'assistant_turn', status: 'ok', body: answer }, meta)),
    user: [],
    judgement: [],
    score: told.map(([, outcome, marks], index) => {
      const at = { key: 'k', from: null, item: '', sample: 0, ...places[index], stage: 'score' } as const;
      if (outcome === 'error') {
        return makeRecord<Score>({ ...at, status: 'error', error: { kind: 'check_timeout', message: '' } }, meta);
      }
      const score = { outcome, check: 'instructions', extracted: null, expected: '', reason: null };
      return makeRecord<Score>({ ...at, status: 'ok', body: { ...score, instructions: results(marks) } }, meta);
    }),
  };
  const items = [...new Set(told.map(([item]) => item))];
  return cellFrom({ model: 'm', data: 'd', temperature: 0, items, samples, records, maxErrorShare: 1, seed: 5 });
}

test('one sample per item: prompts and single instructions, strictly and loosely, errors in none of them', () => {
  const { accuracy } = cellOf([
    ['a', 'right', 'ss'],
    ['b', 'wrong', 'sl'],
    ['c', 'wrong', '-'],
    ['d', 'unscored', 's?'],
    ['e', 'truncated', '??'],
    ['f', 'error', ''],
  ]);
  const single = (followed: number[]) =>
    clusteredRate(
      [2, 2, 1, 2, 2].map((n, at) => ({ successes: followed[at] ?? 0, n })),
      { seed: 5 },
    );
  expect(accuracy).toEqual({
    right: 1,
    wrong: 2,
    unscored: 1,
    truncated: 1,
    error: 1,
    rate: rate(1, 5),
    instructions: {
      prompt_loose: rate(2, 5),
      instruction_strict: single([2, 1, 0, 1, 0]),
      instruction_loose: single([2, 2, 0, 1, 0]),
    },
  });
  expect(accuracy?.instructions?.instruction_strict).toMatchObject({ value: 4 / 9, n: 9 });
});

test('several samples per item are one cluster, and so are its instructions', () => {
  const { accuracy } = cellOf(
    [
      ['a', 'right', 'ss'],
      ['a', 'wrong', 's-'],
      ['b', 'wrong', 'l'],
      ['b', 'right', 's'],
      ['c', 'wrong', '--'],
      ['c', 'wrong', '--'],
    ],
    2,
  );
  const strict = clusteredRate(
    [
      { successes: 3, n: 4 },
      { successes: 1, n: 2 },
      { successes: 0, n: 4 },
    ],
    { seed: 5 },
  );
  expect(accuracy?.instructions).toMatchObject({ prompt_loose: { value: 3 / 6, n: 6 }, instruction_strict: strict });
  expect(strict).toMatchObject({ value: 0.4, n: 10 });
});

test('nothing checked: nothing is said of instructions', () => {
  expect(cellOf([['a', 'error', '']]).accuracy).not.toHaveProperty('instructions');
});
