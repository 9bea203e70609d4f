// Garbage is what no run refers to, in a folder as in a bucket, and what a run says does not change when it is gone.
import { rename, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readRun } from '../../../activities/run/documents.ts';
import { garbageIn, sweep } from '../../../activities/run/gc.ts';
import { referencesIn } from '../../../activities/run/references.ts';
import { verifyStore } from '../../../activities/run/verify.ts';
import { putBlob } from '../../../activities/store/blobs.ts';
import { getPlan, putPlan } from '../../../activities/store/plans.ts';
import { openShard, shardFolder } from '../../../activities/store/shard.ts';
import type { Store } from '../../../activities/store/store.ts';
import { sweepable } from '../../../activities/store/sweepable.ts';
import { summarise } from '../../../report/summarise.ts';
import { item, type Written, written } from '../../report/written.ts';
import { emptyPlace, type Place, placeKinds } from '../store/places.ts';
import { place, success, wants } from '../store/samples.ts';

const report = () => undefined;
const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });
const items = Array.from({ length: 20 }, (_, n) => item(`i${n}`));
const run = (store: Store, over: Partial<Written> = {}) =>
  written(store, { name: 'r', items, story, ended: 'complete', ...over });

/** Later than anything in a test is written. */
const soon = () => Date.now() + 3_600_000;

async function pathsOf(store: Store): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of store.below('')) paths.push(path);
  return paths.sort();
}

async function collect(store: Store, before = soon()) {
  const objects = await sweepable(store);
  const garbage = await garbageIn(objects, await referencesIn(store), before);
  const gone = await sweep({ store, objects }, garbage.paths, { report });
  return { ...garbage, gone };
}

/** A part and segments of a stage that no run has, a blob, and a plan that is none of a run's. */
async function litter(store: Store, name: string): Promise<void> {
  const shard = await openShard(store, place, { wanted: wants(2), attempt: 'x1' });
  for (const wanted of wants(2)) await shard.add(success(wanted, 'text'));
  await shard.seal();
  await putBlob(store, 'of nobody');
  await putPlan(store, { ...(await getPlan(store, (await readRun(store, name)).plan)), seed: 2 });
}

describe.each(placeKinds)('in a store at %s', (kind) => {
  test('what no run refers to goes, and everything else stays', async () => {
    await using at = await emptyPlace(kind);
    const store = await at.open();
    const name = await run(store, { samples: 2 });
    const clean = new Set(await pathsOf(store));
    await litter(store, name);
    const before = await summarise(store, name);
    const all = await pathsOf(store);
    // What stands in a run's segments stands in its parts.
    const expected = all.filter((path) => path.endsWith('.jsonl') || !clean.has(path));

    const { dropped, gone, paths } = await collect(store);
    expect(paths.toSorted()).toEqual(expected);
    expect(gone).toBe(paths.length);
    expect(dropped.plans.objects).toBe(1);
    expect(dropped.blobs).toEqual({ objects: 1, bytes: 9 });
    expect(dropped.parts.objects).toBe(1);
    expect(dropped.segments.objects).toBeGreaterThan(1);
    expect(await pathsOf(store)).toEqual(all.filter((path) => !paths.includes(path)));

    expect((await verifyStore(store, { report })).found).toEqual([]);
    expect(await summarise(store, name)).toEqual(before);
    expect((await collect(store)).gone).toBe(0);
  });

  test('what is young stays', async () => {
    await using at = await emptyPlace(kind);
    const store = await at.open();
    await litter(store, await run(store));
    const all = await pathsOf(store);
    const { gone, young, newest } = await collect(store, Date.now() - 3_600_000);
    expect(gone).toBe(0);
    expect(young.objects).toBeGreaterThan(3);
    expect(Math.abs(Date.now() - (newest ?? 0))).toBeLessThan(600_000);
    expect(await pathsOf(store)).toEqual(all);
  });
});

/** Of a run that nobody refers to any more: its folder was deleted by hand. */
async function forget(at: Place, name: string): Promise<void> {
  await rm(new URL(`${at.uri}/runs/${name}`), { recursive: true });
}

test('a run that was deleted by hand leaves what others share with it', async () => {
  await using at = await emptyPlace('file:');
  const store = await at.open();
  const short = await run(store, { name: 'short', temperatures: [0.7] });
  const long = await run(store, { name: 'long', temperatures: [0.7, 1] });
  const before = await summarise(store, short);
  await forget(at, long);
  const { dropped } = await collect(store);
  expect(dropped.plans.objects).toBe(1);
  // Two blocks, four stages, one temperature that the other has not.
  expect(dropped.parts.objects).toBe(8);
  expect(dropped.blobs.objects).toBe(0);
  expect(await summarise(store, short)).toEqual(before);
});

test('of a run that is not complete everything stays that it may go on with', async () => {
  await using at = await emptyPlace('file:');
  const store = await at.open();
  const half = ({ at }: { at: number }) => (at < 16 ? story() : {});
  const name = await written(store, { name: 'r', items, story: half });
  expect((await referencesIn(store)).unfinished).toEqual([name]);
  const all = await pathsOf(store);
  expect((await collect(store)).gone).toBe(0);
  expect(await pathsOf(store)).toEqual(all);
});

test('what a run has come to refer to since it was looked at is not deleted', async () => {
  await using at = await emptyPlace('file:');
  const store = await at.open();
  const name = await run(store);
  const saved = await readRun(store, name);
  const elsewhere = new URL(`${at.uri}/elsewhere`);
  await rename(new URL(`${at.uri}/runs/${name}`), elsewhere);
  const objects = await sweepable(store);
  const garbage = await garbageIn(objects, await referencesIn(store), soon());
  expect(garbage.dropped.parts.objects).toBe(8);
  await rename(elsewhere, new URL(`${at.uri}/runs/${name}`));
  expect(await sweep({ store, objects }, garbage.paths, { report })).toBe(garbage.dropped.segments.objects);
  expect((await readRun(store, name)).plan).toBe(saved.plan);
  expect((await verifyStore(store, { report })).found).toEqual([]);
});

test('where it cannot be told what a run refers to, nothing is garbage', async () => {
  await using at = await emptyPlace('file:');
  const store = await at.open();
  const name = await run(store);
  await at.plant(`runs/${name}/pins/0001/fake/000000.json`, '{"torn":');
  await expect(referencesIn(store)).rejects.toThrow(/damaged/);
  await rm(new URL(`${at.uri}/runs/${name}/run.json`));
  await expect(referencesIn(store)).rejects.toThrow(/missing/);
});

test('names that are not the store’s own are left alone', async () => {
  await using at = await emptyPlace('file:');
  const store = await at.open();
  for (const path of [
    'blobs/notes.txt',
    'plans/mine.json',
    'stages/key/readme',
    'other/part-1.jsonl',
    `${shardFolder(place)}x/y.jsonl`,
  ])
    await at.plant(path, 'mine');
  const all = await pathsOf(store);
  expect((await collect(store)).paths).toEqual([]);
  expect(await pathsOf(store)).toEqual(all);
});
