// The records a run goes by: those of its pinned parts, and no others.

import { parseItems } from '../activities/data/items.ts';
import { pinKey, readPins } from '../activities/run/documents.ts';
import { getBlob } from '../activities/store/blobs.ts';
import { readPart } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { itemsAsked } from '../domain/data/asked.ts';
import type { Item } from '../domain/data/item.ts';
import type { Group, Pin } from '../domain/plan/graph.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { Stage, StageRecord } from '../domain/records/record.ts';

/** One stage of one block and sample. */
export type PinnedPlace = { group: Group; stage: Stage; block: number; sample: number };

export type Pinned = {
  /** Records in data order; [] where the run has not come so far, or has no such stage. @throws ConfigProblem naming a part that is missing or damaged */
  records<Body = unknown>(place: PinnedPlace): Promise<StageRecord<Body>[]>;
};

export async function openPinned(store: Store, run: string): Promise<Pinned> {
  const { pins } = await readPins(store, run);
  return { records: (place) => pinnedPart(store, pins, place) };
}

/** The items a group is about, in data order, as they are asked. */
export async function itemsOf(store: Store, plan: Plan, group: Group): Promise<Item[]> {
  const digest = plan.data.find((data) => data.id === group.data)?.items ?? '';
  const items = parseItems(new TextDecoder().decode(await getBlob(store, digest)));
  return itemsAsked(items.slice(0, group.items), plan);
}

async function pinnedPart<Body>(store: Store, pins: Map<string, Pin>, at: PinnedPlace): Promise<StageRecord<Body>[]> {
  const node = at.group.stages.find((one) => one.stage === at.stage);
  if (node === undefined) return [];
  const where = { key: node.key, block: at.block, sample: at.sample };
  const pin = pins.get(pinKey(where));
  return pin === undefined ? [] : ((await readPart(store, where, pin.part)) as StageRecord<Body>[]);
}
