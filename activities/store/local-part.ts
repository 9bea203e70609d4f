// A part as a file of this machine, for readers that want a path. Parts never change, so a copy is right for ever.
import { randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../../domain/records/canonical.ts';
import { cacheFolder } from '../../local/cache.ts';
import { diskProblem } from './disk.ts';
import { checkedPart, type ShardPlace, shardFolder } from './shard.ts';
import type { Store } from './store.ts';

/**
 * Path of a part: where the store is a folder its own, else of a copy in the cache, fetched and checked once. The folder `parts` of
 * the cache may be deleted at any time.
 * @throws ConfigProblem when the part is missing, or the copy that is fetched does not hold what its name says
 * @throws WorldProblem  `store`, `disk`
 */
export async function localPart(
  store: Store,
  where: ShardPlace,
  part: string,
  opts: { cache?: string } = {},
): Promise<string> {
  const path = shardFolder(where) + part;
  const own = store.fileOf(path);
  if (own !== null) return own;
  // Of another store: the same results, but perhaps of other attempts.
  const file = join(opts.cache ?? cacheFolder(), 'parts', sha256(store.uri).slice(0, 16), path);
  if (await exists(file)) return file;
  const bytes = await checkedPart(store, where, part);
  const unfinished = `${file}.${process.pid}-${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(unfinished, bytes);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw diskProblem(error, file);
  }
  return file;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
