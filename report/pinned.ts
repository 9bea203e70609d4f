// The records a run goes by: those of its pinned parts, and no others.

import { type ItemSet, itemSet } from '../activities/data/items.ts';
import { pinKey, readPins } from '../activities/run/documents.ts';
import { getBlob } from '../activities/store/blobs.ts';
import { readPart, type ShardPlace } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { itemsAsked } from '../domain/data/asked.ts';
import type { Item } from '../domain/data/item.ts';
import type { Group } from '../domain/plan/graph.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { Stage, StageRecord } from '../domain/records/record.ts';

/** One stage of one block and sample. */
export type PinnedPlace = { group: Group; stage: Stage; block: number; sample: number };

export type PinnedPart = ShardPlace & { part: string };
export type CountedPart = PinnedPart & { records: number; errors: number };

/** Nothing is found where the run has not come so far, or has no such stage. */
export type Pinned = {
  /** Records in data order. @throws ConfigProblem naming a part that is missing or damaged */
  records<Body = unknown>(place: PinnedPlace): Promise<StageRecord<Body>[]>;
  /** A stage's parts, by sample and block. */
  parts(group: Group, stage: Stage): CountedPart[];
};

export async function openPinned(store: Store, run: string): Promise<Pinned> {
  const { pins } = await readPins(store, run);
  const partAt = ({ group, stage, block, sample }: PinnedPlace): CountedPart | null => {
    const node = group.stages.find((one) => one.stage === stage);
    if (node === undefined) return null;
    const where = { key: node.key, block, sample };
    const pin = pins.get(pinKey(where));
    return pin === undefined ? null : { ...where, part: pin.part, records: pin.records, errors: pin.errors };
  };
  return {
    async records<Body>(place: PinnedPlace) {
      const at = partAt(place);
      return at === null ? [] : ((await readPart(store, at, at.part)) as StageRecord<Body>[]);
    },
    parts: (group, stage) =>
      placesIn(group).flatMap((place) => {
        const at = partAt({ group, stage, ...place });
        return at === null ? [] : [at];
      }),
  };
}

function placesIn({ blocks, samples }: Group): { block: number; sample: number }[] {
  return Array.from({ length: blocks * samples }, (_, n) => ({ block: n % blocks, sample: Math.floor(n / blocks) }));
}

/** The items a group is about, in data order, as they are asked. */
export async function itemsOf(store: Store, plan: Plan, group: Group): Promise<Item[]> {
  return (await itemSetOf(store, plan, group)).slice(0, group.items);
}

/** The same, parsed as they are asked for. */
export async function itemSetOf(store: Store, plan: Plan, group: Group): Promise<Pick<ItemSet, 'count' | 'slice'>> {
  const digest = plan.data.find((data) => data.id === group.data)?.items ?? '';
  const items = itemSet(await getBlob(store, digest));
  const count = Math.min(items.count, group.items);
  return { count, slice: (start, end) => itemsAsked(items.slice(start, Math.min(end, count)), plan) };
}
