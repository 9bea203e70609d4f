// What a run writes down about itself: documents that stay, and numbered versions of those that move on.
import { isDeepStrictEqual } from 'node:util';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import type { Store } from './store.ts';

export type Version<T> = { n: number; value: T };

/** Names of the runs in a store, sorted. */
export async function listRuns(store: Store): Promise<string[]> {
  const names = await store.list('runs/');
  return names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
}

/**
 * Creates `runs/<run>/<name>`. The same value again is fine.
 * @throws ConfigProblem when another value is there
 */
export async function createDoc(store: Store, run: string, name: string, value: unknown): Promise<void> {
  await createOnce(store, `runs/${run}/${name}`, value);
}

/** The value of `runs/<run>/<name>`, or null where there is none. @throws ConfigProblem when it is no JSON */
export async function readDoc<T>(store: Store, run: string, name: string): Promise<T | null> {
  const path = `runs/${run}/${name}`;
  const bytes = await store.read(path);
  if (bytes === null) return null;
  const found = parsed<T>(bytes);
  if (found === null) {
    throw new ConfigProblem('this file is damaged: it does not hold JSON', {
      place: { file: `${store.uri}/${path}` },
      advice: 'Restore it from a copy of the store.',
    });
  }
  return found.value;
}

/**
 * Creates version `n` of a document: `runs/<run>/<name>/<n, 6 digits>.json`. The same value again is fine.
 * @throws ConfigProblem when another value has this number
 */
export async function putVersion(
  store: Store,
  run: string,
  version: { name: string; n: number; value: unknown },
): Promise<void> {
  const { name, n, value } = version;
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`a version is a whole number from 0, not ${n}`);
  await createOnce(store, folderOf(run, name) + fileOf(n), value);
}

/** The version with the highest number that can be read, or null where there is none. */
export async function latest<T>(store: Store, run: string, name: string): Promise<Version<T> | null> {
  for (const n of (await numbersIn(store, folderOf(run, name))).reverse()) {
    const version = await readVersion<T>(store, folderOf(run, name), n);
    if (version !== null) return version;
  }
  return null;
}

/**
 * Every version, by number.
 * @throws ConfigProblem where one cannot be read: whoever adds them up would be wrong without it
 */
export async function allVersions<T>(store: Store, run: string, name: string): Promise<Version<T>[]> {
  const folder = folderOf(run, name);
  const versions: Version<T>[] = [];
  for (const n of await numbersIn(store, folder)) {
    const version = await readVersion<T>(store, folder, n);
    if (version === null) {
      throw new ConfigProblem('this file is damaged: it does not hold JSON', {
        place: { file: `${store.uri}/${folder}${fileOf(n)}` },
        advice:
          'Restore it from a copy of the store, or make another run from the same records: uturn run <config> --new.',
      });
    }
    versions.push(version);
  }
  return versions;
}

const folderOf = (run: string, name: string) => `runs/${run}/${name}/`;
const fileOf = (n: number) => `${String(n).padStart(6, '0')}.json`;

/** Sorted as numbers: the seventh digit would break the order of names. */
async function numbersIn(store: Store, folder: string): Promise<number[]> {
  const names = await store.list(folder);
  const numbers = names.map((name) => Number.parseInt(name, 10)).filter((n, index) => names[index] === fileOf(n));
  return numbers.sort((a, b) => a - b);
}

async function readVersion<T>(store: Store, folder: string, n: number): Promise<Version<T> | null> {
  const bytes = await store.read(folder + fileOf(n));
  const found = bytes === null ? null : parsed<T>(bytes);
  return found === null ? null : { n, value: found.value };
}

/** Plain and not canonical JSON: a summary may quote text that has no canonical form. */
async function createOnce(store: Store, path: string, value: unknown): Promise<void> {
  const text = jsonLine(value);
  if ((await store.create(path, `${text}\n`)) === 'created') return;
  const there = parsed<unknown>((await store.read(path)) ?? new Uint8Array());
  if (there !== null && isDeepStrictEqual(there.value, JSON.parse(text))) return;
  throw new ConfigProblem('this file is there already and says something else', {
    place: { file: `${store.uri}/${path}` },
    advice:
      'What a run wrote is never replaced. Was the same run started twice, against two Temporal servers? Start a new run instead.',
  });
}

/** In an object, so that a stored null is told from none. */
function parsed<T>(bytes: Uint8Array): { value: T } | null {
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) as T };
  } catch {
    return null;
  }
}
