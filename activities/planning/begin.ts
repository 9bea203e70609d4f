// From a planned experiment to what a run of it is begun with.
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { budgetOf } from '../../domain/spec/budget.ts';
import { putPlan } from '../store/plans.ts';
import type { Store } from '../store/store.ts';
import type { Planned } from './plan.ts';

type Begun = Pick<
  RunDoc,
  'plan' | 'created' | 'attempts' | 'engines' | 'judge' | 'prices' | 'budget' | 'config' | 'uturn'
>;

/** Stores the plan. Names, tags and occasion are up to whoever begins the run. */
export async function begunWith(
  store: Store,
  found: Planned,
  { config, uturn }: Pick<RunDoc, 'config' | 'uturn'>,
): Promise<Begun> {
  const budget = budgetOf(found.spec.budget);
  return {
    plan: await putPlan(store, found.plan),
    created: new Date().toISOString(),
    attempts: found.attempts,
    engines: found.engines,
    ...(found.judge !== null && { judge: found.judge }),
    prices: found.prices,
    ...(budget !== null && { budget }),
    config,
    uturn,
  };
}
