// What executions spent that nobody counted: records in shards that they had open when they were cancelled or lost.
import pLimit from 'p-limit';
import type { Campaign } from '../../domain/plan/graph.ts';
import type { Stage } from '../../domain/records/record.ts';
import { addUsage, usageOfAll } from '../../domain/records/usage.ts';
import { executionPrefix } from '../shard/attempt.ts';
import { allVersions, putVersion } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { shardsOf, writtenBy } from '../store/written.ts';
import { pinKey, pinsName } from './documents.ts';
import { type Beginning, beginning, pinBatch, type Uncounted } from './shapes.ts';

const atOnce = 8;

/**
 * Writes down that an execution has begun; where it is asked for, with what earlier ones made in shards that they never counted,
 * each of which is looked at once.
 */
export async function begin(
  store: Store,
  at: { run: string; execution: number; campaigns: Campaign[]; look: 'at earlier ones' | 'at nothing' },
): Promise<void> {
  const { run, execution, campaigns } = at;
  const begun = await allVersions(store, { run, name: 'begins' }, beginning);
  if (begun.some(({ n }) => n === execution)) return;
  const seen = new Set(begun.flatMap(({ value }) => value.looked ?? []));
  const before = Array.from({ length: execution - 1 }, (_, n) => n + 1);
  const looked = at.look === 'at nothing' ? [] : before.filter((one) => !seen.has(one));
  const found = await uncounted(store, { run, campaigns, executions: looked });
  const value: Beginning = { execution, ...(looked.length > 0 && { looked, found }) };
  await putVersion(store, run, { name: 'begins', n: execution, value });
}

/** An execution counts a shard when it pins it; of every other shard its own segments say what it made there. */
async function uncounted(
  store: Store,
  at: { run: string; campaigns: Campaign[]; executions: number[] },
): Promise<Uncounted> {
  const found: Uncounted = [];
  for (const execution of at.executions) {
    const prefix = executionPrefix({ run: at.run, execution });
    const counted = await pinnedIn(store, { ...at, execution });
    for (const { model, stage, key } of stagesOf(at.campaigns)) {
      const open = (await shardsOf(store, key)).filter((place) => !counted.has(pinKey(place)));
      const limit = pLimit(atOnce);
      const usages = await Promise.all(
        open.map((place) => limit(async () => usageOfAll(await writtenBy(store, place, prefix)))),
      );
      const spent = usages.reduce(addUsage, { prompt: 0, completion: 0 });
      if (spent.prompt + spent.completion > 0) found.push({ model, stage, spent });
    }
  }
  return found;
}

type Pinned = { run: string; campaigns: Campaign[]; execution: number };

async function pinnedIn(store: Store, { run, campaigns, execution }: Pinned): Promise<Set<string>> {
  const pinned = new Set<string>();
  for (const { model } of campaigns) {
    for (const { value } of await allVersions(store, { run, name: pinsName(execution, model) }, pinBatch))
      for (const pin of value.pins) pinned.add(pinKey(pin));
  }
  return pinned;
}

/** Each stage once, whichever campaigns share it. */
function stagesOf(campaigns: Campaign[]): { model: string; stage: Stage; key: string }[] {
  const all = campaigns.flatMap(({ model, groups }) =>
    groups.flatMap(({ stages }) => stages.map(({ stage, key }) => ({ model, stage, key }))),
  );
  return [...new Map(all.map((one) => [one.key, one])).values()];
}
