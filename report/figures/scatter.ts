// Accuracy against follow-up: for each data set, and the lowest and the highest temperature, every model as a named point.
import type { Cell } from '../../domain/summary.ts';
import { oneLine } from '../escape.ts';
import { decimalsFor, followUpShort, percent } from '../numbers.ts';
import { familyShape, modelColour } from './encodings.ts';
import { type Figure, type Frame, figureWidth, type Layer, type Rows, slug, specOf } from './figure.ts';
import type { Looks } from './looks.ts';
import { namesBeside } from './names-beside.ts';
import { around, fromNothing, percentLabels, type Shares, shareAxis } from './scale.ts';
import { paper } from './tones.ts';

/** Of data sets whose answers are checked; none of a single model, which is against nothing. */
export function scatterFigures(cells: Cell[], looks: Looks): Figure[] {
  if (looks.size < 2) return [];
  const temperatures = cells.map(({ temperature }) => temperature);
  const ends = [...new Set([Math.min(...temperatures), Math.max(...temperatures)])];
  const shown = cells.filter(({ temperature }) => ends.includes(temperature)).flatMap(pointOf);
  const taken = new Set<string>();
  return [...Map.groupBy(shown, ({ data }) => data)].flatMap(([data, points]) => {
    const file = slug(data, taken);
    const x = around(
      Math.min(...points.map(({ right }) => right.low)),
      Math.max(...points.map(({ right }) => right.high)),
    );
    return ends.flatMap((temperature): Figure[] => {
      const its = points.filter((point) => point.temperature === temperature);
      if (its.length === 0) return [];
      // Each temperature has its own height: follow-ups are rare at the lowest, which is where models differ in accuracy alone.
      const y = fromNothing(Math.max(...its.map(({ high }) => high)));
      const lines = its.map(({ model, words }) => `${oneLine(model)}: ${words}.`);
      const text = [
        `Answers right against genuine follow-ups on ${oneLine(data)} at temperature ${temperature}.`,
        ...lines,
      ].join(' ');
      const place = temperature === ends[0] ? 'lowest' : 'highest';
      return [
        {
          name: `scatter-${file}-${place}`,
          data,
          title: `T = ${temperature}`,
          text,
          spec: figure(its, { text, looks, x, y }),
        },
      ];
    });
  });
}

type Point = {
  model: string;
  data: string;
  temperature: number;
  right: { value: number; low: number; high: number };
  /** Null where turns are undecided: then `none` to `all` is known. */
  value: number | null;
  none: number;
  all: number;
  low: number;
  high: number;
  words: string;
};

function pointOf(cell: Cell): Point[] {
  const { model, data, temperature, accuracy, follow_up } = cell;
  const { if_none, if_all, undecided } = follow_up;
  const right = accuracy?.rate ?? null;
  if (right === null || right.value === null || right.low === null || right.high === null) return [];
  if (if_none.value === null || if_none.low === null || if_all.value === null || if_all.high === null) return [];
  const decimals = decimalsFor([cell]);
  return [
    {
      model,
      data,
      temperature,
      right: { value: right.value, low: right.low, high: right.high },
      value: undecided === 0 ? if_none.value : null,
      none: if_none.value,
      all: if_all.value,
      low: if_none.low,
      high: if_all.high,
      words: `${percent(right.value, decimals)} % right, ${followUpShort(follow_up, decimals)} genuine`,
    },
  ];
}

const frame: Frame = { width: 186, height: 190, left: 44, right: figureWidth - 186 - 44, top: 10, bottom: 38 };

type Drawing = { text: string; looks: Looks; x: Shares; y: Shares };

function figure(points: Point[], { text, looks, x, y }: Drawing) {
  const data: Rows = points.flatMap(({ model, right, value, none, all, low, high }) => {
    const look = looks.get(model);
    if (look === undefined) return [];
    const row = {
      model: look.short,
      family: look.family,
      right: right.value,
      right_low: right.low,
      right_high: right.high,
    };
    return { ...row, value, none, all, low, high, level: value ?? (none + all) / 2 };
  });
  const [color, shape] = [modelColour(looks), familyShape(looks)];
  const xAxis = { values: x.values, title: 'answers right', titleY: 21, labelExpr: percentLabels(x), gridWidth: 1 };
  const yAxis = shareAxis(y);
  const across = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: x.domain, zero: false, nice: false },
    axis: xAxis,
  });
  const up = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: y.domain, nice: false },
    axis: yAxis,
  });
  const layer: Layer[] = [
    {
      mark: { type: 'rule', strokeWidth: 1, opacity: 0.45 },
      encoding: { x: across('right_low'), x2: { field: 'right_high' }, y: up('level'), color },
    },
    {
      mark: { type: 'rule', strokeWidth: 1, opacity: 0.45 },
      encoding: { x: across('right'), y: up('low'), y2: { field: 'high' }, color },
    },
    {
      transform: [{ filter: 'datum.value === null' }],
      mark: { type: 'rule', strokeWidth: 5, opacity: 0.4 },
      encoding: { x: across('right'), y: up('none'), y2: { field: 'all' }, color },
    },
    {
      transform: [{ filter: 'datum.value !== null' }],
      mark: { type: 'point', size: 52, stroke: paper.light },
      encoding: { x: across('right'), y: up('value'), fill: color, shape },
    },
    ...(['none', 'all'] as const).map(
      (end): Layer => ({
        transform: [{ filter: 'datum.value === null' }],
        mark: { type: 'point', size: 30, filled: false, fill: paper.light, strokeWidth: 1.2 },
        encoding: { x: across('right'), y: up(end), stroke: color, shape },
      }),
    ),
    ...namesBeside(
      points.flatMap(({ model, right, value, none, all }) => {
        const short = looks.get(model)?.short;
        const bar = value === null ? { low: none, high: all } : { low: value, high: value };
        return short === undefined ? [] : { model: short, x: right.value, y: value ?? (none + all) / 2, ...bar };
      }),
      { frame, x, y, color, across, up },
    ),
  ];
  return specOf(frame, { text, data, layer });
}
