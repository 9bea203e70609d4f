// The paper's figures as data: complete, in range, and honest about where the paper disagrees with itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellOf, type Figure, isShareOf, reference } from '../../domain/reference.ts';

const file = join(import.meta.dirname, '..', '..', 'configs', 'reference', 'probe.json');
const probe = reference.parse(JSON.parse(readFileSync(file, 'utf8')));
const all = probe.sources.flatMap(({ source, figures }) => figures.map((one) => ({ source, ...one })));
const named = ({ source, model, family, data, condition, metric }: (typeof all)[number]) =>
  [source, model ?? family, data, condition, metric].filter((part) => part !== null).join(' ');
const itemsOf = (data: string | null) => all.find((one) => one.metric === 'items' && one.data === data)?.value ?? null;

test('each source has every cell once', () => {
  for (const { source, figures } of probe.sources) {
    expect(new Set(figures.map(cellOf)).size, source).toBe(figures.length);
  }
  expect(
    probe.sources.map(({ source, figures }) => {
      const values = figures.filter(({ value }) => value !== null).length;
      const ranges = figures.filter(({ value, high }) => value === null && high !== null).length;
      return `${source}: ${figures.length} cells, ${values} printed, ${ranges} as a range`;
    }),
  ).toEqual([
    'Table 1 left: 20 cells, 20 printed, 0 as a range',
    'Table 1 right: 15 cells, 15 printed, 0 as a range',
    'Table 2: 15 cells, 15 printed, 0 as a range',
    'Table 3: 80 cells, 28 printed, 11 as a range',
    'Table 4: 96 cells, 27 printed, 0 as a range',
    'Table 5: 30 cells, 15 printed, 0 as a range',
    'Figure 1 right: 36 cells, 10 printed, 6 as a range',
    'Table 6: 24 cells, 15 printed, 0 as a range',
    'Data: 7 cells, 7 printed, 0 as a range',
    'Judges: 29 cells, 19 printed, 0 as a range',
  ]);
});

test('what a figure says is what is printed there', () => {
  const numbers = (text: string) =>
    (text.match(/\d[\d,]*(\.\d+)?/g) ?? []).map((one) => Number(one.replaceAll(',', '')));
  const wrong = all.filter(({ value, low, high, printed }) => {
    const said = [value, low, high].filter((one) => one !== null);
    return printed !== null && !said.every((one) => numbers(printed).includes(one));
  });
  expect(wrong.map(named)).toEqual([]);
});

test('shares are between 0 and 100, agreement by κ between 0 and 1', () => {
  const top = ({ unit }: Figure) => ({ '%': 100, κ: 1, items: 10_000 })[unit];
  const outside = all.filter((one) =>
    [one.value, one.low, one.high].some((v) => v !== null && (v < 0 || v > top(one))),
  );
  expect(outside.map(named)).toEqual([]);
  expect(all.filter(({ metric, unit }) => (metric === 'kappa') !== (unit === 'κ'))).toEqual([]);
});

test('labels of a family do not add up to more than all of its turns', () => {
  const sums = Map.groupBy(
    all.filter(({ metric }) => metric === 'label_share'),
    ({ family }) => family,
  );
  expect(
    [...sums].map(([family, of]) => [family, of.reduce((sum, { value }) => sum + (value ?? 0), 0) <= 100]),
  ).toEqual([
    ['Qwen3.5', true],
    ['gpt-oss', true],
    ['GLM-4.7', true],
  ]);
});

test('where two sources print another value for one cell, both say so', () => {
  const values = Map.groupBy(
    all.filter(({ value }) => value !== null),
    cellOf,
  );
  const flagged = all.filter(({ disagrees_with }) => disagrees_with.length > 0);
  for (const one of all.filter(({ value }) => value !== null)) {
    const others = (values.get(cellOf(one)) ?? []).filter(({ value }) => value !== one.value);
    expect(one.disagrees_with, named(one)).toEqual(others.map(({ source }) => source));
  }
  expect(new Set(flagged.map(cellOf)).size).toBe(12);
  expect(flagged.filter(({ data }) => data === 'gpqa-diamond').map((one) => `${named(one)} ${one.value}`)).toEqual([
    'Table 1 left Qwen3.5-27B gpqa-diamond base genuine 1',
    'Table 1 left Qwen3.5-397B-A17B gpqa-diamond base genuine 2',
    'Table 1 left gpt-oss-20b gpqa-diamond base genuine 1',
    'Table 1 left gpt-oss-120b gpqa-diamond base genuine 20.7',
    'Table 1 left GLM-4.7 gpqa-diamond base genuine 2',
    'Table 2 Qwen3.5-2B gpqa-diamond base genuine 2',
    'Table 3 Qwen3.5-2B gpqa-diamond base genuine 0',
    'Table 3 Qwen3.5-27B gpqa-diamond base genuine 1.5',
    'Table 3 Qwen3.5-397B-A17B gpqa-diamond base genuine 0.5',
    'Table 4 Qwen3.5-27B gpqa-diamond base genuine 1.5',
    'Table 5 gpt-oss-20b gpqa-diamond base genuine 20.7',
    'Table 5 gpt-oss-120b gpqa-diamond base genuine 16.7',
    'Table 5 GLM-4.7 gpqa-diamond base genuine 1.5',
    'Figure 1 right gpt-oss-20b gpqa-diamond base genuine 20.7',
    'Figure 1 right GLM-4.7 gpqa-diamond base genuine 1.5',
  ]);
});

test('every printed share can be a share of the items, except those that docs/paper.md names', () => {
  const impossible = all.filter(({ unit, value, n, data }) => {
    const of = n ?? itemsOf(data);
    return unit === '%' && value !== null && of !== null && !isShareOf(value, of);
  });
  expect(impossible.map((one) => `${named(one)} ${one.value}`)).toEqual([
    'Table 2 Qwen3.5-2B coval base genuine 19.4',
    'Table 2 Qwen3.5-2B coval sft genuine 45.2',
    'Table 3 Qwen3.5-0.8B ifbench base accuracy 21.6',
    'Table 3 Qwen3.5-397B-A17B ifbench base accuracy 51.6',
    'Table 3 Qwen3.5-9B gpqa-diamond base accuracy 78.6',
    'Table 3 Qwen3.5-397B-A17B gpqa-diamond base accuracy 86.1',
    'Table 5 GLM-4.7 gpqa-diamond base accuracy 66.4',
  ]);
});

test.each([
  [33.3, 3, true],
  [66.7, 3, true],
  [66.6, 3, false],
  [0, 7, true],
  [100, 7, true],
  [19.4, 31, true],
  [19.4, 100, false],
])('percent %s can be a share of %s items: %s', (percent, n, can) => {
  expect(isShareOf(percent, n)).toBe(can);
});

test('a value without its place, or a place without a value, is refused', () => {
  const [first] = probe.sources;
  const refused = (change: Record<string, unknown>) => {
    const figures = [{ model: 'm', metric: 'genuine', value: 1, printed: '1%', line: 3, ...change }];
    return !reference.safeParse({ ...probe, sources: [{ ...first, figures }] }).success;
  };
  expect(
    [
      {},
      { printed: null },
      { line: null },
      { value: null },
      { value: null, high: 2 },
      { value: null, printed: null, line: null },
    ].map(refused),
  ).toEqual([false, true, true, true, false, false]);
});
