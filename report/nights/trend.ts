// What each cell came to, night by night.
import type { NightVerdict } from '../../domain/nights/night.ts';
import type { CellFinding } from '../../domain/nights/regression.ts';
import { oneLine } from '../escape.ts';
import { modelColour } from '../figures/encodings.ts';
import { type Figure, type Frame, figureWidth, type Layer, slug, specOf } from '../figures/figure.ts';
import type { Looks } from '../figures/looks.ts';
import { fromNothing, type Shares, shareAxis } from '../figures/scale.ts';
import { ink, paper } from '../figures/tones.ts';
import { percent } from '../numbers.ts';

const titles: Record<CellFinding['measure'], string> = { follow_up: 'genuine follow-ups', accuracy: 'answers right' };

type Point = {
  night: number;
  nominal: string;
  verdict: CellFinding['verdict'];
  value: number;
  low: number;
  high: number;
};

/** One figure a cell and measure, in the order of the nights, which are the earliest first. */
export function trendFigures(nights: NightVerdict[], looks: Looks): Figure[] {
  const cells = new Map<string, { cell: CellFinding; points: Point[] }>();
  for (const [night, { nominal, cells: found }] of nights.entries())
    for (const cell of found) {
      const { model, data, temperature, measure, verdict, measured } = cell;
      const name = JSON.stringify([data, model, temperature, measure]);
      const series = cells.get(name) ?? { cell, points: [] };
      cells.set(name, series);
      const { value, low, high } = measured;
      if (value !== null && low !== null && high !== null)
        series.points.push({ night, nominal, verdict, value, low, high });
    }
  const taken = new Set<string>();
  return [...cells.values()]
    .filter(({ points }) => points.length > 0)
    .map(({ cell, points }) => {
      const { model, data, temperature, measure } = cell;
      const title = `${oneLine(model)}, T ${temperature}: ${titles[measure]}`;
      const text = `${title} on ${oneLine(data)}: ${points.map(inWords).join(', ')}.`;
      const name = `trend-${slug(`${measure}-${data}-${model}-${temperature}`, taken)}`;
      return { name, data, title, text, spec: drawing(points, { text, nights, looks, model }) };
    });
}

function inWords({ nominal, value, verdict }: Point): string {
  return `${percent(value, 1)} % on ${nominal.slice(0, 10)}${verdict === 'fail' ? ', which failed' : ''}`;
}

const frame: Frame = { width: figureWidth - 60, height: 150, left: 44, right: 16, top: 10, bottom: 34 };

type At = { text: string; nights: NightVerdict[]; looks: Looks; model: string };

function drawing(points: Point[], { text, nights, looks, model }: At) {
  const y = fromNothing(Math.max(...points.map(({ high }) => high)));
  const short = looks.get(model)?.short ?? model;
  const data = points.map((point) => ({ ...point, model: short }));
  const color = modelColour(looks);
  const x = {
    field: 'night',
    type: 'quantitative' as const,
    scale: { domain: [-0.5, nights.length - 0.5], nice: false, zero: false },
    axis: nightAxis(nights),
  };
  const layer: Layer[] = [
    {
      mark: { type: 'rule', strokeWidth: 1.2, opacity: 0.7 },
      encoding: { x, y: share(y, 'low'), y2: { field: 'high' }, color },
    },
    { mark: { type: 'line', strokeWidth: 1.6 }, encoding: { x, y: share(y, 'value'), color } },
    {
      mark: { type: 'point', size: 44, stroke: paper.light },
      encoding: { x, y: share(y, 'value'), fill: color },
    },
    {
      transform: [{ filter: "datum.verdict === 'fail'" }],
      mark: { type: 'point', shape: 'cross', size: 150, fill: ink.light, stroke: paper.light, angle: 45 },
      encoding: { x, y: share(y, 'value') },
    },
  ];
  return specOf(frame, { text, data, layer });
}

function share(y: Shares, field: string) {
  return { field, type: 'quantitative' as const, scale: { domain: y.domain }, axis: shareAxis(y) };
}

/** As many days as have room, month and day. */
function nightAxis(nights: NightVerdict[]) {
  const every = Math.ceil(nights.length / 6);
  const values = nights.flatMap((_, at) => (at % every === 0 ? [at] : []));
  const days = nights.map(({ nominal }) => `'${nominal.slice(5, 10)}'`).join(',');
  return { values, title: null, grid: false, labelExpr: `[${days}][datum.value]` };
}
