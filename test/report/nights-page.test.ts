// The page of a schedule's nights.
import { expect, test } from 'vitest';
import type { NightVerdict } from '../../domain/nights/night.ts';
import type { CellRates } from '../../domain/nights/rates.ts';
import { type NightGate, regression } from '../../domain/nights/regression.ts';
import { looksOf } from '../../report/figures/looks.ts';
import { nightsPage } from '../../report/nights/page.ts';
import { trendFigures } from '../../report/nights/trend.ts';

const gate: NightGate = { measures: ['follow_up', 'accuracy'], alpha: 0.05, power: 0.8, at_least: 0.1 };
const model = 'odd"</svg><b>&';

function cell(right: number): CellRates {
  const items = new Map(Array.from({ length: 60 }, (_, at) => [`i${at}`, { successes: at < right ? 1 : 0, n: 1 }]));
  return { model, data: 'sums <i>', temperature: 0.7, measure: 'accuracy', items };
}

const nights = [50, 50, 20, 50].map((right, at): NightVerdict => {
  const found = regression([cell(right)], { baseline: at === 0 ? [] : [cell(50)], gate, seed: 1 });
  const nominal = `2026-03-0${at + 1}T02:00:00.000Z`;
  return { format: 1, schedule: 'smoke', nominal, run: `smoke-${at}`, problem: null, baseline: [], gate, ...found };
});
const rows = nights.map((verdict) => ({ ...verdict, state: verdict.verdict, verdict }));
const missed = { nominal: '2026-03-05T02:00:00.000Z', state: 'missed', run: null, verdict: null };

test('every night stands in the table, the newest first, and counts in the summary', async () => {
  const page = await nightsPage('smoke', [...rows, missed]);
  expect(page).toContain('<p>5 nights: 1 inconclusive, 2 pass, 1 fail, 1 missed.</p>');
  const nominals = [...page.matchAll(/<th scope="row">(2026-03-0\d)/g)].map(([, day]) => day);
  expect(nominals).toEqual(['2026-03-05', '2026-03-04', '2026-03-03', '2026-03-02', '2026-03-01']);
  expect(page).not.toContain('<b>');
  expect(page).not.toMatch(/<script|https?:\/\/(?!vega)/);
  expect(await nightsPage('smoke', [...rows, missed])).toBe(page);
});

test('a figure has each night’s own rate, also of the first, and marks the night that failed', () => {
  const [figure, ...others] = trendFigures(nights, looksOf([model]));
  expect(others).toEqual([]);
  expect(figure?.text).toContain(
    '83.3 % on 2026-03-01, 83.3 % on 2026-03-02, 33.3 % on 2026-03-03, which failed, 83.3 %',
  );
  expect(figure?.spec).toMatchObject({
    data: { values: nights.map((_, night) => expect.objectContaining({ night })) },
  });
});

test('a schedule without a night says so', async () => {
  expect(await nightsPage('smoke', [])).toContain('No night has measured anything yet.');
});
