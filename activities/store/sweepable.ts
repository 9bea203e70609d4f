// A store as only `uturn gc` sees it: with sizes and ages, and with a way to remove. A `Store` has none, so nobody else can.
import { rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskProblem, errorCode } from './disk.ts';
import { bucketIn } from './open.ts';
import type { Store } from './store.ts';

/** `at`: when it was last written, in ms since 1970. */
export type StoredObject = { path: string; bytes: number; at: number };

export type Sweepable = {
  /** All objects below a folder, in no order. */
  objects(folder: string): AsyncIterable<StoredObject>;
  /** One that is gone already is fine. */
  remove(path: string): Promise<void>;
};

/** @throws ConfigProblem, WorldProblem  as the store's kind does */
export async function sweepable(store: Store): Promise<Sweepable> {
  if (store.fileOf('format.json') === null)
    return (await import('./s3/sweepable.ts')).bucketSweepable(bucketIn(store.uri));
  const fileOf = (path: string) => store.fileOf(path) ?? path;
  return {
    async *objects(folder) {
      for await (const path of store.below(folder)) {
        const found = await stat(fileOf(path)).catch(goneOr(fileOf(path)));
        if (found !== null) yield { path, bytes: found.size, at: found.mtimeMs };
      }
    },
    async remove(path) {
      await unlink(fileOf(path)).catch(goneOr(fileOf(path)));
      // Where it was the last one; a folder that holds anything stays.
      await rmdir(dirname(fileOf(path))).catch(() => {});
    },
  };
}

function goneOr(file: string) {
  return (error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw diskProblem(error, file);
  };
}
