// A run in a store, and ways to spoil one of its parts.
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readRun } from '../../../activities/run/documents.ts';
import { getPlan } from '../../../activities/store/plans.ts';
import type { Store } from '../../../activities/store/store.ts';
import { outline } from '../../../domain/plan/outline.ts';
import { hashOf } from '../../../domain/records/canonical.ts';
import type { Stage, StageRecord } from '../../../domain/records/record.ts';
import { openPinned } from '../../../report/pinned.ts';
import { checkRecords } from '../../../report/replay/checked.ts';
import { item, type Story, written } from '../written.ts';

export const items = Array.from({ length: 6 }, (_, n) => item(`i${n}`));

function story({ at, temperature }: { at: number; temperature: number }): Story {
  return {
    answer: { text: `It is ${at}, at ${temperature}.` },
    user: { text: `And ${at} times two?` },
    label: at % 2 === 0 ? 'plausible_followup' : 'other',
    outcome: at < 4 ? 'right' : 'wrong',
  };
}

export async function soundRun(store: Store): Promise<string> {
  return written(store, { name: 'sound', items, temperatures: [0, 0.7], story, ended: 'complete' });
}

export async function check(store: Store, run: string) {
  const doc = await readRun(store, run);
  return checkRecords(store, { doc, plan: await getPlan(store, doc.plan) }, { report: () => undefined });
}

/** Path of the first part of a stage, in the store. */
export async function partOf(store: Store, run: string, stage: Stage): Promise<string> {
  const doc = await readRun(store, run);
  const group = outline(await getPlan(store, doc.plan), doc)[0]?.groups[0];
  const [part] = group === undefined ? [] : (await openPinned(store, run)).parts(group, stage);
  return `stages/${part?.key}/000000-0000/${part?.part}`;
}

export async function changeBytes(store: Store, path: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const file = store.fileOf(path) ?? '';
  await writeFile(file, change(await readFile(file)));
}

/** `hash: 'new'`: by somebody who knows how records are hashed. */
export async function changeRecord(
  store: Store,
  path: string,
  { at, change, hash }: { at: number; change(record: StageRecord): void; hash: 'stays' | 'new' },
): Promise<void> {
  await changeBytes(store, path, (bytes) => {
    const lines = gunzipSync(bytes).toString('utf8').trimEnd().split('\n');
    const record = JSON.parse(lines[at] ?? '') as StageRecord;
    change(record);
    if (hash === 'new') record.hash = hashOf(record.result);
    lines[at] = JSON.stringify(record);
    return gzipSync(`${lines.join('\n')}\n`);
  });
}
