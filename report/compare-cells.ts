// A run's cells as what became of their samples: what a comparison needs of them, and no more.
import type { Store } from '../activities/store/store.ts';
import { type CellFates, fatesOf } from '../domain/pairing.ts';
import type { Group } from '../domain/plan/graph.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { cellInput } from './cell-input.ts';
import { factsOf } from './facts.ts';

export type Side = { doc: RunDoc; plan: Plan };
export type Sides = { before: Side; after: Side };
export type CellName = { model: string; data: string; temperature: number };

/** `scored`: whether its answers were checked. */
export type FateCell = { name: CellName; group: Group; scored: boolean; fates: CellFates };

/** In the plan's order, by a name that two runs share. */
export async function fateCells(store: Store, { doc, plan }: Side): Promise<Map<string, FateCell>> {
  const cells = new Map<string, FateCell>();
  for await (const at of factsOf(store, doc, plan)) {
    const name = { model: at.model, data: at.group.data, temperature: at.group.temperature };
    const cell = { name, group: at.group, scored: at.facts.score !== null, fates: fatesOf(cellInput(plan, at)) };
    cells.set(JSON.stringify(Object.values(name)), cell);
  }
  return cells;
}
