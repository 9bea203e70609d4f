// Shards of a replay: what the run that it goes back to has is taken as it is, and no turn is generated.
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { pinKey, readPins, readRun } from '../run/documents.ts';
import type { Store } from '../store/store.ts';
import { remembering } from './remembering.ts';

type Shard = (ref: ShardRef) => Promise<ShardCounts>;

const room = { room: 8, sizeOf: () => 1 };

/** The same activities for runs that replay none; for others only what the replayed run lacks is made. */
export function withGiven<T extends Record<string, Shard>>(store: Store, activities: T): T {
  const replayed = remembering(async (run: string) => (await readRun(store, run)).replays?.run ?? null, room);
  const pinsOf = remembering(async (run: string) => (await readPins(store, run)).pins, room);

  const taking =
    (make: Shard): Shard =>
    async (ref) => {
      const source = await replayed(ref.run);
      if (source === null) return make(ref);
      const pin = (await pinsOf(source)).get(pinKey(ref));
      if (pin === undefined) return ref.stage.endsWith('_turn') ? missing(ref, source) : make(ref);
      const { part, records, errors } = pin;
      return { part, records, errors, made: 0, tokens: 0, requests: 0, spent: { prompt: 0, completion: 0 } };
    };

  return Object.fromEntries(Object.entries(activities).map(([name, make]) => [name, taking(make)])) as T;
}

function missing({ run, data, block, sample }: ShardRef, source: string): never {
  throw new ConfigProblem(`${source} has no turns of ${data}, block ${block}, sample ${sample}`, {
    advice: `${run} generates none. Have ${source} complete first: uturn resume ${source}`,
  });
}
