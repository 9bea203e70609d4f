// How hard a run drives its servers: written down whenever somebody sets it anew, and heard by workers soon after.
import { isDeepStrictEqual } from 'node:util';
import { type Concurrency, concurrencyOf, withWord } from '../../domain/plan/concurrency.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { allVersions, latest, latestNumber, putVersion } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { concurrencySet } from './shapes.ts';

const folder = 'concurrency';

/** What somebody set; null where nobody did. */
export async function readSet(store: Store, run: string): Promise<Concurrency | null> {
  return (await latest(store, { run, name: folder }, concurrencySet))?.value ?? null;
}

/** What a run goes by now. */
export async function readConcurrency(store: Store, doc: RunDoc): Promise<Concurrency> {
  return concurrencyOf(doc, (await readSet(store, doc.run)) ?? { models: {} });
}

/** Adds a word to what was set before; nothing is written where it says nothing new. */
export async function saveConcurrency(store: Store, run: string, word: Concurrency): Promise<void> {
  const last = await latest(store, { run, name: folder }, concurrencySet);
  const value = withWord(last?.value ?? { models: {} }, word);
  if (last !== null && isDeepStrictEqual(last.value, value)) return;
  await putVersion(store, run, { name: folder, n: (last?.n ?? -1) + 1, value });
}

/** What was set since there were `before` versions, the earliest first. */
export async function setSince(store: Store, run: string, before: number): Promise<Concurrency[]> {
  const all = await allVersions(store, { run, name: folder }, concurrencySet);
  return all.filter(({ n }) => n >= before).map(({ value }) => value);
}

export async function timesSet(store: Store, run: string): Promise<number> {
  return ((await latestNumber(store, { run, name: folder })) ?? -1) + 1;
}

export type HeardConcurrency = (run: string) => Promise<Concurrency | null>;

/**
 * What somebody set of a run, looked for at most every `everyMs`, by whomever it is asked. Where the store cannot be read
 * the last that was known stands.
 */
export function hearConcurrency(store: Store, everyMs = 5_000): HeardConcurrency {
  const known = new Map<string, { at: number; set: Promise<Concurrency | null> }>();
  return (run) => {
    const last = known.get(run);
    if (last !== undefined && Date.now() - last.at < everyMs) return last.set;
    const set = readSet(store, run).catch(() => last?.set ?? null);
    known.set(run, { at: Date.now(), set });
    return set;
  };
}
