import { expect, test } from 'vitest';
import { pinsName, readPins, readProgress } from '../../../activities/run/documents.ts';
import { hasItsParts } from '../../../activities/run/whole.ts';
import { putVersion } from '../../../activities/store/runs.ts';
import { shardFolder } from '../../../activities/store/shard.ts';
import { item, written } from '../../report/written.ts';
import { memoryStore } from '../store/memory.ts';

const items = Array.from({ length: 40 }, (_, at) => item(`i${at}`));
const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });

test('a run has its parts until any one of them is gone, whatever else lies beside them', async () => {
  const store = memoryStore();
  const run = await written(store, { name: 'r', items, samples: 2, story });
  const { pins } = await readPins(store, run);
  expect([pins.size, await hasItsParts(store, run)]).toEqual([3 * 2 * 4, true]);
  for (const pin of pins.values()) {
    const path = shardFolder(pin) + pin.part;
    const part = store.files.get(path) ?? new Uint8Array();
    store.files.delete(path);
    store.files.set(`${shardFolder(pin)}part-${'0'.repeat(64)}.jsonl.gz`, part);
    expect(await hasItsParts(store, run)).toBe(false);
    store.files.set(path, part);
  }
  expect(await hasItsParts(store, run)).toBe(true);
});

test('how far a run has come is read from the last batch of each of its campaigns', async () => {
  const store = memoryStore();
  const run = await written(store, { name: 'r', items, story });
  const [first] = await readProgress(store, run);
  const progress = { model: 'fake', state: 'paused', trees: { done: 2, total: 3 }, tally: {}, parked: [] };
  for (const n of [1, 2]) {
    const value = { run, execution: 1, model: 'fake', n, pins: [], progress: n === 1 ? first : progress };
    await putVersion(store, run, { name: pinsName(1, 'fake'), n, value });
  }
  const read: string[] = [];
  const seen = await readProgress({ ...store, read: (path) => (read.push(path), store.read(path)) }, run);
  expect([first?.state, seen, read]).toEqual(['complete', [progress], [`runs/${run}/pins/0001/fake/000002.json`]]);
});
