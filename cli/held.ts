// What the store holds of a plan's cells already: found just as a shard would find it, and nothing is written.
import pLimit from 'p-limit';
import { openShard, type ShardPlace, type Wanted } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { shardsOf } from '../activities/store/written.ts';
import { type Item, isReferenced } from '../domain/data/item.ts';
import type { Group } from '../domain/plan/graph.ts';
import { type Observed, together, unseen } from '../domain/plan/observed.ts';
import type { Stage, StageRecord } from '../domain/records/record.ts';
import { observed } from './earlier.ts';

/**
 * One stage of a cell. `held`: records a run would adopt. `calls`: requests it would make for the others.
 * `generated`: held turns that a model made, and their tokens; of judgements those that a model was asked for.
 */
export type HeldStage = {
  stage: Stage;
  key: string;
  wanted: number;
  held: number;
  calls: number;
  generated: { turns: number; tokens: number };
};

/** `seen`: the same, with how fast they came. */
export type LookedStage = HeldStage & { seen: Observed };

const atOnce = 8;

/** The stages of a cell, in the group's order; of conditions that share an answer each stage once, all of them together. `items` are those the group takes. */
export async function heldStages(store: Store, group: Group, items: Item[]): Promise<LookedStage[]> {
  const given = new Set(items.flatMap((item) => (item.assistant === null ? [] : [item.id])));
  const stages = group.stages.map(({ stage, key }): LookedStage => {
    const wanted = wantedOf(stage, { items, samples: group.samples });
    return { stage, key, wanted, held: 0, calls: 0, generated: { turns: 0, tokens: 0 }, seen: unseen };
  });
  const count = (place: number, records: StageRecord[]) => {
    const at = stages[place];
    if (at === undefined) return;
    at.held += records.length;
    const seen = records.flatMap(observed);
    at.seen = together([at.seen, ...seen]);
    at.generated = { turns: at.seen.turns, tokens: at.seen.tokens };
  };
  const limit = pLimit(atOnce);
  const there = await shardsThere(store, group);
  await Promise.all(there.map((at) => limit(() => walk(store, group, { ...at, items, count }))));

  for (const at of stages) {
    // An answer that comes with the data is no call, whether its record is there yet or not.
    const free = at.stage === 'assistant_turn' ? given.size * group.samples : 0;
    if (isGeneration(at.stage)) at.calls = at.wanted - free - at.generated.turns;
  }
  return [...Map.groupBy(stages, ({ stage }) => stage).values()].flatMap(asOne);
}

function asOne([first, ...others]: LookedStage[]): LookedStage[] {
  if (first === undefined) return [];
  const all = (a: LookedStage, b: LookedStage): LookedStage => ({
    ...a,
    wanted: a.wanted + b.wanted,
    held: a.held + b.held,
    calls: a.calls + b.calls,
    generated: {
      turns: a.generated.turns + b.generated.turns,
      tokens: a.generated.tokens + b.generated.tokens,
    },
    seen: together([a.seen, b.seen]),
  });
  return [others.reduce(all, first)];
}

/** Records a stage makes of these items. What a person said is judged once an item. */
function wantedOf(stage: Stage, { items, samples }: { items: Item[]; samples: number }): number {
  return stage === 'reference_judgement' ? items.filter(isReferenced).length : items.length * samples;
}

type Shard = { block: number; sample: number; items: Item[]; count(place: number, records: StageRecord[]): void };

/** From the first stage on, each stage wants what the one before it holds. */
async function walk(store: Store, group: Group, at: Shard): Promise<void> {
  const { block, sample } = at;
  const here = at.items.slice(block * group.size, (block + 1) * group.size);
  const referenced = new Set(sample === 0 ? here.filter(isReferenced).map(({ id }) => id) : []);
  const isWanted = (stage: Stage, { item }: Wanted) => stage !== 'reference_judgement' || referenced.has(item);
  const after = async (source: number | null, made: Wanted[]): Promise<void> => {
    if (made.length === 0) return;
    for (const [place, node] of group.stages.entries()) {
      if (node.after !== source) continue;
      const wanted = made.filter((one) => isWanted(node.stage, one));
      const { adopted } = await openShard(store, { key: node.key, block, sample }, { wanted, attempt: 'look' });
      at.count(place, adopted);
      await after(
        place,
        adopted.map(({ result, hash }) => ({ item: result.item, sample, from: hash })),
      );
    }
  };
  await after(
    null,
    here.map((item) => ({ item: item.id, sample, from: null })),
  );
}

/** Shards of the group's first stage that hold anything: without it nothing after it counts. */
export async function shardsThere(store: Store, { stages, blocks, samples }: Group): Promise<ShardPlace[]> {
  const first = stages.find(({ after }) => after === null);
  const all = first === undefined ? [] : await shardsOf(store, first.key);
  return all.filter(({ block, sample }) => block < blocks && sample < samples);
}

export function isJudging(stage: Stage): boolean {
  return stage === 'judgement' || stage === 'reference_judgement';
}

function isGeneration(stage: Stage): boolean {
  return stage === 'assistant_turn' || stage === 'user_turn';
}
