// The format version at the root of every store: `format.json` says which it was made with, `format-<n>.json` that it was brought to n.
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Store } from './store.ts';

/** What this uturn reads and writes. Raising it takes a step in `migrate.ts`. */
export const format = 1;

const path = 'format.json';
const schema = z.looseObject({ format: z.int().min(1) });

/** `older: 'take'`: a store that has to be migrated is opened for just that. `missing: 'refuse'`: none is made. */
export type Opening = { older?: 'refuse' | 'take'; missing?: 'make' | 'refuse' };

/** Writes the version where there is none. @throws ConfigProblem when another uturn made the store, or something else did */
export async function checkFormat(store: Store, opts: Opening & { reads?: number } = {}): Promise<void> {
  const reads = opts.reads ?? format;
  if ((await store.read(path)) === null) {
    if (opts.missing === 'refuse') throw noStore(store.uri);
    const outcome = await store.create(path, said(reads));
    if (outcome === 'created') return;
  }
  const version = await formatOf(store);
  const place = { file: `${store.uri}/${path}` };
  if (version > reads) {
    throw new ConfigProblem(`the store has format ${version}, this uturn reads format ${reads}`, {
      place,
      advice: 'A newer uturn made it: update uturn, or set UTURN_STORE to another folder.',
    });
  }
  if (version < reads && opts.older !== 'take') {
    throw new ConfigProblem(`the store has format ${version}, this uturn reads format ${reads}`, {
      place,
      advice: 'Bring it there: uturn store migrate. Nothing in it is changed, so make no copy first.',
    });
  }
}

/** The format that a store has. @throws ConfigProblem when its file does not say one */
export async function formatOf(store: Store): Promise<number> {
  const version = versionIn(await store.read(path));
  if (version === null) {
    throw new ConfigProblem('this file does not hold a format version', {
      place: { file: `${store.uri}/${path}` },
      advice:
        'If the folder belongs to something else, set UTURN_STORE to another one; if the file is damaged, restore it as {"format":1}.',
    });
  }
  const later = (await store.list('')).map((name) => Number(/^format-(\d+)\.json$/.exec(name)?.[1] ?? 0));
  return Math.max(version, ...later);
}

function noStore(uri: string): ConfigProblem {
  return new ConfigProblem('there is no store here', {
    place: { file: uri },
    advice: 'A store has a format.json at its root. Give the path or URI of one, or set UTURN_STORE to it.',
  });
}

/** Writes down that a store was brought to a format. */
export async function stateFormat(store: Store, version: number): Promise<void> {
  await store.create(`format-${version}.json`, said(version));
}

/** Of the store itself, and no copy's. */
export const isFormatFile = (name: string) => /^format(-\d+)?\.json$/.test(name);

const said = (version: number) => `${JSON.stringify({ format: version })}\n`;

function versionIn(bytes: Uint8Array | null): number | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes ?? undefined))).format;
  } catch {
    return null;
  }
}
