// What a shard is made from: its items, and the records of the stages before it.

import { itemsAsked } from '../../domain/data/asked.ts';
import type { Item } from '../../domain/data/item.ts';
import { blockRange } from '../../domain/plan/blocks.ts';
import type { ShardRef } from '../../domain/plan/boundary.ts';
import type { Plan, PlannedData, PlannedModel } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Stage, StageRecord } from '../../domain/records/record.ts';
import { parseItems } from '../data/items.ts';
import { getBlob } from '../store/blobs.ts';
import { getPlan } from '../store/plans.ts';
import { recallPart, type Wanted } from '../store/shard.ts';
import type { Store } from '../store/store.ts';

export type ShardSource = { plan: Plan; model: PlannedModel; data: PlannedData; items: Item[] };

/** Plans and data sets never change, so a worker reads each once. */
export function sources(store: Store) {
  const plans = remembering((id: string) => getPlan(store, id));
  const itemSets = remembering(async (digest: string) =>
    parseItems(new TextDecoder().decode(await getBlob(store, digest))),
  );

  return {
    plan: plans,
    /** The plan's entries that a shard is about, and its items in data order, as they are asked. */
    async of(ref: ShardRef): Promise<ShardSource> {
      const plan = await plans(ref.plan);
      const model = named(plan.models, ref.model);
      const data = named(plan.data, ref.data);
      const all = await itemSets(data.items);
      const { start } = blockRange(ref.block, ref.size, all.length);
      return { plan, model, data, items: itemsAsked(all.slice(start, start + ref.items), plan) };
    },
    items: itemSets,
  };
}

export type Sources = ReturnType<typeof sources>;

/** Successful records of an earlier stage's pinned part, by item id. */
export async function sourceRecords<Body>(
  store: Store,
  ref: ShardRef,
  stage: Stage,
): Promise<Map<string, Found<Body>>> {
  const source = ref.sources[stage];
  if (source === undefined) throw new ConfigProblem(`a ${ref.stage} shard came without its ${stage} part`);
  const part = await recallPart(store, { key: source.key, block: ref.block, sample: ref.sample }, source.part);
  return new Map(
    (part as StageRecord<Body>[]).flatMap((record) =>
      record.result.status === 'ok'
        ? [[record.result.item, { hash: record.hash, body: record.result.body }] as const]
        : [],
    ),
  );
}

export type Found<Body> = { hash: string; body: Body };

/** What a stage wants: the items whose source record is there, each bound to that record. */
export function wantedFrom<Body>(ref: ShardRef, items: Item[], records: Map<string, Found<Body>>): Wanted[] {
  return items.flatMap((item) => {
    const source = records.get(item.id);
    return source === undefined ? [] : [{ item: item.id, sample: ref.sample, from: source.hash }];
  });
}

export function byId(items: Item[]): (id: string) => Item {
  const index = new Map(items.map((item) => [item.id, item]));
  return (id) => {
    const item = index.get(id);
    if (item === undefined) throw new ConfigProblem(`item ${id} is not in the data`);
    return item;
  };
}

function named<T extends { id: string }>(entries: T[], id: string): T {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw new ConfigProblem(`the plan has no ${id}`);
  return entry;
}

function remembering<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? load(key);
    known.set(key, found);
    found.catch(() => known.delete(key));
    return found;
  };
}
