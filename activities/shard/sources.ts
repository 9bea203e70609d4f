// What a shard is made from: its items, and the records of the stages before it.

import { itemsAsked } from '../../domain/data/asked.ts';
import type { Item } from '../../domain/data/item.ts';
import { blockRange } from '../../domain/plan/blocks.ts';
import type { ShardRef } from '../../domain/plan/boundary.ts';
import type { Plan, PlannedData, PlannedModel } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Stage, StageRecord } from '../../domain/records/record.ts';
import { itemSet } from '../data/items.ts';
import { getBlob } from '../store/blobs.ts';
import { getPlan } from '../store/plans.ts';
import { recallPart, type Wanted } from '../store/shard.ts';
import type { Store } from '../store/store.ts';
import { remembering } from './remembering.ts';

export type ShardSource = { plan: Plan; model: PlannedModel; data: PlannedData; items: Item[] };

/** What a worker keeps of plans and of data sets: as many, and as many bytes. The least recently used go first. */
const room = { plans: 64, bytes: 256 * 1024 * 1024 };

/** Plans and data sets never change, so a worker need not read them for each shard. */
export function sources(store: Store) {
  const plans = remembering((id: string) => getPlan(store, id), { room: room.plans, sizeOf: () => 1 });
  const itemSets = remembering(async (digest: string) => itemSet(await getBlob(store, digest)), {
    room: room.bytes,
    sizeOf: ({ bytes }) => bytes,
  });

  return {
    plan: plans,
    /** The plan's entries that a shard is about, and its items in data order, as they are asked. */
    async of(ref: ShardRef): Promise<ShardSource> {
      const plan = await plans(ref.plan);
      const model = named(plan.models, ref.model);
      const data = named(plan.data, ref.data);
      const all = await itemSets(data.items);
      const { start } = blockRange(ref.block, ref.size, all.count);
      return { plan, model, data, items: itemsAsked(all.slice(start, start + ref.items), plan) };
    },
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

/** The stage whose turns a user's go on from. */
export function answerStage({ sources }: ShardRef): 'assistant_turn' | 'perturbed_turn' {
  return sources.perturbed_turn === undefined ? 'assistant_turn' : 'perturbed_turn';
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
