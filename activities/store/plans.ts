// Plans, named by what they say.
import type { Plan } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { canonicalJson, shortHashOf } from '../../domain/records/canonical.ts';
import type { Store } from './store.ts';

/** Keeps a plan and returns its id: the first 32 hex characters of its hash. */
export async function putPlan(store: Store, plan: Plan): Promise<string> {
  const id = shortHashOf(plan);
  await store.create(pathOf(id), canonicalJson(plan));
  return id;
}

/** @throws ConfigProblem when it is missing or is not the plan its name says */
export async function getPlan(store: Store, id: string): Promise<Plan> {
  const place = { file: `${store.uri}/${pathOf(id)}` };
  const bytes = await store.read(pathOf(id));
  if (bytes === null) {
    throw new ConfigProblem('this plan is missing', {
      place,
      advice: 'Check that UTURN_STORE names the store of this run, or plan the experiment again.',
    });
  }
  const plan = planIn(bytes, id);
  if (plan === null) {
    throw new ConfigProblem('this plan is damaged: it does not have the hash in its name', {
      place,
      advice: 'Delete it, then restore it from a copy of the store or plan the experiment again from the same config.',
    });
  }
  return plan;
}

/** Its hash says that this is what `putPlan` was given. */
function planIn(bytes: Uint8Array, id: string): Plan | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return shortHashOf(value) === id ? (value as Plan) : null;
  } catch {
    return null;
  }
}

const pathOf = (id: string) => `plans/${id}.json`;
