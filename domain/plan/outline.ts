// What a workflow needs to know of a plan: keys and counts, never texts.
import { type Condition, conditionName, conditionsAt } from '../perturbation/condition.ts';
import { blockCount, blockSize } from './blocks.ts';
import type { Campaign, Group } from './graph.ts';
import { cellStages } from './keys.ts';
import type { Plan, PlannedData, PlannedModel } from './plan.ts';
import type { Occasion } from './run-doc.ts';

/** One campaign per model, one group per cell: data set, temperature and condition. */
export function outline(plan: Plan, run: Occasion): Campaign[] {
  return plan.models.map((model) => ({ model: model.id, groups: groupsOf(plan, model, run) }));
}

/** User turns the plan asks for: items × temperatures × conditions × samples × models. */
export function plannedSamples(plan: Plan): number {
  const perModel = plan.data.reduce((sum, data) => sum + itemsTaken(plan, data.count), 0);
  const conditions = plan.temperatures.reduce((sum, one) => sum + conditionsOf(plan, one).length, 0);
  return perModel * conditions * plan.samples * plan.models.length;
}

/** Answers the plan goes by: one for all conditions. */
export function plannedAnswers(plan: Plan): number {
  const { conditions: _, ...alone } = plan;
  return plannedSamples(alone);
}

export function itemsTaken(plan: Plan, count: number): number {
  return plan.limit === null ? count : Math.min(plan.limit, count);
}

function groupsOf(plan: Plan, model: PlannedModel, run: Occasion): Group[] {
  return plan.data.flatMap((data) =>
    plan.temperatures.flatMap((temperature) =>
      conditionsOf(plan, temperature).map((condition) => groupOf(plan, { model, data, temperature, condition, run })),
    ),
  );
}

function conditionsOf({ conditions }: Plan, temperature: number): Condition[] {
  return conditions === undefined ? [{ kind: 'base' }] : conditionsAt(temperature, conditions);
}

type At = { model: PlannedModel; data: PlannedData; temperature: number; condition: Condition; run: Occasion };

function groupOf(plan: Plan, at: At): Group {
  const items = itemsTaken(plan, at.data.count);
  const size = blockSize(at.data.count);
  return {
    data: at.data.id,
    temperature: at.temperature,
    ...(at.condition.kind !== 'base' && { condition: conditionName(at.condition) }),
    items,
    size,
    blocks: blockCount(items, size),
    samples: plan.samples,
    stages: cellStages({ plan, ...at }),
  };
}
