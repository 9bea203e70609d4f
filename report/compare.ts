// Two runs beside each other, cell by cell and item by item. Reads the store and nothing else.
import { readEnding, readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { type Flip, type Measure, measures, type Pairing, pairing } from '../domain/pairing.ts';
import type { Group } from '../domain/plan/graph.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { drawing } from '../domain/stats/draws.ts';
import { type CellVerdict, type Gate, overall, type Verdict, verdicts } from '../domain/stats/verdict.ts';
import { type CellName, type FateCell, fateCells, type Side, type Sides } from './compare-cells.ts';
import { type ComparedItems, checkItems, compareItems } from './compare-items.ts';
import { comparePlans, type PlanDifference } from './compare-plans.ts';

/** `ended`: null while it has not. */
export type ComparedRun = { run: string; plan: string; name: string; uturn: string; ended: string | null };

/** One measure of one cell. `samples` are the pairs that its figures rest on; `lost` and `gained` are pairs that flipped. */
export type ComparedCell = CellName & { measure: Measure } & CellVerdict &
  Pick<Pairing, 'fates' | 'left_out'> & { lost: number; gained: number };

export type Comparison = {
  before: ComparedRun;
  after: ComparedRun;
  gate: Gate;
  /** Of all cells together. */
  verdict: Verdict;
  cells: ComparedCell[];
  /** Cells that only one of the two has. */
  only: { before: CellName[]; after: CellName[] };
  /** Of every data set that is compared; ids of what is not the same in both. */
  items: { data: string; same: number; changed: string[]; only_before: string[]; only_after: string[] }[];
  plans: PlanDifference[];
};

/** `groups`: where the records lie, in each run. */
export type CellFlips = CellName & { measure: Measure; groups: { before: Group; after: Group }; flips: Flip[] };

export type Compared = { comparison: Comparison; flips: CellFlips[]; sides: Sides };

/** `items`: whether all must be the same in both, or those that are will do. */
export type CompareOptions = { gate: Gate; items: 'all' | 'common' };

/**
 * Cells are matched by the ids of model and data set, and by temperature.
 * @throws ConfigProblem  there is no such run, they have no cell in common, or an item is not the same in both
 */
export async function compareRuns(
  store: Store,
  runs: { before: string; after: string },
  { gate, items: wanted }: CompareOptions,
): Promise<Compared> {
  const sides = { before: await sideOf(store, runs.before), after: await sideOf(store, runs.after) };
  const cells = { before: await fateCells(store, sides.before), after: await fateCells(store, sides.after) };
  const matched = matchedCells(cells.before, cells.after);
  if (matched.length === 0) throw nothingInCommon(runs, cells);

  const items: ComparedItems[] = [];
  const plans = { before: sides.before.plan, after: sides.after.plan };
  for (const data of new Set(matched.map(({ name }) => name.data))) items.push(await compareItems(store, data, plans));
  if (wanted === 'all') checkItems(items, runs);

  const pairs = matched.flatMap((cell) => pairedCells(cell, items));
  const family = pairs.map((one) => one.items);
  const judged = verdicts(family, gate, { drawn: drawing(plans.before.seed) });
  const compared = pairs.flatMap((pair, at) => {
    const verdict = judged[at];
    return verdict === undefined ? [] : [comparedCell(pair, verdict)];
  });
  return {
    comparison: {
      before: await comparedRun(store, sides.before),
      after: await comparedRun(store, sides.after),
      gate,
      verdict: overall(judged.map(({ verdict }) => verdict)),
      cells: compared,
      only: { before: without(cells.before, cells.after), after: without(cells.after, cells.before) },
      items: items.map(({ same, ...one }) => ({ ...one, same: same.length })),
      plans: comparePlans(plans.before, plans.after),
    },
    flips: pairs.map(({ name, measure, groups, flips }) => ({ ...name, measure, groups, flips })),
    sides,
  };
}

async function sideOf(store: Store, run: string): Promise<Side> {
  const doc = await readRun(store, run);
  return { doc, plan: await getPlan(store, doc.plan) };
}

async function comparedRun(store: Store, { doc }: Side): Promise<ComparedRun> {
  const { run, plan, name, uturn } = doc;
  return { run, plan, name, uturn, ended: (await readEnding(store, run))?.end.state ?? null };
}

type Matched = { name: CellName; before: FateCell; after: FateCell };

function matchedCells(before: Map<string, FateCell>, after: Map<string, FateCell>): Matched[] {
  return [...before].flatMap(([key, was]) => {
    const is = after.get(key);
    return is === undefined ? [] : [{ name: was.name, before: was, after: is }];
  });
}

function without(cells: Map<string, FateCell>, others: Map<string, FateCell>): CellName[] {
  return [...cells].flatMap(([key, { name }]) => (others.has(key) ? [] : [name]));
}

type PairedCell = Pairing & { name: CellName; measure: Measure; groups: { before: Group; after: Group } };

/** What both can be compared by: answers only where both checked them. */
function pairedCells({ name, before, after }: Matched, items: ComparedItems[]): PairedCell[] {
  const same = items.find(({ data }) => data === name.data)?.same ?? [];
  const isScored = before.scored && after.scored;
  return measures
    .filter((measure) => measure !== 'accuracy' || isScored)
    .map((measure) => ({
      name,
      measure,
      groups: { before: before.group, after: after.group },
      ...pairing(measure, { before: before.fates, after: after.fates }, same),
    }));
}

function comparedCell({ name, measure, fates, left_out, flips }: PairedCell, verdict: CellVerdict): ComparedCell {
  const lost = flips.filter(({ before }) => before === 'right' || before === 'genuine').length;
  return { ...name, measure, ...verdict, fates, left_out, lost, gained: flips.length - lost };
}

type Cells = { before: Map<string, FateCell>; after: Map<string, FateCell> };

function nothingInCommon(runs: { before: string; after: string }, { before, after }: Cells): ConfigProblem {
  const named = (cells: Map<string, FateCell>) => {
    const all = [...cells.values()].map(({ name }) => `${name.model} × ${name.data} × ${name.temperature}`);
    return `${all.slice(0, 4).join(', ')}${all.length > 4 ? ` and ${all.length - 4} more` : ''}`;
  };
  return new ConfigProblem(`${runs.before} and ${runs.after} have no cell in common`, {
    advice:
      'Cells are matched by the ids of model and data set, and by temperature.\n' +
      `  ${runs.before} has ${named(before)}\n  ${runs.after} has ${named(after)}`,
  });
}
