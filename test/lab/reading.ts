// What a store holds, read as the project reads it: by pins, or everything that lies there.

import { gunzipSync } from 'node:zlib';
import { readPins, readRun } from '../../activities/run/documents.ts';
import { readRecords } from '../../activities/store/lines.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { readPart } from '../../activities/store/shard.ts';
import type { Store } from '../../activities/store/store.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { Stage, StageRecord } from '../../domain/records/record.ts';

/** What a run goes by: the records of its pinned parts, one stage or all, in the plan's order. */
export async function pinnedRecords<Body = unknown>(
  store: Store,
  run: string,
  stage?: Stage,
): Promise<StageRecord<Body>[]> {
  const doc = await readRun(store, run);
  const wanted = new Map<string, number>();
  for (const { groups } of outline(await getPlan(store, doc.plan), doc))
    for (const group of groups)
      for (const node of group.stages)
        if (stage === undefined || node.stage === stage) wanted.set(node.key, wanted.size);
  const { pins } = await readPins(store, run);
  const ours = [...pins.values()].filter((pin) => wanted.has(pin.key));
  ours.sort((a, b) => (wanted.get(a.key) ?? 0) - (wanted.get(b.key) ?? 0) || a.sample - b.sample || a.block - b.block);
  const parts = await Promise.all(ours.map((pin) => readPart(store, pin, pin.part)));
  return parts.flat() as StageRecord<Body>[];
}

/** One line per record of a run: what must be equal between two that were computed alike. */
export async function resultHashes(store: Store, run: string): Promise<string[]> {
  const records = await pinnedRecords(store, run);
  return records.map(({ hash, result }) => `${result.stage} ${result.item} ${result.sample} ${hash}`).sort();
}

/** Every record in the store, whoever made it, in parts or in segments. */
export async function storedRecords(store: Store): Promise<{ file: string; record: StageRecord }[]> {
  const found: { file: string; record: StageRecord }[] = [];
  for (const key of await store.list('stages/')) {
    for (const shard of await store.list(`stages/${key}`)) {
      for (const name of await store.list(`stages/${key}${shard}`)) {
        const file = `stages/${key}${shard}${name}`;
        const bytes = (await store.read(file)) ?? new Uint8Array();
        const { records } = readRecords(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
        found.push(...records.map((record) => ({ file, record })));
      }
    }
  }
  return found;
}
