// What the store holds of a plan's cells already: found just as a shard would find it, and nothing is written.
import pLimit from 'p-limit';
import { openShard, type Wanted } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { type Item, isReferenced } from '../domain/data/item.ts';
import type { Group } from '../domain/plan/graph.ts';
import type { Stage, StageRecord, Turn } from '../domain/records/record.ts';

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

const atOnce = 8;

/** The stages of a cell, in the group's order. `items` are those the group takes. */
export async function heldStages(store: Store, group: Group, items: Item[]): Promise<HeldStage[]> {
  const given = new Set(items.flatMap((item) => (item.assistant === null ? [] : [item.id])));
  const stages = group.stages.map(({ stage, key }): HeldStage => {
    const wanted = wantedOf(stage, { items, samples: group.samples });
    return { stage, key, wanted, held: 0, calls: 0, generated: { turns: 0, tokens: 0 } };
  });
  const count = (place: number, records: StageRecord[]) => {
    const at = stages[place];
    if (at === undefined) return;
    at.held += records.length;
    if (isGeneration(at.stage)) for (const record of records) addTurn(at, record as StageRecord<Turn>);
    if (isJudging(at.stage)) for (const record of records) addJudgement(at, record);
  };
  const limit = pLimit(atOnce);
  await Promise.all(shardsOf(group).map((at) => limit(() => walk(store, group, { ...at, items, count }))));

  for (const at of stages) {
    // An answer that comes with the data is no call, whether its record is there yet or not.
    const free = at.stage === 'assistant_turn' ? given.size * group.samples : 0;
    if (isGeneration(at.stage)) at.calls = at.wanted - free - at.generated.turns;
  }
  return stages;
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

function shardsOf({ blocks, samples }: Group): { block: number; sample: number }[] {
  return Array.from({ length: blocks * samples }, (_, n) => ({ block: n % blocks, sample: Math.floor(n / blocks) }));
}

function addJudgement(at: HeldStage, { meta }: StageRecord): void {
  if (meta.usage === undefined) return;
  at.generated.turns += 1;
  at.generated.tokens += meta.usage.completion;
}

export function isJudging(stage: Stage): boolean {
  return stage === 'judgement' || stage === 'reference_judgement';
}

function isGeneration(stage: Stage): boolean {
  return stage === 'assistant_turn' || stage === 'user_turn';
}

function addTurn(at: HeldStage, { result }: StageRecord<Turn>): void {
  if (result.status !== 'ok' || result.body.finish === 'given') return;
  at.generated.turns += 1;
  at.generated.tokens += result.body.tokens;
}
