// What user turns were, as bars of labels: for each data set by model and temperature, and over all of them by family.
import { type Label, labels } from '../../domain/records/record.ts';
import type { Cell, FollowUp } from '../../domain/summary.ts';
import { oneLine } from '../escape.ts';
import { type FamilyShare, familyShares } from '../families.ts';
import { decimalsFor, percent } from '../numbers.ts';
import { type Figure, figureWidth, type Layer, type Rows, slug, specOf } from './figure.ts';
import { type Looks, shortName } from './looks.ts';
import { ink, labelTones, paper } from './tones.ts';

type Kind = Label | 'undecided';
/** From the left. */
const kinds: Kind[] = [labels[0], 'undecided', ...labels.slice(1)];

export function labelFigures(cells: Cell[], looks: Looks): Figure[] {
  const taken = new Set<string>();
  return [...Map.groupBy(cells, ({ data }) => data)].map(([data, its]): Figure => {
    const bars = its.map(({ model, temperature, follow_up }) => ({
      name: looks.get(model)?.short ?? '',
      side: String(temperature),
      words: `${oneLine(model)} at temperature ${temperature}`,
      counts: countsOf(follow_up),
    }));
    return {
      name: `labels-${slug(data, taken)}`,
      data,
      title: 'Labels',
      ...drawing(bars, { what: `Labels of user turns on ${oneLine(data)}.`, cells: its }),
    };
  });
}

/** One figure; none where no turn was judged. */
export function familyFigure(cells: Cell[]): Figure | null {
  const taken = new Map<string, string>();
  const names = new Set<string>();
  const bars = familyShares(cells).map((one) => {
    const name = taken.get(one.family) ?? shortName(one.family, names);
    taken.set(one.family, name);
    return {
      name,
      side: String(one.temperature),
      words: `${oneLine(one.family)} at temperature ${one.temperature}`,
      counts: countsOf(one),
    };
  });
  if (bars.length === 0) return null;
  return {
    name: 'families',
    data: null,
    title: 'Labels by family',
    ...drawing(bars, { what: 'Labels of user turns by family of models.', cells }),
  };
}

function countsOf({
  labels: counts,
  undecided,
}: Pick<FollowUp, 'labels' | 'undecided'> | FamilyShare): Record<Kind, number> {
  return { ...counts, undecided };
}

type Bar = { name: string; side: string; words: string; counts: Record<Kind, number> };

const thickness = 11;
const pitch = 14;
const between = 7;
const left = 146;
const right = 24;
const plot = figureWidth - left - right;
const legendPitch = 15;

function drawing(bars: Bar[], { what, cells }: { what: string; cells: Cell[] }): Pick<Figure, 'text' | 'spec'> {
  const used = kinds.filter((kind) => bars.some(({ counts }) => counts[kind] > 0));
  const decimals = decimalsFor(cells);
  const lines = bars.map((bar) => `${bar.words}: ${inWords(bar, { used, decimals })}.`);
  const text = [what, ...lines].join(' ');
  const tops = topsOf(bars);
  const height = (tops.at(-1) ?? 0) + pitch;
  const legendRows = Math.ceil(used.length / 2);
  const top = legendRows * legendPitch + 10;
  const data: Rows = bars.flatMap((bar, at) => pieces(bar, { used, top: tops[at] ?? 0 }));
  const sides: Rows = bars.map(({ name, side }, at) => ({
    name: bars[at - 1]?.name === name ? '' : name,
    side,
    middle: (tops[at] ?? 0) + pitch / 2,
  }));
  const down = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: [0, height], reverse: true, nice: false },
    axis: null,
  });
  const along = {
    field: 'from',
    type: 'quantitative' as const,
    scale: { domain: [0, 1], nice: false },
    axis: {
      values: [0, 0.25, 0.5, 0.75, 1],
      title: null,
      grid: false,
      labelExpr: "format(datum.value * 100, '.0f') + (datum.value > 0.99 ? ' %' : '')",
    },
  };
  const fill = {
    field: 'label',
    type: 'nominal' as const,
    scale: { domain: used.map(words), range: used.map((kind) => labelTones[kind].light) },
    legend: null,
  };
  const layer: Layer[] = [
    {
      mark: { type: 'rect', stroke: paper.light, strokeWidth: 0.6 },
      encoding: { x: along, x2: { field: 'to' }, y: down('top'), y2: { field: 'bottom' }, fill },
    },
    {
      data: { values: sides },
      mark: { type: 'text', align: 'right', baseline: 'middle' },
      encoding: { x: { value: -8 }, y: down('middle'), text: { field: 'side' } },
    },
    {
      data: { values: sides },
      mark: { type: 'text', align: 'right', baseline: 'middle', color: ink.light },
      encoding: { x: { value: -34 }, y: down('middle'), text: { field: 'name' } },
    },
    ...legend(used, { fill, top }),
  ];
  return { text, spec: specOf({ width: plot, height, left, right, top, bottom: 26 }, { text, data, layer }) };
}

/** Bars of one name stand together. */
function topsOf(bars: Bar[]): number[] {
  let top = -pitch;
  return bars.map(({ name }, at) => {
    top += pitch + (at > 0 && bars[at - 1]?.name !== name ? between : 0);
    return top;
  });
}

function pieces({ name, side, counts }: Bar, { used, top }: { used: Kind[]; top: number }): Rows {
  const n = used.reduce((sum, kind) => sum + counts[kind], 0);
  let from = 0;
  return used.flatMap((kind) => {
    const count = counts[kind];
    if (count === 0) return [];
    const piece = {
      model: name,
      temperature: side,
      label: words(kind),
      count,
      share: count / n,
      from: from / n,
      to: (from + count) / n,
    };
    from += count;
    return { ...piece, top: top + (pitch - thickness) / 2, bottom: top + (pitch + thickness) / 2 };
  });
}

function inWords({ counts }: Bar, { used, decimals }: { used: Kind[]; decimals: number }): string {
  const n = used.reduce((sum, kind) => sum + counts[kind], 0);
  if (n === 0) return 'none judged';
  const shares = used
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${words(kind)} ${percent(counts[kind] / n, decimals)} %`);
  return shares.join(', ');
}

/** Two columns of squares with their names, above the bars. */
function legend(used: Kind[], { fill, top }: { fill: object; top: number }): Layer[] {
  const rows = Math.ceil(used.length / 2);
  return used.flatMap((kind, at): Layer[] => {
    const x = Math.floor(at / rows) * (figureWidth / 2 - 6) - left + 2;
    const y = (at % rows) * legendPitch - top + 6;
    const data = { values: [{ label: words(kind) }] };
    return [
      {
        data,
        mark: { type: 'square', size: 90, opacity: 1, stroke: paper.light, strokeWidth: 0.6 },
        encoding: { x: { value: x + 5 }, y: { value: y + 2 }, fill },
      },
      {
        data,
        mark: { type: 'text', align: 'left', baseline: 'middle' },
        encoding: { x: { value: x + 15 }, y: { value: y + 2 }, text: { field: 'label' } },
      },
    ];
  });
}

function words(kind: Kind): string {
  return kind.replaceAll('_', ' ');
}
