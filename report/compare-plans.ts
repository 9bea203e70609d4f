// What two plans ask differently, field by field.
import type { Plan } from '../domain/plan/plan.ts';
import { differences } from './replay/differences.ts';

/** `before`, `after`: absent where that plan has no such field. Models and data sets are known by their ids. */
export type PlanDifference = { field: string; before?: unknown; after?: unknown };

/** In the order of the first plan. */
export function comparePlans(before: Plan, after: Plan): PlanDifference[] {
  return differences(byId(before), byId(after)).map(({ field, ...values }) => ({
    field,
    ...('there' in values && { before: values.there }),
    ...('made' in values && { after: values.made }),
  }));
}

/** A model or a data set that stands at another place is the same one. */
function byId({ models, data, ...plan }: Plan) {
  return { ...plan, models: named(models), data: named(data) };
}

function named<One extends { id: string }>(all: One[]): Record<string, One> {
  return Object.fromEntries(all.map((one) => [one.id, one]));
}
