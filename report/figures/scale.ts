// Scales of shares, with ends and ticks that are round numbers.

const steps: [most: number, step: number][] = [
  [0.05, 0.01],
  [0.1, 0.02],
  [0.2, 0.05],
  [0.4, 0.1],
  [0.6, 0.2],
  [0.8, 0.2],
  [1, 0.2],
];

export type Shares = { domain: [number, number]; values: number[] };

/** From 0 to the next round number above `highest`. */
export function fromNothing(highest: number): Shares {
  const [most, step] = steps.find(([most]) => most >= highest - 1e-9) ?? [1, 0.2];
  return { domain: [0, most], values: ticks(0, most, step) };
}

/** Around shares that need not begin at 0, in steps of ten per cent. */
export function around(lowest: number, highest: number): Shares {
  const low = Math.max(0, Math.floor(lowest * 10 + 1e-9) / 10);
  const high = Math.min(1, Math.max(low + 0.1, Math.ceil(highest * 10 - 1e-9) / 10));
  const start = Math.min(low, high - 0.1);
  const step = high - start > 0.5 + 1e-9 ? 0.2 : high - start > 0.2 + 1e-9 ? 0.1 : 0.05;
  return { domain: [round(start), round(high)], values: ticks(start, high, step) };
}

function ticks(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, at) => round((first + at) * step));
}

function round(value: number): number {
  return Number(value.toFixed(4));
}

/** An axis's labels as percentages; of the highest with the sign. An expression of Vega's. */
export function percentLabels({ domain, values }: Shares): string {
  const last = values.at(-1) ?? domain[1];
  return `format(datum.value * 100, '.0f') + (datum.value > ${last - 1e-6} ? ' %' : '')`;
}

/** An upright axis of shares: lines across, percentages beside them, and no line of its own. */
export function shareAxis(y: Shares) {
  return {
    values: y.values,
    title: null,
    labelExpr: percentLabels(y),
    domain: false,
    ticks: false,
    labelPadding: 6,
    gridWidth: 1,
  };
}
