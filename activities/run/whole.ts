// Whether all that a run goes by is still there: looked at before a command begins, not when a worker meets it.
import type { Plan } from '../../domain/plan/plan.ts';
import { getBlob } from '../store/blobs.ts';
import { shardFolder } from '../store/shard.ts';
import type { Store } from '../store/store.ts';
import { readPins } from './documents.ts';

/** @throws ConfigProblem  the items of a data set or a model's template are missing or damaged, which no run can make again */
export async function checkSources(store: Store, plan: Plan): Promise<void> {
  for (const { items } of plan.data) await getBlob(store, items);
  for (const { template } of plan.models) if (template.source === 'jinja') await getBlob(store, template.sha256);
}

/** Whether every part that a run goes by is in its place; what it holds is checked where it is read. */
export async function hasItsParts(store: Store, run: string): Promise<boolean> {
  const { pins } = await readPins(store, run);
  for (const pin of pins.values()) if (!(await store.list(shardFolder(pin))).includes(pin.part)) return false;
  return true;
}
