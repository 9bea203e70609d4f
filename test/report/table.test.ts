import { styleText } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summaryTable } from '../../report/table.ts';
import { displayWidth } from '../../report/width.ts';
import { cell, decided, instructed, quick, referenced, summaryOf, withoutAnswers } from './fixture.ts';

test('a run with every kind of trouble shows all of it', () => {
  expect(summaryTable(quick)).toMatchInlineSnapshot(`
    "model      data    T      n          right      follow-ups  undec.  unsc.  trunc.  capped  errors
    smol-135m  sums    0     24  29 % [15, 49]  0–63 % [0, 79]      15      2       0   0/0 %   0/0/0
    smol-135m  sums  0.7  22/24  22 % [10, 42]  5–73 % [1, 87]      15      3       1   4/9 %   1/1/1

    48 user turns, 9400 prompt and 7050 completion tokens, 2 errors.
    Bands: undecided turns all not genuine – all genuine. Brackets: 95 % intervals, of both ends.
    n: turns judged/asked for.
    capped: answers/user turns that hit their token limit.
    errors: at answers/up to user turns/at judgements; they are in no rate.
    "
  `);
});

test('a run without trouble has no columns for it', () => {
  expect(summaryTable(decided)).toMatchInlineSnapshot(`
    "model     data   T     n        answers right   genuine follow-ups  unscored
    qwen3-4b  gsm8k  0  1319  90.0 % [88.3, 91.5]  15.2 % [13.4, 17.3]         2
    qwen3-4b  gsm8k  1  1319  83.5 % [81.4, 85.4]  23.7 % [21.4, 26.0]         0

    2638 user turns, 527 600 prompt and 395 700 completion tokens, 0 errors.
    Brackets: 95 % intervals.
    "
  `);
});

test('what has no room is named, errors stay', () => {
  expect(summaryTable(quick, { width: 70 })).toMatchInlineSnapshot(`
    "model      data    T      n          right      follow-ups  errors
    smol-135m  sums    0     24  29 % [15, 49]  0–63 % [0, 79]   0/0/0
    smol-135m  sums  0.7  22/24  22 % [10, 42]  5–73 % [1, 87]   1/1/1

    48 user turns, 9400 prompt and 7050 completion tokens, 2 errors.
    Bands: undecided turns all not genuine – all genuine. Brackets: 95 % intervals, of both ends.
    n: turns judged/asked for.
    errors: at answers/up to user turns/at judgements; they are in no rate.
    No room for: capped, truncated, unscored, undecided (a wider terminal or --json has them).
    "
  `);
});

test('instructions have their four figures beside data that have none', () => {
  const counts = { right: 300, wrong: 241, genuine: 100, artifact: 441 };
  const cells = [instructed(cell(['qwen3-4b', 'ifeval', 0], counts), 20), cell(['qwen3-4b', 'gsm8k', 0], counts)];
  expect(summaryTable(summaryOf(cells))).toMatchInlineSnapshot(`
    "model     data    T    n        answers right   loose  instructions   genuine follow-ups
    qwen3-4b  ifeval  0  541  55.5 % [51.2, 59.6]  59.1 %   55.5/57.3 %  18.5 % [15.4, 22.0]
    qwen3-4b  gsm8k   0  541  55.5 % [51.2, 59.6]       –             –  18.5 % [15.4, 22.0]

    1082 user turns, 216 400 prompt and 162 300 completion tokens, 0 errors.
    Brackets: 95 % intervals.
    loose: answers right in one of eight forms, as IFEval counts them.
    instructions: single ones that were followed, strictly/loosely.
    "
  `);
  expect(summaryTable(summaryOf(cells), { width: 60 })).toMatchInlineSnapshot(`
    "model     data    T    n                right           follow-ups
    qwen3-4b  ifeval  0  541  55.5 % [51.2, 59.6]  18.5 % [15.4, 22.0]
    qwen3-4b  gsm8k   0  541  55.5 % [51.2, 59.6]  18.5 % [15.4, 22.0]

    1082 user turns, 216 400 prompt and 162 300 completion tokens, 0 errors.
    Brackets: 95 % intervals.
    No room for: loose, instructions (a wider terminal or --json has them).
    "
  `);
});

test('data without answers has no column of right ones; a failed cell says so', () => {
  const failed = withoutAnswers(cell(['smol-135m', 'chats', 0], { right: 4, wrong: 4, genuine: 2, artifact: 6 }));
  expect(summaryTable(summaryOf([{ ...failed, state: 'failed' }]))).toMatchInlineSnapshot(`
    "model      data   T  n  genuine follow-ups  state
    smol-135m  chats  0  8        25 % [7, 59]  failed

    8 user turns, 1600 prompt and 1200 completion tokens, 0 errors.
    Brackets: 95 % intervals.
    "
  `);
});

test('a run without cells is a header and its totals', () => {
  expect(summaryTable(summaryOf([]))).toMatchInlineSnapshot(`
    "model  data  T  n  genuine follow-ups

    0 user turns, 0 prompt and 0 completion tokens, 0 errors.
    Brackets: 95 % intervals.
    "
  `);
});

test('wide characters keep the columns aligned, escape sequences never reach the terminal', () => {
  const counts = { right: 2, wrong: 2, genuine: 1, artifact: 3 };
  const names = ['模型-7b', 'plain', '\x1b[31mred\x1b[0m\nrow', '👩‍🔬'];
  const lines = summaryTable(summaryOf(names.map((name) => cell([name, 'sums', 0], counts)))).split('\n');
  expect(lines.slice(0, 5)).toMatchInlineSnapshot(`
    [
      "model    data  T  n  answers right  genuine follow-ups",
      "模型-7b  sums  0  4  50 % [15, 85]        25 % [5, 70]",
      "plain    sums  0  4  50 % [15, 85]        25 % [5, 70]",
      "red row  sums  0  4  50 % [15, 85]        25 % [5, 70]",
      "👩‍🔬       sums  0  4  50 % [15, 85]        25 % [5, 70]",
    ]
  `);
  expect(new Set(lines.slice(1, 5).map(displayWidth)).size).toBe(1);
});

test('colour is painted on after the widths are known', () => {
  const colour = summaryTable(quick, { paint: (style, text) => styleText(style, text, { validateStream: false }) });
  expect(colour).toContain('\x1b[31m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const plain = colour.replaceAll(/\x1b\[\d+m/g, '');
  const trimmed = (text: string) => text.split('\n').map((line) => line.trimEnd());
  expect(trimmed(plain)).toEqual(trimmed(summaryTable(quick)));
});

test('rows fit into 100 columns, whatever the names and counts', () => {
  const count = fc.nat({ max: 200_000 });
  const counts = fc.record({
    right: count,
    wrong: count,
    unscored: count,
    truncated: count,
    genuine: count,
    artifact: count,
    undecided: count,
  });
  const drawn = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 60 }), counts), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(drawn, (rows) => {
      const summary = summaryOf(rows.map(([name, counts]) => cell([name, `data-${name}`, 0.7], counts)));
      for (const line of summaryTable(summary).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(100);
    }),
  );
});

const talks = referenced(cell(['qwen3-4b', 'talks', 0], { right: 0, wrong: 40, genuine: 4, artifact: 36 }), {
  genuine: 20,
  artifact: 4,
});
const undecided = referenced(talks, { genuine: 2, artifact: 4, undecided: 10, judgeErrors: 3 });
const other = cell(['qwen3-4b', 'gsm8k', 0], { right: 30, wrong: 10, genuine: 4, artifact: 36 });

test('what people said stands beside what models said, where there is any', () => {
  expect(summaryTable(summaryOf([talks, other].map(withoutAnswers)))).toMatchInlineSnapshot(`
    "model     data   T   n  genuine follow-ups  reference turns
    qwen3-4b  talks  0  40        10 % [4, 23]             83 %
    qwen3-4b  gsm8k  0  40        10 % [4, 23]                –

    80 user turns, 16 000 prompt and 12 000 completion tokens, 0 errors.
    Brackets: 95 % intervals.
    reference turns: what people said in that place, by the same judge (once an item).
    "
  `);
});

test('undecided ones are a band, and their errors stand apart', () => {
  expect(summaryTable(summaryOf([withoutAnswers(undecided), other]))).toMatchInlineSnapshot(`
    "model     data   T   n  answers right  genuine follow-ups  reference turns   errors
    qwen3-4b  talks  0  40              –        10 % [4, 23]          13–75 %  0/0/0/3
    qwen3-4b  gsm8k  0  40  75 % [60, 86]        10 % [4, 23]                –    0/0/0

    80 user turns, 16 000 prompt and 12 000 completion tokens, 0 errors.
    Bands: undecided turns all not genuine – all genuine. Brackets: 95 % intervals, of both ends.
    reference turns: what people said in that place, by the same judge (once an item).
    errors: at answers/up to user turns/at judgements/at reference turns; they are in no rate.
    "
  `);
});
