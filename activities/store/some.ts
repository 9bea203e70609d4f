// A few records of a part, for whoever shows some of many: the others are not parsed.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { jsonLine } from '../../domain/records/json-line.ts';
import type { StageRecord } from '../../domain/records/record.ts';
import { readRecords } from './lines.ts';
import { readPart, type ShardPlace, shardFolder } from './shard.ts';
import type { Store } from './store.ts';

const unzipped = promisify(gunzip);

/**
 * The records of these items, in the part's order, each checked against its hash.
 * @throws ConfigProblem as `readPart` does
 */
export async function readSome(
  store: Store,
  { part, ...where }: ShardPlace & { part: string },
  items: ReadonlySet<string>,
): Promise<StageRecord[]> {
  const bytes = await store.read(shardFolder(where) + part);
  const found = bytes === null ? null : await pick(bytes, items).catch(() => null);
  // Whatever is wrong with a part is told by whoever reads it whole.
  if (found !== null) return found;
  return (await readPart(store, where, part)).filter(({ result }) => items.has(result.item));
}

/** Null where a line that was picked is no record. */
async function pick(bytes: Uint8Array, items: ReadonlySet<string>): Promise<StageRecord[] | null> {
  const names = [...items].map((item) => `"item":${jsonLine(item)}`);
  const lines = (await unzipped(bytes)).toString('utf8').split('\n');
  const picked = lines.filter((line) => names.some((name) => line.includes(name)));
  const { records, damaged } = readRecords(Buffer.from(picked.map((line) => `${line}\n`).join('')));
  const ours = records.filter(({ result }) => items.has(result.item));
  return damaged === 0 && ours.length >= items.size ? ours : null;
}
