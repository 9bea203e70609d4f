// How far the records in a store come of a run that stopped before it could say: by its pins, and by what lies where it pinned nothing.
import pLimit from 'p-limit';
import type { ItemSet } from '../activities/data/items.ts';
import { pinKey } from '../activities/run/documents.ts';
import { openShard, shardFolder, type Wanted } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { isReferenced } from '../domain/data/item.ts';
import type { Group, Pin } from '../domain/plan/graph.ts';
import type { Stage } from '../domain/records/record.ts';

/** `items`: parsed where a shard has to be read. */
type Cell = { group: Group; items: Pick<ItemSet, 'slice'>; pins: ReadonlyMap<string, Pin> };

const atOnce = 8;

/** Records of a cell, errors left out, by stage. Only what was begun and not pinned is read. */
export async function recordsSoFar(store: Store, cell: Cell): Promise<Map<Stage, number>> {
  const { group, pins } = cell;
  const begun = new Map<string, Set<string>>();
  for (const { key } of group.stages) begun.set(key, new Set(await store.list(`stages/${key}`)));
  const found = new Map<Stage, number>();
  const limit = pLimit(atOnce);
  const shards = Array.from({ length: group.blocks * group.samples }, (_, n) => ({
    block: n % group.blocks,
    sample: Math.floor(n / group.blocks),
  }));
  const count = async (at: { block: number; sample: number }) => {
    const successes = successesOf(store, cell, at);
    for (const [place, { stage, key }] of group.stages.entries()) {
      const where = { key, ...at };
      const pin = pins.get(pinKey(where));
      const folder = shardFolder(where).slice(`stages/${key}/`.length);
      const more =
        pin !== undefined
          ? pin.records - pin.errors
          : begun.get(key)?.has(folder)
            ? (await successes(place)).length
            : 0;
      found.set(stage, (found.get(stage) ?? 0) + more);
    }
  };
  await Promise.all(shards.map((at) => limit(() => count(at))));
  return found;
}

/** The successes of one block and sample at a place of its stages, as a shard would adopt them. Each place is read once. */
function successesOf(store: Store, { group, items }: Cell, { block, sample }: { block: number; sample: number }) {
  const known = new Map<number, Promise<Wanted[]>>();
  const read = async (place: number): Promise<Wanted[]> => {
    const node = group.stages[place];
    if (node === undefined) return [];
    const here = items.slice(block * group.size, (block + 1) * group.size);
    const referenced = new Set(sample === 0 ? here.filter(isReferenced).map(({ id }) => id) : []);
    const sources =
      node.after === null ? here.map(({ id }) => ({ item: id, sample, from: null })) : await at(node.after);
    const wanted = node.stage === 'reference_judgement' ? sources.filter(({ item }) => referenced.has(item)) : sources;
    const { adopted } = await openShard(store, { key: node.key, block, sample }, { wanted, attempt: 'look' });
    return adopted.map(({ result, hash }) => ({ item: result.item, sample, from: hash }));
  };
  const at = (place: number): Promise<Wanted[]> => {
    const reading = known.get(place) ?? read(place);
    known.set(place, reading);
    return reading;
  };
  return at;
}
