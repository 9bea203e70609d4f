// A night held against its baseline: cell by cell, item by item.
import type { Measure } from '../pairing.ts';
import { ConfigProblem } from '../problems.ts';
import { clusteredRate, type Resampling } from '../stats/bootstrap.ts';
import type { Rate } from '../stats/rate.ts';
import { type CellVerdict, type Gate, overall, type Verdict, verdicts } from '../stats/verdict.ts';
import { type CellRates, nameOf } from './rates.ts';

export type NightGate = Gate & { measures: Measure[] };

/** `measured`: of this night alone, all items together, whether there is anything to compare them with or not. */
export type CellFinding = Omit<CellRates, 'items'> & CellVerdict & { measured: Rate };

export type Regression = { verdict: Verdict; cells: CellFinding[] };

/**
 * Cells that the baseline lacks have nothing to be held against, which is no answer.
 * @throws ConfigProblem  a cell's items are not those of the baseline, which names them
 */
export function regression(
  night: CellRates[],
  { baseline, gate, ...how }: { baseline: CellRates[]; gate: NightGate } & Resampling,
): Regression {
  const before = new Map(baseline.map((cell) => [nameOf(cell), cell]));
  const asked = night.filter(({ measure }) => gate.measures.includes(measure));
  const family = asked.map((cell) => pairs(cell, before.get(nameOf(cell)) ?? null));
  const found = verdicts(family, gate, how);
  const cells = asked.flatMap(({ items, ...cell }, at) => {
    const one = found[at];
    return one === undefined ? [] : [{ ...cell, ...one, measured: clusteredRate([...items.values()], how) }];
  });
  return { verdict: overall(cells.map(({ verdict }) => verdict)), cells };
}

function pairs(night: CellRates, baseline: CellRates | null) {
  if (baseline === null) return [];
  const missing = [...night.items.keys()].filter((id) => !baseline.items.has(id));
  const gone = [...baseline.items.keys()].filter((id) => !night.items.has(id));
  if (missing.length + gone.length > 0) throw otherItems(night, { missing, gone });
  return [...night.items].map(([id, after]) => ({ before: baseline.items.get(id) ?? { successes: 0, n: 0 }, after }));
}

function otherItems({ data }: CellRates, { missing, gone }: { missing: string[]; gone: string[] }): ConfigProblem {
  const named = (ids: string[]) =>
    `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;
  const said = [
    ...(missing.length > 0 ? [`it lacks ${named(missing)}`] : []),
    ...(gone.length > 0 ? [`it has ${named(gone)}, which this night has not`] : []),
  ];
  return new ConfigProblem(`the baseline asked other items of ${data}: ${said.join('; ')}`, {
    advice: 'Give the schedule a baseline over the same items, or a new name, which begins a baseline of its own.',
  });
}
