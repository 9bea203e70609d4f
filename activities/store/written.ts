// What certain attempts wrote into a stage, by the names of their segments.
import type { StageRecord } from '../../domain/records/record.ts';
import { readRecords } from './lines.ts';
import { type ShardPlace, shardFolder } from './shard.ts';
import type { Store } from './store.ts';

/** The shards of a stage that are there. */
export async function shardsOf(store: Store, key: string): Promise<ShardPlace[]> {
  const names = await store.list(`stages/${key}/`);
  return names.flatMap((name) => {
    const [, block, sample] = /^(\d+)-(\d+)\/$/.exec(name) ?? [];
    return block === undefined || sample === undefined ? [] : [{ key, block: Number(block), sample: Number(sample) }];
  });
}

/** Records in the segments of attempts whose names begin so, errors too, as far as they can be read. */
export async function writtenBy(store: Store, where: ShardPlace, prefix: string): Promise<StageRecord[]> {
  const folder = shardFolder(where);
  const names = (await store.list(folder)).filter((name) => name.startsWith(prefix) && name.endsWith('.jsonl'));
  const found: StageRecord[] = [];
  for (const name of names) {
    const bytes = await store.read(folder + name);
    if (bytes !== null) found.push(...readRecords(bytes).records);
  }
  return found;
}
