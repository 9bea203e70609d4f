// A run's cells beside figures that a paper prints of the same cells.

import type { Label } from '../domain/records/record.ts';
import type { Figure, Reference } from '../domain/reference.ts';
import type { Rate } from '../domain/stats/rate.ts';
import type { Cell, Provenance } from '../domain/summary.ts';
import { followUpRate } from './numbers.ts';

/** What one source prints, as shares in 0…1. `value` is null where only a range is printed. */
export type Printed = {
  source: string;
  printed: string;
  line: number;
  value: number | null;
  low: number | null;
  high: number | null;
  disputed: boolean;
};

export type Beside = {
  model: string;
  data: string;
  temperature: number;
  metric: 'accuracy' | 'genuine';
  ours: Rate;
  printed: Printed[];
  /** Items asked here, and those of the paper; equal where the whole set was asked. */
  items: { ours: number; theirs: number | null };
};

/** Figures of answers left as they are, for cells of the same model, data set and temperature. Names are compared without their owner and case. */
export function besidePublished(cells: Cell[], reference: Reference, data: Provenance['data']): Beside[] {
  const figures = reference.sources.flatMap(({ source, figures }) => figures.map((figure) => ({ source, figure })));
  const usable = figures.filter(({ figure }) => isPlain(figure));
  return cells.flatMap((cell) =>
    (['accuracy', 'genuine'] as const).flatMap((metric): Beside[] => {
      const ours = metric === 'genuine' ? followUpRate(cell.follow_up) : (cell.accuracy?.rate ?? null);
      const its = usable.filter(({ figure }) => figure.metric === metric && isOf(figure, cell));
      const printed = its.flatMap(({ source, figure }) => printedOf(source, figure));
      if (ours === null || ours.n === 0 || printed.length === 0) return [];
      const { model, temperature } = cell;
      return [{ model, data: cell.data, temperature, metric, ours, printed, items: itemsOf(cell, figures, data) }];
    }),
  );
}

/** Shares of labels that a paper prints of a family, by label. */
export function publishedLabels(family: string, temperature: number, reference: Reference): Map<Label, Printed> {
  const shares = reference.sources.flatMap(({ source, figures }) =>
    figures
      .filter((one) => one.metric === 'label_share' && one.temperature === temperature && same(one.family, family))
      .flatMap((one) =>
        one.label === null ? [] : printedOf(source, one).map((printed) => [one.label, printed] as const),
      ),
  );
  return new Map(shares.flatMap(([label, printed]) => (label === null ? [] : [[label, printed] as const])));
}

function isPlain({ condition, model, label, judge, data }: Figure): boolean {
  return (
    (condition === 'base' || condition === null) && model !== null && data !== null && label === null && judge === null
  );
}

function isOf(figure: Figure, cell: Cell): boolean {
  return figure.temperature === cell.temperature && same(figure.model, cell.model) && same(figure.data, cell.data);
}

function same(a: string | null, b: string): boolean {
  return a !== null && bare(a) === bare(b);
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}

function printedOf(source: string, { printed, line, value, low, high, disagrees_with }: Figure): Printed[] {
  if (printed === null || line === null) return [];
  const share = (percent: number | null) => (percent === null ? null : percent / 100);
  return [
    {
      source,
      printed,
      line,
      value: share(value),
      low: share(low),
      high: share(high),
      disputed: disagrees_with.length > 0,
    },
  ];
}

function itemsOf(cell: Cell, figures: { figure: Figure }[], data: Provenance['data']): Beside['items'] {
  const known = data.find(({ id }) => id === cell.data);
  const theirs =
    figures.find(({ figure }) => figure.metric === 'items' && same(figure.data, cell.data))?.figure.value ?? null;
  if (known === undefined) return { ours: cell.samples, theirs };
  return { ours: Math.min(known.limit ?? known.count, known.count), theirs };
}
