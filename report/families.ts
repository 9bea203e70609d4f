// What the models of a family do when they go on as the user: labels over all data sets together, as the paper counts them.
import { familiesOf } from '../domain/family.ts';
import type { LabelCounts } from '../domain/plan/plan.ts';
import { labels } from '../domain/records/record.ts';
import type { Cell } from '../domain/summary.ts';

/** `n`: judged turns, undecided ones among them. */
export type FamilyShare = {
  family: string;
  models: string[];
  data: string[];
  temperature: number;
  n: number;
  undecided: number;
  labels: LabelCounts;
};

/**
 * One for each family and temperature at which a turn was judged; temperatures ascend. None where one model answered one data set: its
 * labels say it all.
 */
export function familyShares(cells: Cell[]): FamilyShare[] {
  if (new Set(cells.map(({ model, data }) => JSON.stringify([model, data]))).size < 2) return [];
  const temperatures = [...new Set(cells.map(({ temperature }) => temperature))].sort((a, b) => a - b);
  return familiesOf(cells.map(({ model }) => model)).flatMap(({ family, models }) =>
    temperatures.flatMap((temperature) => {
      const its = cells.filter((cell) => models.includes(cell.model) && cell.temperature === temperature);
      const share = pooled(its);
      const data = [...new Set(its.map((cell) => cell.data))];
      return share.n === 0 ? [] : [{ family, models, data, temperature, ...share }];
    }),
  );
}

function pooled(cells: Cell[]): Pick<FamilyShare, 'n' | 'undecided' | 'labels'> {
  const sum = (of: (cell: Cell) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  const counts = Object.fromEntries(labels.map((label) => [label, sum(({ follow_up }) => follow_up.labels[label])]));
  return {
    n: sum(({ follow_up }) => follow_up.judged),
    undecided: sum(({ follow_up }) => follow_up.undecided),
    labels: counts as LabelCounts,
  };
}
