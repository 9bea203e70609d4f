// What the drawn figures show, read back out of their SVG.
import fc from 'fast-check';
import { compile } from 'vega-lite';
import { expect, test } from 'vitest';
import type { Cell } from '../../../domain/summary.ts';
import { figuresOf, type ReportFigures } from '../../../report/report.ts';
import { cell, decided, quick, summaryOf, withoutAnswers } from '../fixture.ts';

/** Two families with answers to check, one without. */
const sweep = summaryOf(
  [0, 1].flatMap((t) => [
    cell(['Qwen3.5-2B', 'gsm8k', t], { right: 60, wrong: 40, genuine: 1 + 10 * t, artifact: 99 - 10 * t }),
    cell(['Qwen3.5-27B', 'gsm8k', t], { right: 90, wrong: 10, genuine: 2 + 20 * t, artifact: 98 - 20 * t }),
    cell(['gpt-oss-20b', 'gsm8k', t], { right: 88, wrong: 12, genuine: 30 * t, artifact: 100 - 30 * t }),
    withoutAnswers(cell(['GLM-4.7', 'talks', t], { right: 0, wrong: 50, genuine: 20, artifact: 30 })),
  ]),
);

const all = ({ curves, scatter, labels, families }: ReportFigures) => [...curves, ...scatter, ...labels, ...families];
const textsIn = (svg = '') => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join(' | ');

test('a figure of each rate and data set, at both ends of temperature, of labels, and one of families', async () => {
  const figures = all(await figuresOf(sweep));
  expect(figures.map(({ name, title, data }) => [name, title, data].join(', '))).toMatchInlineSnapshot(`
    [
      "accuracy-gsm8k, Answers right, gsm8k",
      "follow-up-gsm8k, Genuine follow-ups, gsm8k",
      "follow-up-talks, Genuine follow-ups, talks",
      "scatter-gsm8k-lowest, T = 0, gsm8k",
      "scatter-gsm8k-highest, T = 1, gsm8k",
      "labels-gsm8k, Labels, gsm8k",
      "labels-talks, Labels, talks",
      "families, Labels by family, ",
    ]
  `);
});

test('a figure says in words what it shows', async () => {
  const figures = all(await figuresOf(sweep));
  const text = (name: string) => figures.find((one) => one.name === name)?.text;
  expect(['follow-up-gsm8k', 'scatter-gsm8k-highest', 'labels-talks', 'families'].map(text)).toMatchInlineSnapshot(`
    [
      "Genuine follow-ups on gsm8k by temperature. Qwen3.5-2B: 1.0 % at 0, 11.0 % at 1. Qwen3.5-27B: 2.0 % at 0, 22.0 % at 1. gpt-oss-20b: 0 % at 0, 30.0 % at 1.",
      "Answers right against genuine follow-ups on gsm8k at temperature 1. Qwen3.5-2B: 60.0 % right, 11.0 % genuine. Qwen3.5-27B: 90.0 % right, 22.0 % genuine. gpt-oss-20b: 88.0 % right, 30.0 % genuine.",
      "Labels of user turns on talks. GLM-4.7 at temperature 0: plausible followup 40 %, malformed artifact 60 %. GLM-4.7 at temperature 1: plausible followup 40 %, malformed artifact 60 %.",
      "Labels of user turns by family of models. Qwen3.5 at temperature 0: plausible followup 1.5 %, malformed artifact 98.5 %. Qwen3.5 at temperature 1: plausible followup 16.5 %, malformed artifact 83.5 %. gpt-oss at temperature 0: malformed artifact 100 %. gpt-oss at temperature 1: plausible followup 30.0 %, malformed artifact 70.0 %. GLM-4.7 at temperature 0: plausible followup 40.0 %, malformed artifact 60.0 %. GLM-4.7 at temperature 1: plausible followup 40.0 %, malformed artifact 60.0 %.",
    ]
  `);
  const [, quickly] = (await figuresOf(quick)).curves;
  expect(quickly?.text).toMatchInlineSnapshot(
    `"Genuine follow-ups on sums by temperature. smol-135m: 0–63 % at 0, 5–73 % at 0.7."`,
  );
});

test('models are named in it, and its axes are temperatures and percentages', async () => {
  const { curves, scatter } = await figuresOf(sweep);
  expect(textsIn(curves[1]?.svg)).toMatchInlineSnapshot(
    `"0 | 1 | temperature | 0 | 20 | 40 | 60 % | Qwen3.5-2B | Qwen3.5-27B | gpt-oss-20b"`,
  );
  expect(textsIn(scatter[1]?.svg)).toMatchInlineSnapshot(
    `"50 | 60 | 70 | 80 | 90 | 100 % | answers right | 0 | 10 | 20 | 30 | 40 % | Qwen3.5-2B | Qwen3.5-27B | gpt-oss-20b"`,
  );
});

test('undecided turns are a bar and no point', async () => {
  const points = (svg = '') => svg.match(/<path [^>]*stroke="#fdfdfb"/g)?.length ?? 0;
  const bars = (svg = '') => svg.match(/stroke-width="5"/g)?.length ?? 0;
  const [, open] = (await figuresOf(quick)).curves;
  const [, closed] = (await figuresOf(decided)).curves;
  expect([points(open?.svg), bars(open?.svg), points(closed?.svg), bars(closed?.svg)]).toEqual([0, 2, 2, 0]);
});

test('the same cells give the same bytes', async () => {
  expect(all(await figuresOf(sweep))).toEqual(all(await figuresOf(sweep)));
});

test('a saved specification is read by Vega-Lite without a complaint', async () => {
  for (const { spec, name } of all(await figuresOf(sweep))) {
    const said: unknown[] = [];
    const logger = {
      level: () => 0,
      warn: (...words: unknown[]) => (said.push(words), logger),
      info: () => logger,
      debug: () => logger,
      error: (...words: unknown[]) => (said.push(words), logger),
    };
    compile(JSON.parse(JSON.stringify(spec)) as typeof spec, { logger });
    expect([name, said]).toEqual([name, []]);
  }
});

test('everything is drawn in figures of one width, with numbers that are numbers', async () => {
  const count = fc.nat({ max: 500 });
  const counts = fc.record({ right: count, wrong: count, genuine: count, artifact: count, undecided: count });
  const temperature = fc.double({ min: 0, max: 2, noNaN: true });
  const place = fc.tuple(fc.constantFrom('a-1b', 'a-2b', 'b', 'c'.repeat(60)), fc.constantFrom('d', 'e'), temperature);
  const rows = fc.uniqueArray(fc.tuple(place, counts), { selector: ([at]) => at.join(), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      const cells: Cell[] = rows.map(([at, its]) => cell(at, its));
      for (const { svg } of all(await figuresOf(summaryOf(cells)))) {
        expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
        const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
        expect(Number(width)).toBe(360);
        expect(Number(height)).toBeLessThan(1000);
      }
    }),
    { numRuns: 12 },
  );
});
