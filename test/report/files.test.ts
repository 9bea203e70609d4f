// The report as a folder, and its Markdown.
import { expect, test } from 'vitest';
import { reportFiles } from '../../report/files.ts';
import { figuresOf, type Report } from '../../report/report.ts';
import { cell, decided, quick, reportOf, summaryOf } from './fixture.ts';

const drawn = async (summary: Report['summary'], over: Partial<Report> = {}) =>
  reportOf(summary, [], { figures: await figuresOf(summary), ...over });

const fileOf = async (report: Report, path: string) =>
  (await reportFiles(report)).find((one) => one.path === path)?.text ?? '';

test('a folder holds the page, Markdown, CSV, and each figure twice', async () => {
  const files = await reportFiles(await drawn(decided));
  expect(files.map(({ path }) => path)).toMatchInlineSnapshot(`
    [
      "report.html",
      "report.md",
      "cells.csv",
      "figures/accuracy-gsm8k.svg",
      "figures/accuracy-gsm8k.vl.json",
      "figures/follow-up-gsm8k.svg",
      "figures/follow-up-gsm8k.vl.json",
      "figures/labels-gsm8k.svg",
      "figures/labels-gsm8k.vl.json",
    ]
  `);
});

test('the page links to every file beside it, and the Markdown shows every figure', async () => {
  const files = await reportFiles(await drawn(decided));
  const paths = files.map(({ path }) => path);
  const text = (path: string) => files.find((one) => one.path === path)?.text ?? '';
  const links = [...text('report.html').matchAll(/href="([^"#]+)"/g)].map(([, target]) => target);
  expect(new Set(links)).toEqual(new Set(paths.filter((path) => path !== 'report.html')));
  const images = [...text('report.md').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target]) => target);
  expect(new Set(images)).toEqual(new Set(paths.filter((path) => path.endsWith('.svg'))));
});

test('a figure’s files hold the figure with its title', async () => {
  const report = await drawn(decided);
  const spec = JSON.parse(await fileOf(report, 'figures/follow-up-gsm8k.vl.json')) as Record<string, unknown>;
  expect([spec['$schema'], spec['title']]).toMatchInlineSnapshot(`
    [
      "https://vega.github.io/schema/vega-lite/v6.json",
      {
        "anchor": "start",
        "dx": -42,
        "offset": 10,
        "text": "Genuine follow-ups, gsm8k",
      },
    ]
  `);
  const svg = await fileOf(report, 'figures/follow-up-gsm8k.svg');
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="360" /);
  expect(svg).toContain('>Genuine follow-ups, gsm8k</text>');
  expect(svg).not.toContain('var(--');
});

test('the same report gives the same files', async () => {
  expect(await reportFiles(await drawn(quick))).toEqual(await reportFiles(await drawn(quick)));
});

test('the Markdown reads like this', async () => {
  expect(await fileOf(await drawn(quick), 'report.md')).toMatchInlineSnapshot(`
    "# quick

    After each answer to a question from sums, smol-135m went on as the user: the same model, given nothing but its own chat template’s header for a user turn, wrote what the user says next. That makes 48 user turns, at temperatures 0 and 0.7.

    Two things are counted: how many answers are right, and how many of the user turns are genuine follow-ups, that is, something a person who had read the answer might well say next. Right are 22 to 29 % of the answers. The judge of this run calls only clear cases, so follow-up rates are bands: from no undecided turn is genuine to all of them are.

    ## Results

    | data | model | T | n | answers right | genuine follow-ups | undecided | unscored | truncated | errors |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | sums | smol-135m | 0 | 24 | 29 % [15, 49] | 0–63 % [0, 79] | 15 | 2 | 0 | 0 |
    | sums | smol-135m | 0.7 | 22 of 24 | 22 % [10, 42] | 5–73 % [1, 87] | 15 | 3 | 1 | 3 |

    Brackets are 95 % intervals; n is the number of user turns that were judged, undecided ones among them.

    ## By temperature

    ![Answers right, sums](figures/accuracy-sums.svg)
    ![Genuine follow-ups, sums](figures/follow-up-sums.svg)

    ## What the user turns were

    ![Labels, sums](figures/labels-sums.svg)

    | data | model | T | judged | plausible followup | malformed artifact | undecided |
    | --- | --- | ---: | ---: | ---: | ---: | ---: |
    | sums | smol-135m | 0 | 24 | 0 | 9 | 15 |
    | sums | smol-135m | 0.7 | 22 | 1 | 6 | 15 |

    ## What it took

    9400 tokens in prompts and 7050 generated.

    ## How it was made

    - Run: quick-3f9a1c
    - Plan: 3f9a1c0b5d7e4f60a1b2c3d4e5f60718
    - Model: smol-135m, node-llama-cpp 3.14, weights sha256:5e1f0a, template sha256:9ab1
    - Data: sums, 24 of 24 items, read as jsonl, file f00d, items beef
    - Judge: rules@1
    - Sampling: top\\_p 1, top\\_k 0, min\\_p 0, repetition\\_penalty 1
    - Token limits: answer 256, user turn 96
    - Seed: 1
    - Made with: uturn 0.1.0
    "
  `);
});

test('names do nothing to the Markdown’s tables, and two that look alike as files stay apart', async () => {
  const names = ['a|b', '`x` <b>', '[y](z)', '*\n| - |', 'a b'];
  const cells = names.map((name) => cell([name, name, 0], { right: 1, wrong: 1, genuine: 1, artifact: 1 }));
  const report = await drawn(summaryOf(cells));
  const rows = (await fileOf(report, 'report.md')).split('\n').filter((line) => line.startsWith('|'));
  const columns = rows.slice(0, 7).map((row) => row.replaceAll('\\|', '').split('|').length);
  expect(new Set(columns).size).toBe(1);
  expect(rows.slice(2, 7).map((row) => row.split(' | 0 | ')[0])).toMatchInlineSnapshot(`
    [
      "| a\\|b | a\\|b",
      "| \\\`x\\\` \\<b\\> | \\\`x\\\` \\<b\\>",
      "| \\[y\\](z) | \\[y\\](z)",
      "| \\* \\| - \\| | \\* \\| - \\|",
      "| a b | a b",
    ]
  `);
  const paths = (await reportFiles(report)).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.every((path) => /^[a-z0-9/.-]+$/.test(path))).toBe(true);
});
