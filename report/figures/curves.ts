// Rates against temperature: for each data set one figure of answers right and one of genuine follow-ups, a line for each model.
import type { Rate } from '../../domain/stats/rate.ts';
import type { Cell } from '../../domain/summary.ts';
import { oneLine } from '../escape.ts';
import { decimalsFor, followUpShort, percent } from '../numbers.ts';
import { apart } from './apart.ts';
import { familyShape, modelColour } from './encodings.ts';
import { type Figure, type Frame, figureWidth, type Layer, type Rows, slug, specOf } from './figure.ts';
import type { Look, Looks } from './looks.ts';
import { fromNothing, type Shares, shareAxis } from './scale.ts';
import { paper } from './tones.ts';

type Measure = 'accuracy' | 'follow-up';
const titles: Record<Measure, string> = { accuracy: 'Answers right', 'follow-up': 'Genuine follow-ups' };

export function curveFigures(cells: Cell[], looks: Looks): Figure[] {
  const temperatures = [...new Set(cells.map((cell) => cell.temperature))].sort((a, b) => a - b);
  const x = placesOf(temperatures, looks.size);
  const scales = {
    accuracy: fromNothing(1),
    'follow-up': fromNothing(Math.max(0, ...cells.map(({ follow_up }) => follow_up.if_all.high ?? 0))),
  };
  const taken = new Set<string>();
  return [...Map.groupBy(cells, ({ data }) => data)].flatMap(([data, its]) => {
    const file = slug(data, taken);
    const measures: Measure[] = its.some(({ accuracy }) => accuracy !== null)
      ? ['accuracy', 'follow-up']
      : ['follow-up'];
    return measures.map((measure): Figure => {
      const points = its.map((cell) => pointOf(cell, measure)).filter((point) => point !== null);
      const text = inWords(points, {
        what: `${titles[measure]} on ${oneLine(data)} by temperature.`,
        decimals: decimalsFor(cells),
      });
      return {
        name: `${measure}-${file}`,
        data,
        title: titles[measure],
        text,
        spec: figure(points, { text, looks, x, y: scales[measure] }),
      };
    });
  });
}

/** `value` is null where turns are undecided: then only `low` to `high` is known, and `none` to `all`. */
type Point = { model: string; temperature: number; rate: Rate; none: number | null; all: number | null; shown: string };

function pointOf(cell: Cell, measure: Measure): Point | null {
  const { model, temperature, accuracy, follow_up } = cell;
  const decimals = decimalsFor([cell]);
  if (measure === 'accuracy') {
    if (accuracy === null || accuracy.rate.value === null) return null;
    const shown = `${percent(accuracy.rate.value, decimals)} %`;
    return { model, temperature, rate: accuracy.rate, none: null, all: null, shown };
  }
  const { if_none, if_all, undecided } = follow_up;
  if (if_none.value === null) return null;
  const shown = followUpShort(follow_up, decimals);
  if (undecided === 0) return { model, temperature, rate: if_none, none: null, all: null, shown };
  const rate = { value: null, low: if_none.low, high: if_all.high, n: if_none.n };
  return { model, temperature, rate, none: if_none.value, all: if_all.value, shown };
}

function inWords(points: Point[], { what }: { what: string; decimals: number }): string {
  const byModel = [...Map.groupBy(points, ({ model }) => model)];
  const lines = byModel.map(([model, its]) => {
    const rates = its
      .toSorted((a, b) => a.temperature - b.temperature)
      .map(({ temperature, shown }) => `${shown} at ${temperature}`);
    return `${oneLine(model)}: ${rates.join(', ')}.`;
  });
  return [what, ...lines].join(' ');
}

/** `at`: models stand beside each other at every temperature, so that no interval hides another. */
type Places = { temperatures: number[]; domain: [number, number]; at: (temperature: number, model: number) => number };

const plotWidth = 190;
const frame: Frame = {
  width: plotWidth,
  height: 176,
  left: 42,
  right: figureWidth - plotWidth - 42,
  top: 10,
  bottom: 38,
};
const widestStep = 9;

function placesOf(temperatures: number[], models: number): Places {
  const [first = 0, last = 0] = [temperatures[0], temperatures.at(-1)];
  const gaps = temperatures.slice(1).map((temperature, at) => temperature - (temperatures[at] ?? 0));
  const gap = gaps.length === 0 ? 1 : Math.min(...gaps);
  const span = last - first || 1;
  // The ends of the axis lie half the models beyond the first and the last temperature.
  const step = Math.min(
    (0.72 * gap) / models,
    (widestStep * span) / Math.max(plotWidth / 2, plotWidth - widestStep * models),
  );
  const beyond = Math.max((models / 2) * step, 0.04 * span);
  return {
    temperatures,
    domain: [first - beyond, last + beyond],
    at: (temperature, model) => temperature + (model - (models - 1) / 2) * step,
  };
}

type Drawing = { text: string; looks: Looks; x: Places; y: Shares };

function figure(points: Point[], { text, looks, x, y }: Drawing) {
  const order = [...looks.values()];
  const data: Rows = points.flatMap(({ model, temperature, rate, none, all }) => {
    const look = looks.get(model);
    if (look === undefined) return [];
    const { value, low, high, n } = rate;
    return {
      model: look.short,
      family: look.family,
      temperature,
      at: x.at(temperature, order.indexOf(look)),
      value,
      low,
      high,
      n,
      none,
      all,
    };
  });
  const present = order.filter(({ model }) => points.some((point) => point.model === model));
  const height = Math.max(frame.height, present.length * lineHeight);
  const labels = endLabels(points, { present, x, y, height, order });
  const [color, shape] = [modelColour(looks), familyShape(looks)];
  const at = {
    field: 'at',
    type: 'quantitative' as const,
    scale: { domain: x.domain, nice: false, zero: false },
    axis: temperatureAxis(x),
  };
  const share = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: y.domain },
    axis: shareAxis(y),
  });
  const layer: Layer[] = [
    {
      transform: [{ filter: 'datum.none !== null' }],
      mark: { type: 'rule', strokeWidth: 5, opacity: 0.4 },
      encoding: { x: at, y: share('none'), y2: { field: 'all' }, color },
    },
    {
      mark: { type: 'rule', strokeWidth: 1.2, opacity: 0.7 },
      encoding: { x: at, y: share('low'), y2: { field: 'high' }, color },
    },
    {
      transform: [{ filter: 'datum.value !== null' }],
      mark: { type: 'line', strokeWidth: 1.6 },
      encoding: { x: at, y: share('value'), color },
    },
    {
      transform: [{ filter: 'datum.value !== null' }],
      mark: { type: 'point', size: order.length > 4 ? 34 : 52, stroke: paper.light },
      encoding: { x: at, y: share('value'), fill: color, shape },
    },
    ...labelLayers(labels, { color, share }),
  ];
  return specOf({ ...frame, height }, { text, data, layer });
}

const lineHeight = 13;

type Ends = { present: Look[]; order: Look[]; x: Places; y: Shares; height: number };

/** Names at the right, each at the height of its model's last point, or as near as there is room. */
function endLabels(points: Point[], { present, order, x, y, height }: Ends): Rows {
  const [, most] = y.domain;
  const perPixel = most / height;
  const ends = present.flatMap((look) => {
    const last = points
      .filter(({ model }) => model === look.model)
      .sort((a, b) => a.temperature - b.temperature)
      .at(-1);
    if (last === undefined) return [];
    const level = last.rate.value ?? ((last.none ?? 0) + (last.all ?? 0)) / 2;
    return { model: look.short, end: x.at(last.temperature, order.indexOf(look)), level };
  });
  const heights = apart(
    ends.map(({ level }) => level),
    { gap: lineHeight * perPixel, low: 0, high: most },
  );
  return ends.map((end, at) => ({ ...end, label: heights[at] ?? end.level }));
}

function labelLayers(values: Rows, { color, share }: { color: object; share: (field: string) => object }): Layer[] {
  const data = { values };
  const beside = plotWidth + 14;
  return [
    {
      data,
      mark: { type: 'rule', strokeWidth: 0.7, opacity: 0.55 },
      encoding: {
        x: { field: 'end', type: 'quantitative' },
        x2: { value: beside - 3 },
        y: share('level'),
        y2: { field: 'label' },
        color,
      },
    },
    {
      data,
      mark: { type: 'text', align: 'left', baseline: 'middle' },
      encoding: { x: { value: beside }, y: share('label'), text: { field: 'model' }, color },
    },
  ];
}

function temperatureAxis({ temperatures, domain }: Places) {
  const perUnit = plotWidth / (domain[1] - domain[0]);
  const values: number[] = [];
  for (const temperature of temperatures) {
    const last = values.at(-1);
    if (last === undefined || (temperature - last) * perUnit >= 26) values.push(temperature);
  }
  return { values, title: 'temperature', titleY: 21, grid: false, labelExpr: 'toString(datum.value)' };
}
