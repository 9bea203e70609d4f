// Imported runs that came without their private data.
import { readRun, readWithheld } from '../activities/run/documents.ts';
import { hasItsParts } from '../activities/run/whole.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { oneLine } from '../report/escape.ts';

/** `items`: what was asked, to go on with the run. `records`: also all that came of it. */
export type Needed = 'items' | 'records';

/** @throws ConfigProblem  what is needed was left out of the run's archive, and nobody has planned or made it here since */
export async function checkNothingWithheld(store: Store, run: string, needed: Needed): Promise<void> {
  const withheld = await readWithheld(store, run);
  if (withheld.size === 0) return;
  const { data } = await getPlan(store, (await readRun(store, run)).plan);
  const missing: string[] = [];
  for (const { id, items } of data)
    if (withheld.has(id) && (await store.read(`blobs/${items}`)) === null) missing.push(id);
  if (missing.length === 0 && (needed === 'items' || (await hasItsParts(store, run)))) return;
  throw new ConfigProblem(`${run} was imported. ${leftOut(missing.length > 0 ? missing : [...withheld])}`, {
    advice: `What is here can be looked through: uturn replay ${run} --from-records. The rest needs the data: run its config where that is.`,
  });
}

/** What cannot be made of a run that came without these data sets. */
export function leftOut(withheld: string[]): string {
  const names = withheld.map(oneLine).join(', ');
  return `Of ${names}, which is private, nothing can be made here: its texts were left out of the archive.`;
}
