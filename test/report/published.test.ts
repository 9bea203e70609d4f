// Printed figures beside ours: which cells are the same, and what is said of them.
import { expect, test } from 'vitest';
import type { Reference } from '../../domain/reference.ts';
import { reference as schema } from '../../domain/reference.ts';
import { besideSection } from '../../report/page/beside.ts';
import { besidePublished, publishedLabels } from '../../report/published.ts';
import { paper } from '../../report/report.ts';
import { cell, summaryOf } from './fixture.ts';
import { readable } from './page/skeleton.ts';

const figure = (over: Record<string, unknown>) => ({
  model: 'Grey-7B',
  data: 'sums',
  condition: 'base',
  temperature: 0,
  metric: 'genuine',
  value: 10,
  printed: '10.0%',
  line: 4,
  ...over,
});

/** A paper made up for these tests. */
const made: Reference = schema.parse({
  paper: 'A paper',
  copy: { sha256: 'a'.repeat(64), about: 'made up' },
  settings: [],
  sources: [
    {
      source: 'Table 1',
      about: 'rates',
      unit: '%',
      figures: [
        figure({}),
        figure({ metric: 'accuracy', value: 50, printed: '50.0%' }),
        figure({ temperature: 1, value: null, low: 20, high: 30, printed: '20–30%' }),
        figure({ condition: 'truncated', value: 90, printed: '90.0%' }),
        figure({ model: 'Grey-70B', value: null, printed: undefined, line: undefined }),
        figure({
          model: null,
          data: null,
          family: 'Grey',
          metric: 'label_share',
          label: 'other',
          value: 3,
          printed: '3%',
        }),
      ],
    },
    {
      source: 'Table 2',
      about: 'again',
      unit: '%',
      figures: [figure({ value: 12, printed: '12.0%', disagrees_with: ['Table 1'] })],
    },
    {
      source: 'Data',
      about: 'items',
      unit: 'items',
      figures: [
        figure({
          model: null,
          condition: undefined,
          temperature: undefined,
          metric: 'items',
          value: 100,
          printed: '100',
        }),
      ],
    },
  ],
});

const counts = { right: 70, wrong: 30, genuine: 11, artifact: 89 };
const data = [{ id: 'sums', adapter: 'jsonl', file: 'f', items: 'i', count: 100, limit: null }];

test('a cell is the same by model, data set and temperature, whoever owns the model and however it is spelt', () => {
  const cells = [
    cell(['lab/grey-7b', 'SUMS', 0], counts),
    cell(['grey-7b', 'sums', 1], counts),
    cell(['grey-7b', 'sums', 0.5], counts),
    cell(['grey-7b-chat', 'sums', 0], counts),
    cell(['Grey-70B', 'sums', 0], counts),
    cell(['grey-7b', 'words', 0], counts),
  ];
  const found = besidePublished(cells, made, data).map(({ model, temperature, metric, printed }) => [
    [model, temperature, metric].join(' '),
    printed.map(({ printed, source, disputed }) => `${source}: ${printed}${disputed ? ', disputed' : ''}`),
  ]);
  expect(found).toMatchInlineSnapshot(`
    [
      [
        "lab/grey-7b 0 accuracy",
        [
          "Table 1: 50.0%",
        ],
      ],
      [
        "lab/grey-7b 0 genuine",
        [
          "Table 1: 10.0%",
          "Table 2: 12.0%, disputed",
        ],
      ],
      [
        "grey-7b 1 genuine",
        [
          "Table 1: 20–30%",
        ],
      ],
    ]
  `);
});

test('the page says which printed rates lie outside ours, and on how many items', () => {
  const provenance = { ...summaryOf([]).provenance, data: data.map((one) => ({ ...one, limit: 40 })) };
  const cells = [cell(['Grey-7B', 'sums', 0], counts), cell(['Grey-7B', 'sums', 1], { ...counts, undecided: 5 })];
  const section = besideSection({ ...summaryOf(cells), provenance }, made);
  expect(readable(section?.markup ?? '')).toMatchInlineSnapshot(`
    "Beside the paper
    These cells are also in A paper: the same model by name, data set and temperature, answers left as they are. Within our 95 % intervals lie 1 of 2 printed rates.
    Model | Data | T | Rate | Ours | Paper | Difference
    Grey-7B | sums 40 of 100 items | 0 | right | 70.0 % [60.4, 78.1] | 50.0% Table 1 | +20.0
    Grey-7B | sums 40 of 100 items | 0 | genuine | 11.0 % [6.3, 18.6] | 10.0% Table 112.0%† Table 2 | +1.0
    Grey-7B | sums 40 of 100 items | 1 | genuine | [6.0, 23.3] | 20–30% Table 1 | –
    Differences are in percentage points, ours less theirs (the first, where several are printed); bold where the printed value lies outside our interval. The paper’s are read from a copy without its tables, one printed figure at a time, each with its place; a † marks one that another place of the same paper contradicts. Its judge, limits on tokens and weights may not be those of this run."
  `);
  expect(section?.markup.match(/<b>[^<]*<\/b>/g)).toEqual(['<b>+20.0</b>', '<b>bold</b>']);
});

test('where no cell is the same there is no such section', () => {
  expect(besideSection(summaryOf([cell(['other', 'sums', 0], counts)]), made)).toBeNull();
  expect(besideSection(summaryOf([cell(['Grey-7B', 'sums', 0], counts)]), null)).toBeNull();
});

test('a family’s printed labels are those of its name and temperature', () => {
  expect([...publishedLabels('grey', 0, made)].map(([label, { printed }]) => [label, printed])).toEqual([
    ['other', '3%'],
  ]);
  expect([publishedLabels('grey', 1, made).size, publishedLabels('gray', 0, made).size]).toEqual([0, 0]);
});

test('the paper’s own cells are found under their names', () => {
  const cells = [cell(['Qwen/Qwen3.5-27B', 'gsm8k', 1], counts), cell(['openai/gpt-oss-20b', 'gsm8k', 0], counts)];
  const found = besidePublished(cells, paper(), data);
  expect(
    found.map(({ model, metric, printed }) => [model, metric, printed.map(({ printed }) => printed).join()]),
  ).toEqual([
    ['Qwen/Qwen3.5-27B', 'genuine', '22.0%'],
    ['openai/gpt-oss-20b', 'accuracy', '93.9%'],
    ['openai/gpt-oss-20b', 'genuine', '1.2%,1.4%'],
  ]);
});
