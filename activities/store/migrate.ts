// Bringing a store to the format of this uturn, a version at a time. Like everything else, it only adds.
import { ConfigProblem } from '../../domain/problems.ts';
import { format, formatOf, stateFormat } from './format.ts';
import type { Store } from './store.ts';

/** What brings a store from one format to the next. Broken off, it is begun again from its start. */
export type Migration = { from: number; about: string; run(store: Store): Promise<void> };

/** One for every format there was. Format 1 is the first. */
const steps: Migration[] = [];

export type Migrated = { from: number; to: number; steps: string[] };

export type MigrateOptions = { report(line: string): void; steps?: Migration[]; to?: number };

/** @throws ConfigProblem  no step leads on from where the store is */
export async function migrate(store: Store, opts: MigrateOptions): Promise<Migrated> {
  const to = opts.to ?? format;
  const from = await formatOf(store);
  const done: string[] = [];
  for (let at = from; at < to; at += 1) {
    const step = (opts.steps ?? steps).find((one) => one.from === at);
    if (step === undefined) {
      throw new ConfigProblem(`this uturn does not know how to bring a store from format ${at} to ${at + 1}`, {
        place: { file: store.uri },
        advice: 'Bring it there with the uturn that came after the one that made it, then with this one.',
      });
    }
    opts.report(`format ${at} to ${at + 1}: ${step.about}`);
    await step.run(store);
    await stateFormat(store, at + 1);
    done.push(step.about);
  }
  return { from, to: Math.max(from, to), steps: done };
}
