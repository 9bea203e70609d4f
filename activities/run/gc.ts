// Dropping what no run refers to.
import { inLanes } from '../store/lanes.ts';
import { isPart, isSegment } from '../store/shard.ts';
import type { Store } from '../store/store.ts';
import type { StoredObject, Sweepable } from '../store/sweepable.ts';
import { type References, referencesIn } from './references.ts';

const kinds = ['parts', 'segments', 'plans', 'blobs'] as const;
export type SweptKind = (typeof kinds)[number];
export type Amount = { objects: number; bytes: number };

/** `young`: what nothing refers to, and what stays for its age. `newest`: when the last record was written; null where none is there. */
export type Garbage = {
  kept: Record<SweptKind, Amount>;
  dropped: Record<SweptKind, Amount>;
  young: Amount;
  newest: number | null;
  paths: string[];
};

/**
 * `before`: what was written later stays, as a run that is about to begin writes its plan, its data and its records before it
 * refers to them. Objects of other kinds, and everything under `runs/`, are not looked at.
 */
export async function garbageIn(store: Sweepable, { paths, stages }: References, before: number): Promise<Garbage> {
  const found: Garbage = { kept: noAmounts(), dropped: noAmounts(), young: nothing(), newest: null, paths: [] };
  for (const folder of ['stages', 'plans', 'blobs']) {
    for await (const object of store.objects(folder)) {
      const kind = kindOf(object.path);
      if (kind === null) continue;
      if (folder === 'stages') found.newest = Math.max(found.newest ?? 0, object.at);
      const isReferred = paths.has(object.path) || (folder === 'stages' && stages.has(object.path.split('/')[1] ?? ''));
      if (!isReferred && object.at < before) {
        add(found.dropped[kind], object);
        found.paths.push(object.path);
      } else {
        add(found.kept[kind], object);
        if (!isReferred) add(found.young, object);
      }
    }
  }
  return found;
}

const lanes = 8;
const sayEvery = 1_000;

/** Deletes garbage, unless a run has come to refer to it since. May be broken off and begun again. Returns how many objects are gone. */
export async function sweep(
  { store, objects }: { store: Store; objects: Sweepable },
  garbage: string[],
  opts: { report(line: string): void },
): Promise<number> {
  const { paths, stages } = await referencesIn(store);
  const left = garbage.filter((path) => !paths.has(path) && !stages.has(path.split('/')[1] ?? ''));
  let gone = 0;
  await inLanes(left, lanes, async (path) => {
    await objects.remove(path);
    gone += 1;
    if (gone % sayEvery === 0) opts.report(`${gone} deleted`);
  });
  return gone;
}

/** Null of what is not ours to drop. */
function kindOf(path: string): SweptKind | null {
  const [folder, , , ...rest] = path.split('/');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (folder === 'plans') return /^plans\/[0-9a-f]{32}\.json$/.test(path) ? 'plans' : null;
  if (folder === 'blobs') return /^blobs\/[0-9a-f]{64}$/.test(path) ? 'blobs' : null;
  if (rest.length !== 1) return null;
  return isPart(name) ? 'parts' : isSegment(name) ? 'segments' : null;
}

function nothing(): Amount {
  return { objects: 0, bytes: 0 };
}

function noAmounts(): Record<SweptKind, Amount> {
  return { parts: nothing(), segments: nothing(), plans: nothing(), blobs: nothing() };
}

function add(amount: Amount, { bytes }: StoredObject): void {
  amount.objects += 1;
  amount.bytes += bytes;
}
