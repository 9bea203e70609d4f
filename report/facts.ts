// A run's cells as facts: what their records came to, without a text.
import type { Store } from '../activities/store/store.ts';
import { isReferenced } from '../domain/data/item.ts';
import { type CellFacts, type StageFacts, stageFacts } from '../domain/facts.ts';
import { type Campaign, type Group, isBase } from '../domain/plan/graph.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Stage } from '../domain/records/record.ts';
import { itemSetOf, openPinned, type Pinned } from './pinned.ts';
import { openScan, type Scan, type Telling } from './scan.ts';
import { judgements, scores, turns } from './telling.ts';

/** Of a data set's items what a summary needs: their ids in data order, and which of them have what. */
export type ItemFacts = { ids: string[]; unchecked: ReadonlySet<string>; referenced: ReadonlySet<string> };

export type CellAt = { model: string; group: Group; items: ItemFacts; facts: CellFacts };

/** `cells`: those in which nothing was done to answers, unless the others are wanted too. */
type Which = { without?: ReadonlySet<string>; cells?: 'of every condition' };

/**
 * Goes through a run cell by cell, those of some data sets left out, so that only one cell's facts are in memory, and those that cells share.
 * @throws ConfigProblem naming a part that is missing or damaged
 */
export async function* factsOf(
  store: Store,
  doc: RunDoc,
  plan: Plan,
  { without = new Set(), cells }: Which = {},
): AsyncGenerator<CellAt> {
  const pinned = await openPinned(store, doc.run);
  await using scan = openScan(store);
  const campaigns = outline(plan, doc);
  const of = { pinned, scan, shared: sharedKeys(campaigns) };
  const [turn, judgement, score] = [reader(of, turns), reader(of, judgements), reader(of, scores)];
  const known = new Map<string, ItemFacts>();
  for (const { model, groups } of campaigns) {
    for (const group of groups) {
      if (without.has(group.data) || (cells === undefined && !isBase(group))) continue;
      const items = known.get(group.data) ?? (await itemFacts(store, plan, group));
      known.set(group.data, items);
      const at = { group, places: new Map(items.ids.map((id, position) => [id, position])) };
      const has = (stage: Stage) => group.stages.some((one) => one.stage === stage);
      const facts: CellFacts = {
        assistant: await turn(at, 'assistant_turn'),
        ...(has('perturbed_turn') && { perturbed: await turn(at, 'perturbed_turn') }),
        user: await turn(at, 'user_turn'),
        judgement: await judgement(at, 'judgement'),
        ...(has('reference_judgement') && { reference: await judgement(at, 'reference_judgement') }),
        score: has('score') ? await score(at, 'score') : null,
      };
      yield { model, group, items, facts };
    }
  }
}

type Of = { pinned: Pinned; scan: Scan; shared: ReadonlySet<string> };
type At = { group: Group; places: ReadonlyMap<string, number> };

/** Reads stages of one kind; what cells share, such as answers that came with the data, once. */
function reader<Said extends object>({ pinned, scan, shared }: Of, telling: Telling<Said>) {
  const kept = new Map<string, StageFacts<Said>>();
  return async ({ group, places }: At, stage: Stage): Promise<StageFacts<Said>> => {
    const key = group.stages.find((one) => one.stage === stage)?.key ?? '';
    const before = kept.get(key);
    if (before !== undefined) return before;
    const found = stageFacts<Said>(places, group.samples);
    await scan.read(pinned.parts(group, stage), telling, found.add);
    if (shared.has(key)) kept.set(key, found);
    return found;
  };
}

/** Keys of stages that several cells have. */
function sharedKeys(campaigns: Campaign[]): Set<string> {
  const keys = campaigns.flatMap(({ groups }) => groups.flatMap(({ stages }) => stages.map(({ key }) => key)));
  return new Set(keys.filter((key, at) => keys.indexOf(key) !== at));
}

async function itemFacts(store: Store, plan: Plan, group: Group): Promise<ItemFacts> {
  const items = await itemSetOf(store, plan, group);
  const facts = { ids: [] as string[], unchecked: new Set<string>(), referenced: new Set<string>() };
  for (let at = 0; at < items.count; at += itemsAtOnce) {
    for (const item of items.slice(at, at + itemsAtOnce)) {
      facts.ids.push(item.id);
      if (item.answer === null) facts.unchecked.add(item.id);
      if (isReferenced(item)) facts.referenced.add(item.id);
    }
  }
  return facts;
}

const itemsAtOnce = 1_000;
