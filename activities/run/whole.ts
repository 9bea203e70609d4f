// Whether all that a run goes by is still there: looked at before a command begins, not when a worker meets it.
import type { Plan } from '../../domain/plan/plan.ts';
import { getBlob } from '../store/blobs.ts';
import { shardFolder } from '../store/shard.ts';
import type { Store } from '../store/store.ts';
import { readPins } from './documents.ts';

/**
 * `without`: data sets that an archive left out.
 * @throws ConfigProblem  the items of a data set or a model's template are missing or damaged, which no run can make again
 */
export async function checkSources(store: Store, plan: Plan, without: ReadonlySet<string> = new Set()): Promise<void> {
  for (const { id, items } of plan.data) if (!without.has(id)) await getBlob(store, items);
  for (const { template } of plan.models) if (template.source === 'jinja') await getBlob(store, template.sha256);
}

/** Whether every part that a run goes by is in its place; what it holds is checked where it is read. */
export async function hasItsParts(store: Store, run: string): Promise<boolean> {
  const { pins } = await readPins(store, run);
  const paths = Map.groupBy([...pins.values()], ({ key }) => key);
  for (const [key, ofStage] of paths) {
    const missing = new Set(ofStage.map((pin) => shardFolder(pin) + pin.part));
    // A stage at a time, not a shard: of a bucket each folder would be a request.
    for await (const path of store.below(`stages/${key}`)) {
      missing.delete(path);
      if (missing.size === 0) break;
    }
    if (missing.size > 0) return false;
  }
  return true;
}
