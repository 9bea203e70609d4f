// What a run writes down about itself: documents that stay, and numbered versions of those that move on.
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import type { Store } from './store.ts';

export type Version<T> = { n: number; value: T };

/** What a document has to be. `what` says it in a sentence, `advice` what to do about a file that is none. */
export type Shape<T> = { what: string; holds(value: unknown): value is T; advice: string };

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

/** The value of `runs/<run>/<name>`, or null where there is none. @throws ConfigProblem when it is something else */
export async function readDoc<T>(store: Store, at: { run: string; name: string }, shape: Shape<T>): Promise<T | null> {
  const found = await readShaped(store, `runs/${at.run}/${at.name}`, shape);
  return found === null ? null : found.value;
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
  await putNumbered(store, folderOf(run, version.name), version);
}

/** The same in any folder, which ends with `/`. */
export async function putNumbered(store: Store, folder: string, { n, value }: Version<unknown>): Promise<void> {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`a version is a whole number from 0, not ${n}`);
  await createOnce(store, folder + fileOf(n), value);
}

/** The version with the highest number, or null where there is none. @throws ConfigProblem when it is something else */
export async function latest<T>(
  store: Store,
  at: { run: string; name: string },
  shape: Shape<T>,
): Promise<Version<T> | null> {
  return latestIn(store, folderOf(at.run, at.name), shape);
}

/** The same in any folder, which ends with `/`. */
export async function latestIn<T>(store: Store, folder: string, shape: Shape<T>): Promise<Version<T> | null> {
  const n = (await numbersIn(store, folder)).at(-1);
  return n === undefined ? null : readVersion(store, { folder, n }, shape);
}

/** The same as it stands in the store. */
export async function latestBytes(
  store: Store,
  at: { run: string; name: string },
): Promise<{ path: string; bytes: Uint8Array } | null> {
  const n = await latestNumber(store, at);
  if (n === null) return null;
  const path = folderOf(at.run, at.name) + fileOf(n);
  const bytes = await store.read(path);
  return bytes === null ? null : { path, bytes };
}

/** The text that `createDoc` and `putVersion` write for a value. */
export function documentText(value: unknown): string {
  return `${jsonLine(value)}\n`;
}

/** The highest number there is, whatever its version says; null where there is none. */
export async function latestNumber(store: Store, { run, name }: { run: string; name: string }): Promise<number | null> {
  return (await numbersIn(store, folderOf(run, name))).at(-1) ?? null;
}

/**
 * Every version, by number.
 * @throws ConfigProblem where one is something else: whoever adds them up would be wrong without it
 */
export async function allVersions<T>(
  store: Store,
  at: { run: string; name: string },
  shape: Shape<T>,
): Promise<Version<T>[]> {
  const folder = folderOf(at.run, at.name);
  const limit = pLimit(readsAtOnce);
  const numbers = await numbersIn(store, folder);
  const versions = await Promise.all(numbers.map((n) => limit(() => readVersion(store, { folder, n }, shape))));
  return versions.filter((version) => version !== null);
}

const readsAtOnce = 16;

const folderOf = (run: string, name: string) => `runs/${run}/${name}/`;
const fileOf = (n: number) => `${String(n).padStart(6, '0')}.json`;

/** Sorted as numbers: the seventh digit would break the order of names. */
async function numbersIn(store: Store, folder: string): Promise<number[]> {
  const names = await store.list(folder);
  const numbers = names.map((name) => Number.parseInt(name, 10)).filter((n, index) => names[index] === fileOf(n));
  return numbers.sort((a, b) => a - b);
}

async function readVersion<T>(
  store: Store,
  { folder, n }: { folder: string; n: number },
  shape: Shape<T>,
): Promise<Version<T> | null> {
  const found = await readShaped(store, folder + fileOf(n), shape);
  return found === null ? null : { n, value: found.value };
}

async function readShaped<T>(store: Store, path: string, shape: Shape<T>): Promise<{ value: T } | null> {
  const bytes = await store.read(path);
  if (bytes === null) return null;
  const found = parsed(bytes);
  if (found !== null && shape.holds(found.value)) return { value: found.value };
  const why = found === null ? 'it does not hold JSON' : `it does not say ${shape.what}`;
  throw new ConfigProblem(`this file is damaged: ${why}`, {
    place: { file: `${store.uri}/${path}` },
    advice: shape.advice,
  });
}

/** Plain and not canonical JSON: a summary may quote text that has no canonical form. */
async function createOnce(store: Store, path: string, value: unknown): Promise<void> {
  const text = documentText(value);
  if ((await store.create(path, text)) === 'created') return;
  const there = parsed((await store.read(path)) ?? new Uint8Array());
  if (there !== null && isDeepStrictEqual(there.value, JSON.parse(text))) return;
  throw new ConfigProblem('this file is there already and says something else', {
    place: { file: `${store.uri}/${path}` },
    advice:
      'What a run wrote is never replaced. Was the same run started twice, against two Temporal servers? Start a new run instead.',
  });
}

/** In an object, so that a stored null is told from none. */
function parsed(bytes: Uint8Array): { value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch {
    return null;
  }
}
