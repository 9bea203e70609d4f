// Records to store, and what a folder holds by another reading than the store's own.
import { gunzipSync } from 'node:zlib';
import type { ShardPlace, Wanted } from '../../../activities/store/shard.ts';
import { shardFolder } from '../../../activities/store/shard.ts';
import type { Store } from '../../../activities/store/store.ts';
import { makeRecord, type StageRecord } from '../../../domain/records/record.ts';

export const place: ShardPlace = { key: 'c0ffee', block: 3, sample: 1 };

/** The first `count` items, made from records of the given version. */
export function wants(count: number, version: string | null = null): Wanted[] {
  return Array.from({ length: count }, (_, n) => ({ item: `item-${n}`, sample: place.sample, from: version }));
}

export function success(wanted: Wanted, body: unknown, attempt = 'sample'): StageRecord {
  return makeRecord({ stage: 'user_turn', key: place.key, ...wanted, status: 'ok', body }, meta(attempt));
}

export function failure(wanted: Wanted, attempt = 'sample'): StageRecord {
  const error = { kind: 'refused', message: 'no' };
  return makeRecord({ stage: 'user_turn', key: place.key, ...wanted, status: 'error', error }, meta(attempt));
}

const meta = (attempt: string) => ({ attempt, at: '2025-01-01T00:00:00.000Z', ms: 5, host: 'here', requests: 1 });

/** Items whose success, made from `version`, stands in a whole line of the shard's folder. */
export async function finishedItems(store: Store, version: string | null): Promise<Set<string>> {
  const finished = new Set<string>();
  for (const name of await store.list(shardFolder(place))) {
    const bytes = (await store.read(shardFolder(place) + name)) ?? new Uint8Array();
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : Buffer.from(bytes)).toString();
    for (const line of text.split('\n').slice(0, -1)) {
      const { result } = JSON.parse(line) as StageRecord;
      if (result.status === 'ok' && result.from === version) finished.add(result.item);
    }
  }
  return finished;
}
