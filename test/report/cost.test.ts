import { expect, test } from 'vitest';
import type { Cell, Summary } from '../../domain/summary.ts';
import { costText, judgingText } from '../../report/cost.ts';
import { provenanceSection } from '../../report/page/provenance.ts';
import { summaryTable } from '../../report/table.ts';
import { cell, summaryOf } from './fixture.ts';

const counts = { right: 2, wrong: 0, genuine: 1, artifact: 1 };
const judging = { prompt: 12_000, completion: 340, uncounted: 0 };
const of = (model: string, more: Partial<Cell> = {}) => ({ ...cell([model, 'd', 0], counts), ...more });
const usd = (generation: number | null, judging: number | null) => ({ usd: { generation, judging } });

const withTotals = (cells: Cell[], more: Partial<Summary['totals']>): Summary => {
  const summary = summaryOf(cells);
  return { ...summary, totals: { ...summary.totals, ...more } };
};

test.each<[totals: Partial<Summary['totals']>, said: string | null]>([
  [{}, null],
  [{ judge_prompt_tokens: 12_000, judge_completion_tokens: 340 }, '12\u202f000 prompt and 340 completion tokens'],
  [{ judge_uncounted: 1 }, 'unknown tokens for 1 judgement'],
  [
    { judge_prompt_tokens: 100, judge_completion_tokens: 20, judge_uncounted: 2 },
    '100 prompt and 20 completion tokens, and unknown tokens for 2 judgements',
  ],
])('of %j it says that judging took %j', (totals, said) => {
  expect(judgingText(withTotals([of('m')], totals))).toBe(said);
});

test.each<[what: string, cells: Cell[], totals: Partial<Summary['totals']>, said: string | null]>([
  ['no prices', [of('m', { judging })], {}, null],
  [
    'prices for all',
    [of('m', { judging, ...usd(0, 2) })],
    { usd_generation: 0, usd_judging: 2 },
    'US$ 0.00 for turns, US$ 2.00 for judging, of the records kept',
  ],
  [
    'no judge, and prices for the models',
    [of('m', usd(1.204, null))],
    { usd_generation: 1.204, usd_judging: null },
    'US$ 1.20 for turns, of the records kept',
  ],
  [
    'prices for some models',
    [of('a', usd(1, null)), of('a', usd(1, null)), of('b'), of('c', usd(null, null))],
    { usd_generation: 2, usd_judging: null },
    'US$ 2.00 for turns, of the records kept; no prices for 2 of 3 models',
  ],
  [
    'prices for the judge alone',
    [of('m', { judging, ...usd(null, 0.001) })],
    { usd_generation: null, usd_judging: 0.001 },
    'US$ <0.01 for judging, of the records kept; no prices for the models',
  ],
  [
    'prices for one model and not for the judge',
    [of('a', { judging, ...usd(1, null) }), of('b', { judging })],
    { usd_generation: 1, usd_judging: null },
    'US$ 1.00 for turns, of the records kept; no prices for 1 of 2 models and the judge',
  ],
  [
    'tokens that nobody counted',
    [of('m', { judging: { ...judging, uncounted: 1_200 }, ...usd(1, 0.5) })],
    { usd_generation: 1, usd_judging: 0.5, judge_uncounted: 1_200 },
    'US$ 1.00 for turns, US$ 0.50 for judging, of the records kept; 1200 judgements of unknown tokens counted as 0',
  ],
])('with %s the cost is told with what it is of', (_, cells, totals, said) => {
  expect(costText(withTotals(cells, totals))).toBe(said);
});

test('table and page say what judging took and what all of it cost', () => {
  const spent = { judge_prompt_tokens: 1_000, judge_completion_tokens: 50, usd_generation: null, usd_judging: 0.02 };
  const summary = withTotals([of('m', { judging, ...usd(null, 0.02) })], spent);
  const cost = 'US$ 0.02 for judging, of the records kept; no prices for the models';
  expect(summaryTable(summary).split('\n').slice(3, 6)).toEqual([
    '2 user turns, 400 prompt and 300 completion tokens, 0 errors.',
    'Judging took 1000 prompt and 50 completion tokens.',
    `Cost: ${cost}.`,
  ]);
  expect(JSON.stringify(provenanceSection(summary))).toContain(cost);
});
