// A run's cells as facts: what their records came to, without a text.
import type { Store } from '../activities/store/store.ts';
import { isReferenced } from '../domain/data/item.ts';
import { type CellFacts, stageFacts } from '../domain/facts.ts';
import type { Group } from '../domain/plan/graph.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Stage } from '../domain/records/record.ts';
import { itemSetOf, openPinned } from './pinned.ts';
import { openScan, type Telling } from './scan.ts';
import { judgements, scores, turns } from './telling.ts';

/** Of a data set's items what a summary needs: their ids in data order, and which of them have what. */
export type ItemFacts = { ids: string[]; unchecked: ReadonlySet<string>; referenced: ReadonlySet<string> };

export type CellAt = { model: string; group: Group; items: ItemFacts; facts: CellFacts };

/**
 * Goes through a run cell by cell, so that only one cell's facts are in memory.
 * @throws ConfigProblem naming a part that is missing or damaged
 */
export async function* factsOf(store: Store, doc: RunDoc, plan: Plan): AsyncGenerator<CellAt> {
  const pinned = await openPinned(store, doc.run);
  await using scan = await openScan(store);
  const known = new Map<string, ItemFacts>();
  for (const { model, groups } of outline(plan, doc.occasion)) {
    for (const group of groups) {
      const items = known.get(group.data) ?? (await itemFacts(store, plan, group));
      known.set(group.data, items);
      const places = new Map(items.ids.map((id, position) => [id, position]));
      const read = async <Said extends object>(stage: Stage, telling: Telling<Said>) => {
        const found = stageFacts<Said>(places, group.samples);
        await scan.read(pinned.parts(group, stage), telling, found.add);
        return found;
      };
      const has = (stage: Stage) => group.stages.some((one) => one.stage === stage);
      const facts: CellFacts = {
        assistant: await read('assistant_turn', turns),
        user: await read('user_turn', turns),
        judgement: await read('judgement', judgements),
        ...(has('reference_judgement') && { reference: await read('reference_judgement', judgements) }),
        score: has('score') ? await read('score', scores) : null,
      };
      yield { model, group, items, facts };
    }
  }
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
