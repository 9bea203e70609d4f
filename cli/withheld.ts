// Imported runs that came without their private data.
import { readWithheld } from '../activities/run/documents.ts';
import type { Store } from '../activities/store/store.ts';
import { ConfigProblem } from '../domain/problems.ts';

/** @throws ConfigProblem  some of the run's records are not meant to be here, and what is asked needs all */
export async function checkNothingWithheld(store: Store, run: string): Promise<void> {
  const withheld = [...(await readWithheld(store, run))];
  if (withheld.length === 0) return;
  throw new ConfigProblem(`${run} was imported without ${withheld.join(', ')}, which is private`, {
    advice: `What is here can be looked through: uturn replay ${run} --from-records`,
  });
}
