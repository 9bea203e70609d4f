// What the runs of a store refer to: all that must stay.
import { outline } from '../../domain/plan/outline.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { getPlan } from '../store/plans.ts';
import { listRuns } from '../store/runs.ts';
import { shardFolder } from '../store/shard.ts';
import type { Store } from '../store/store.ts';
import { begunExecutions, endedExecutions, everyPin, readEnding, readRun } from './documents.ts';

/**
 * Paths of plans, blobs and parts. `stages`: keys of which everything stays, as a run that is not complete may go on and adopt it;
 * `unfinished` are those runs.
 */
export type References = { paths: Set<string>; stages: Set<string>; unfinished: string[] };

/** @throws ConfigProblem  what a run refers to cannot be told: then nothing is known to be superfluous */
export async function referencesIn(store: Store): Promise<References> {
  const found: References = { paths: new Set(), stages: new Set(), unfinished: [] };
  for (const run of await listRuns(store)) {
    const doc = await readRun(store, run);
    const plan = await getPlan(store, doc.plan);
    found.paths.add(`plans/${doc.plan}.json`);
    for (const digest of sourcesOf(plan)) found.paths.add(`blobs/${digest}`);
    for await (const pin of everyPin(store, run)) found.paths.add(shardFolder(pin) + pin.part);
    if (await isComplete(store, run)) continue;
    found.unfinished.push(run);
    for (const { groups } of outline(plan, doc))
      for (const { stages } of groups) for (const { key } of stages) found.stages.add(key);
  }
  return found;
}

/** Digests of what a plan points to: data sets, templates, a judge's prompt. */
function sourcesOf({ data, models, judge }: Plan): string[] {
  return [
    ...data.map(({ items }) => items),
    ...models.map(({ template }) => template.sha256),
    ...(judge.llm === undefined ? [] : [judge.llm.prompt]),
  ];
}

async function isComplete(store: Store, run: string): Promise<boolean> {
  const ending = await readEnding(store, run);
  return (
    ending?.end.state === 'complete' && (await begunExecutions(store, run)) === (await endedExecutions(store, run))
  );
}
