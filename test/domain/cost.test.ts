import { expect, test } from 'vitest';
import { totalCost, withCost } from '../../domain/cost.ts';
import { judgementFact } from '../../domain/facts.ts';
import { type Judgement, makeRecord, type StageRecord, type Usage } from '../../domain/records/record.ts';
import { cell } from '../report/fixture.ts';
import { factsFrom } from './told.ts';

const judgement = (item: string, usage?: Usage, sample = 0, requests = usage === undefined ? 0 : 1) =>
  makeRecord<Judgement>(
    {
      stage: 'judgement',
      key: 'k',
      item,
      sample,
      from: 'f',
      status: 'error',
      error: { kind: 'judge_error', message: '' },
    },
    {
      attempt: 'a',
      at: '2026-01-01T00:00:00.000Z',
      ms: 1,
      host: 'h',
      requests,
      ...(usage !== undefined && { usage }),
    },
  );

const plain = cell(['m', 'd', 0], { right: 2, wrong: 0, genuine: 1, artifact: 1 });
const made = [
  judgement('a', { prompt: 100, completion: 10 }),
  judgement('b'),
  judgement('beyond the limit', { prompt: 9_999, completion: 999 }),
  judgement('a', { prompt: 9_999, completion: 999 }, 1),
];
const judging = (...records: StageRecord<Judgement>[]) =>
  factsFrom({ items: ['a', 'b'], samples: 1 }, records, judgementFact).judging();
const at = judging(...made);
const prices = { prompt: 1_000, completion: 10_000 };

test('a judge’s tokens are those of the cell’s own records, failed ones too', () => {
  expect(withCost(plain, { model: null, judge: { prices: null } }, at)).toEqual({
    ...plain,
    judging: { prompt: 100, completion: 10, uncounted: 0 },
  });
});

test('a judgement that was asked for and has no count is known as such, one of the rules is not', () => {
  const uncounted = judging(...made, judgement('b', undefined, 0, 1));
  const spent = withCost(plain, { model: null, judge: { prices } }, uncounted);
  expect([spent.judging, spent.usd?.judging]).toEqual([{ prompt: 100, completion: 10, uncounted: 1 }, 0.2]);
  expect(totalCost([spent, spent])).toMatchObject({ judge_uncounted: 2, judge_prompt_tokens: 200 });
});

test('money is there where a price is: for turns, for judging, or for both', () => {
  expect(withCost(plain, { model: prices, judge: null }, at).usd).toEqual({ generation: 0.4 + 3, judging: null });
  expect(withCost(plain, { model: null, judge: { prices } }, at).usd).toEqual({ generation: null, judging: 0.2 });
});

test('without a model that judges and without prices nothing is added', () => {
  expect(withCost(plain, { model: null, judge: null }, at)).toEqual(plain);
});

test('totals sum what is known, and say nothing of what is not', () => {
  const priced = withCost(plain, { model: null, judge: { prices } }, at);
  expect(totalCost([priced, plain, priced])).toEqual({
    judge_prompt_tokens: 200,
    judge_completion_tokens: 20,
    judge_uncounted: 0,
    usd_generation: null,
    usd_judging: 0.4,
  });
});

test('what cells share is in the totals once, and priced as they are', () => {
  const judge = { prices };
  const priced = withCost(plain, { model: null, judge }, at);
  expect(totalCost([priced, priced], { judged: [at], judge })).toMatchObject({
    judge_prompt_tokens: 300,
    judge_completion_tokens: 30,
    usd_judging: expect.closeTo(0.6),
  });
  expect(totalCost([plain], { judged: [at], judge: { prices: null } })).toMatchObject({
    judge_prompt_tokens: 100,
    usd_judging: null,
  });
});
