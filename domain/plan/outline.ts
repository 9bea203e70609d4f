// What a workflow needs to know of a plan: keys and counts, never texts.
import { blockCount, blockSize } from './blocks.ts';
import type { Campaign, Group } from './graph.ts';
import { sweepStages } from './keys.ts';
import type { Plan, PlannedModel } from './plan.ts';
import type { Occasion } from './run-doc.ts';

/** One campaign per model, one group per data set and temperature. */
export function outline(plan: Plan, run: Occasion): Campaign[] {
  return plan.models.map((model) => ({ model: model.id, groups: groupsOf(plan, model, run) }));
}

/** User turns the plan asks for: items × temperatures × samples × models. */
export function plannedSamples(plan: Plan): number {
  const perModel = plan.data.reduce((sum, data) => sum + itemsTaken(plan, data.count), 0);
  return perModel * plan.temperatures.length * plan.samples * plan.models.length;
}

export function itemsTaken(plan: Plan, count: number): number {
  return plan.limit === null ? count : Math.min(plan.limit, count);
}

function groupsOf(plan: Plan, model: PlannedModel, run: Occasion): Group[] {
  return plan.data.flatMap((data) =>
    plan.temperatures.map((temperature) => {
      const items = itemsTaken(plan, data.count);
      const size = blockSize(data.count);
      return {
        data: data.id,
        temperature,
        items,
        size,
        blocks: blockCount(items, size),
        samples: plan.samples,
        stages: sweepStages({ plan, model, data, temperature, run }),
      };
    }),
  );
}
