import { expect, test } from 'vitest';
import { costText, judgingText } from '../../report/cost.ts';
import { summaryTable } from '../../report/table.ts';
import { cell, summaryOf } from './fixture.ts';

const totals = { prompt_tokens: 400, completion_tokens: 300, errors: 0 };

test.each([
  [{}, null, null],
  [{ judge_prompt_tokens: 12_000, judge_completion_tokens: 340 }, '12\u202f000 prompt and 340 completion tokens', null],
  [{ usd_generation: 1.204, usd_judging: null }, null, 'US$ 1.20 for turns'],
  [{ usd_generation: null, usd_judging: 0.001 }, null, 'US$ <0.01 for judging'],
  [{ usd_generation: 0, usd_judging: 2 }, null, 'US$ 0.00 for turns, US$ 2.00 for judging'],
])('of %j it says %j and %j', (more, judging, cost) => {
  expect([judgingText({ ...totals, ...more }), costText({ ...totals, ...more })]).toEqual([judging, cost]);
});

test('a table says below what judging took and what all of it cost', () => {
  const summary = summaryOf([cell(['m', 'd', 0], { right: 2, wrong: 0, genuine: 1, artifact: 1 })]);
  const spent = { judge_prompt_tokens: 1_000, judge_completion_tokens: 50, usd_generation: null, usd_judging: 0.02 };
  const table = summaryTable({ ...summary, totals: { ...summary.totals, ...spent } });
  expect(table.split('\n').slice(3, 6)).toEqual([
    '2 user turns, 400 prompt and 300 completion tokens, 0 errors.',
    'Judging took 1000 prompt and 50 completion tokens.',
    'Cost: US$ 0.02 for judging.',
  ]);
});
