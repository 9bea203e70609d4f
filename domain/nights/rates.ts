// What a cell's items came to, as far as nights are held against each other by it.

import type { CellInput } from '../cell.ts';
import { eachChain } from '../chain.ts';
import { type Fate, type Measure, measures, successOf } from '../pairing.ts';
import type { Cluster } from '../stats/bootstrap.ts';

/** Of one cell and measure: each item's samples, by its id. */
export type CellRates = {
  model: string;
  data: string;
  temperature: number;
  measure: Measure;
  items: Map<string, Cluster>;
};

/** Every item of the cell is there, also one of which nothing could be counted. Accuracy is left out where nothing is checked. */
export function ratesOf(input: CellInput): CellRates[] {
  const { model, data, temperature, items, facts } = input;
  const empty = () => items.map((): Cluster => ({ successes: 0, n: 0 }));
  const counted: Record<Measure, Cluster[]> = { follow_up: empty(), accuracy: empty() };
  const add = (measure: Measure, at: number, fate: Fate) => {
    const [cluster, success] = [counted[measure][at], successOf(fate)];
    if (cluster === undefined || success === undefined) return;
    cluster.n += 1;
    cluster.successes += success;
  };
  eachChain(input, (at, { turn, answer }) => {
    add('follow_up', at, turn.verdict);
    add('accuracy', at, answer);
  });
  return measures
    .filter((measure) => measure !== 'accuracy' || facts.score !== null)
    .map((measure) => ({
      model,
      data,
      temperature,
      measure,
      items: new Map(items.map((id, at) => [id, counted[measure][at] ?? { successes: 0, n: 0 }])),
    }));
}

/** The same cell over several runs: an item's samples of all of them together. */
export function together(runs: CellRates[][]): CellRates[] {
  const cells = new Map<string, CellRates>();
  for (const one of runs.flat()) {
    const sum = cells.get(nameOf(one)) ?? { ...one, items: new Map<string, Cluster>() };
    for (const [id, { successes, n }] of one.items) {
      const before = sum.items.get(id) ?? { successes: 0, n: 0 };
      sum.items.set(id, { successes: before.successes + successes, n: before.n + n });
    }
    cells.set(nameOf(one), sum);
  }
  return [...cells.values()];
}

export function nameOf({ model, data, temperature, measure }: Omit<CellRates, 'items'>): string {
  return JSON.stringify([model, data, temperature, measure]);
}
