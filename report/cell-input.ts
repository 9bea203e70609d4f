// What a cell's figures are made of.
import type { CellInput } from '../domain/cell.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { CellAt } from './facts.ts';

export function cellInput(plan: Plan, { model, group, items, facts }: CellAt): CellInput {
  return {
    model,
    data: group.data,
    temperature: group.temperature,
    items: items.ids,
    samples: group.samples,
    facts,
    unchecked: items.unchecked,
    referenced: facts.reference === undefined ? new Set() : items.referenced,
    maxErrorShare: plan.max_error_share,
    seed: plan.seed,
    ...(group.condition !== undefined && { answers: 'of base' as const }),
  };
}
