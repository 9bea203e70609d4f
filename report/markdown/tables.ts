// The report's tables in Markdown.
import { labels } from '../../domain/records/record.ts';
import type { Reference } from '../../domain/reference.ts';
import type { Rate } from '../../domain/stats/rate.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import { differenceText } from '../conditions-table.ts';
import type { Failures } from '../failures.ts';
import { familyShares } from '../families.ts';
import { decimalsFor, followUpText, grouped, intervalText, percent, rateText } from '../numbers.ts';
import { besidePublished } from '../published.ts';
import { type Align, md, table } from './escape.ts';

const number = (name: string): [string, Align] => [name, 'right'];
const word = (name: string): [string, Align] => [name, 'left'];

export function resultTable(cells: Cell[]): string {
  const decimals = decimalsFor(cells);
  const failed = ({ accuracy, follow_up }: Cell) => follow_up.error + follow_up.judge_error + (accuracy?.error ?? 0);
  const optional: { head: [string, Align]; is: (cell: Cell) => boolean; text: (cell: Cell) => string }[] = [
    {
      head: number('reference turns'),
      is: ({ reference }) => reference !== undefined,
      text: ({ reference }) => (reference ? followUpText(reference, decimals) : '–'),
    },
    {
      head: number('undecided'),
      is: ({ follow_up }) => follow_up.undecided > 0,
      text: ({ follow_up }) => grouped(follow_up.undecided),
    },
    {
      head: number('unscored'),
      is: ({ accuracy }) => (accuracy?.unscored ?? 0) > 0,
      text: ({ accuracy }) => grouped(accuracy?.unscored ?? 0),
    },
    {
      head: number('truncated'),
      is: ({ accuracy }) => (accuracy?.truncated ?? 0) > 0,
      text: ({ accuracy }) => grouped(accuracy?.truncated ?? 0),
    },
    { head: number('errors'), is: (cell) => failed(cell) > 0, text: (cell) => grouped(failed(cell)) },
    { head: word('state'), is: ({ state }) => state !== 'complete', text: ({ state }) => state },
  ];
  const shown = optional.filter(({ is }) => cells.some(is));
  const head = [
    word('data'),
    word('model'),
    number('T'),
    number('n'),
    number('answers right'),
    number('genuine follow-ups'),
    ...shown.map((one) => one.head),
  ];
  return table(
    head,
    byData(cells).map((cell) => [
      md(cell.data),
      md(cell.model),
      String(cell.temperature),
      cell.follow_up.judged === cell.samples
        ? grouped(cell.samples)
        : `${grouped(cell.follow_up.judged)} of ${grouped(cell.samples)}`,
      cell.accuracy === null ? '–' : rateText(cell.accuracy.rate, decimals),
      followUpText(cell.follow_up, decimals),
      ...shown.map(({ text }) => text(cell)),
    ]),
  );
}

export function labelTable(cells: Cell[]): string | null {
  const used = labels.filter((label) => cells.some(({ follow_up }) => follow_up.labels[label] > 0));
  if (used.length === 0) return null;
  return table(
    [
      word('data'),
      word('model'),
      number('T'),
      number('judged'),
      ...used.map((label) => number(label.replaceAll('_', ' '))),
      number('undecided'),
    ],
    byData(cells).map(({ data, model, temperature, follow_up }) => [
      md(data),
      md(model),
      String(temperature),
      grouped(follow_up.judged),
      ...used.map((label) => grouped(follow_up.labels[label])),
      grouped(follow_up.undecided),
    ]),
  );
}

export function familyTable(cells: Cell[]): string | null {
  const shares = familyShares(cells);
  const used = labels.filter((label) => shares.some((one) => one.labels[label] > 0));
  if (shares.length === 0 || used.length === 0) return null;
  const decimals = decimalsFor(cells);
  const share = (count: number, n: number) => (count === 0 ? '0' : `${percent(count / n, decimals)} %`);
  return table(
    [
      word('family'),
      number('T'),
      number('n'),
      ...used.map((label) => number(label.replaceAll('_', ' '))),
      number('undecided'),
    ],
    shares.map((one) => [
      md(one.family),
      String(one.temperature),
      grouped(one.n),
      ...used.map((label) => share(one.labels[label], one.n)),
      share(one.undecided, one.n),
    ]),
  );
}

export function publishedTable({ cells, provenance }: Summary, reference: Reference | null): string | null {
  const rows = reference === null ? [] : besidePublished(cells, reference, provenance.data);
  if (reference === null || rows.length === 0) return null;
  const decimals = decimalsFor(cells);
  const text = table(
    [word('model'), word('data'), number('T'), word('rate'), number('ours'), word('paper')],
    rows.map(({ model, data, temperature, metric, ours, printed }) => [
      md(model),
      md(data),
      String(temperature),
      metric === 'accuracy' ? 'right' : 'genuine',
      ours.value === null ? intervalText(ours, decimals) : rateText(ours, decimals),
      printed.map((one) => md(`${one.printed}${one.disputed ? '†' : ''} (${one.source})`)).join(', '),
    ]),
  );
  return `${text}\n\nThe paper is *${md(reference.paper)}*; † marks a figure that another place of it contradicts.`;
}

/** Null where nothing was done to answers. */
export function conditionTable({ conditions }: Summary): string | null {
  if (conditions === undefined || conditions.length === 0) return null;
  const decimals = decimalsFor(conditions);
  const rateOf = (rate: Rate | undefined) => (rate === undefined ? '' : rateText(rate, decimals));
  return table(
    [
      word('model'),
      word('data'),
      number('T'),
      word('condition'),
      number('n'),
      number('genuine follow-ups'),
      number('against base'),
      number('changed'),
      number('flipped'),
      number('emptied'),
    ],
    conditions.map((cell) => [
      md(cell.model),
      md(cell.data),
      String(cell.temperature),
      cell.condition,
      grouped(cell.samples),
      followUpText(cell.follow_up, decimals),
      differenceText(cell, decimals),
      rateOf(cell.changed),
      rateOf(cell.flipped),
      cell.emptied === undefined ? '' : grouped(cell.emptied),
    ]),
  );
}

/** Null where nothing is known of what failed. */
export function failureTable({ kinds, records, seen, parked }: Failures): string | null {
  if (kinds.length === 0 && parked.length === 0) return null;
  const errors = table(
    [word('model'), word('at'), word('kind'), number('records'), word('for example')],
    kinds.map(({ model, stage, kind, count, example }) => [
      md(model),
      stage.replaceAll('_', ' '),
      md(kind),
      grouped(count),
      example.message === null ? 'withheld: private data' : md(example.message.slice(0, 200)),
    ]),
  );
  const waiting = table(
    [word('model'), word('data'), number('T'), number('shards waiting'), word('what they met last')],
    parked.map(({ model, data, temperature, trees, reason }) => [
      md(model),
      md(data),
      String(temperature),
      grouped(trees),
      reason === null ? 'withheld: private data' : md(reason.slice(0, 200)),
    ]),
  );
  return [
    ...(kinds.length === 0 ? [] : [errors]),
    ...(seen < records ? [`Counted among ${grouped(seen)} of ${grouped(records)} error records.`] : []),
    ...(parked.length === 0 ? [] : [waiting]),
  ].join('\n\n');
}

function byData(cells: Cell[]): Cell[] {
  return [...Map.groupBy(cells, ({ data }) => data).values()].flat();
}
