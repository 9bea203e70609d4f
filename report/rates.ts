// A run's cells item by item, as nights and baselines are held against each other.
import { readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { type CellRates, ratesOf } from '../domain/nights/rates.ts';
import { cellInput } from './cell-input.ts';
import { factsOf } from './facts.ts';

/** @throws ConfigProblem naming a part that is missing or damaged */
export async function runRates(store: Store, run: string): Promise<CellRates[]> {
  const doc = await readRun(store, run);
  const plan = await getPlan(store, doc.plan);
  const cells: CellRates[] = [];
  for await (const at of factsOf(store, doc, plan)) cells.push(...ratesOf(cellInput(plan, at)));
  return cells;
}
