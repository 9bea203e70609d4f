import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { archiveOf } from '../../../activities/run/archive.ts';
import { unpackRun } from '../../../activities/run/unpack.ts';
import type { Store } from '../../../activities/store/store.ts';
import type { TarEntry } from '../../../activities/store/tar.ts';
import { changeBytes, partOf, soundRun } from '../../report/replay/spoilt.ts';
import { freshStore } from '../../report/stores.ts';
import { item, written } from '../../report/written.ts';

async function entriesOf(store: Store, run: string): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  for await (const entry of (await archiveOf(store, run)).entries) entries.push(entry);
  return entries;
}

async function* each<T>(things: T[]): AsyncGenerator<T> {
  yield* things;
}

async function objects(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const path of store.below(''))
    found.set(path, Buffer.from((await store.read(path)) ?? []).toString('base64'));
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function sound() {
  const store = await freshStore();
  const run = await soundRun(store);
  return { store, run, entries: await entriesOf(store, run) };
}

test('an exported run is whole in another store, byte for byte; a second time nothing is added', async () => {
  const { store, run, entries } = await sound();
  const other = await freshStore();
  const first = await unpackRun(other, each(entries), 'a.tar.gz');
  // Segments are what attempts leave behind; a run does not go by them.
  const parts = [...(await objects(store))].filter(([path]) => !path.endsWith('.jsonl'));
  expect([...(await objects(other))]).toEqual(parts);
  expect([first.manifest.run, first.added, first.objects]).toEqual([run, entries.length - 1, entries.length - 1]);
  expect((await unpackRun(other, each(entries), 'a.tar.gz')).added).toBe(0);
});

test('of another run in the store nothing is exported, and the same run gives the same archive', async () => {
  const { store, run, entries } = await sound();
  await written(store, {
    name: 'more',
    items: [item('z')],
    story: () => ({ answer: { text: 'z' } }),
    ended: 'incomplete',
  });
  expect(await entriesOf(store, run)).toEqual(entries);
});

test('of private data there is no item, no record and no word', async () => {
  const store = await freshStore();
  const secret = 'a secret question';
  const items = [item('a', { messages: [{ role: 'user', content: secret }] })];
  const story = () => ({ answer: { text: secret }, user: { text: secret }, label: null, outcome: 'right' as const });
  const run = await written(store, { name: 'hidden', items, private: true, story, ended: 'complete' });
  const { manifest } = await archiveOf(store, run);
  expect([manifest.withheld, manifest.parts, manifest.blobs]).toEqual([['sums'], 0, 0]);
  const other = await freshStore();
  await unpackRun(other, each(await entriesOf(store, run)), 'a.tar.gz');
  const there = await objects(other);
  expect([...there.keys()].filter((path) => /^(blobs|stages)/.test(path))).toEqual([]);
  for (const text of there.values()) expect(Buffer.from(text, 'base64').toString()).not.toContain(secret);
});

test('what is damaged or missing is not exported', async () => {
  const { store, run } = await sound();
  const path = await partOf(store, run, 'score');
  await changeBytes(store, path, (bytes) => bytes.subarray(1));
  await expect(entriesOf(store, run)).rejects.toThrow('this cannot be exported: it does not hold what its name says');
  await rm(store.fileOf(path) ?? '');
  await expect(entriesOf(store, run)).rejects.toThrow('this cannot be exported: it is missing');
});

const spoil = (path: RegExp, bytes: string) => (entries: TarEntry[]) =>
  entries.map((entry) => (path.test(entry.path) ? { ...entry, bytes: Buffer.from(bytes) } : entry));
const also = (path: string) => (entries: TarEntry[]) => [...entries, { path, bytes: Buffer.from('x') }];

test.each<[string, (entries: TarEntry[]) => TarEntry[], RegExp]>([
  ['with a damaged part', spoil(/^stages/, 'x'), /part-.* is damaged: it does not hold what its name says/],
  ['with a damaged blob', spoil(/^blobs/, 'x'), /is damaged: its bytes do not have the SHA-256/],
  ['with another plan', spoil(/^plans/, '{}'), /is damaged: it does not have the hash in its name/],
  ['with a changed ending', spoil(/ends/, '{}'), /is damaged: it does not have the SHA-256 that the archive gives it/],
  [
    'that lacks a part',
    (all) => all.filter(({ path }) => !path.startsWith('stages/')),
    /does not hold all that it says/,
  ],
  [
    'that lacks a document',
    (all) => all.filter(({ path }) => !path.endsWith('run.json')),
    /does not hold all that it says/,
  ],
  ['that leads out of the store', also('../../etc/passwd'), /is not a path in a store/],
  ['with a file of another run', also('runs/other/run.json'), /does not belong into an archive of/],
  ['with a file that a run has none of', also('format-2.json'), /does not belong into an archive of/],
  ['without a beginning', (all) => all.slice(1), /does not begin with uturn-export.json/],
  ['with nothing in it', () => [], /it is empty/],
])('an archive %s is refused, and no run appears', async (_, change, says) => {
  const { entries } = await sound();
  const other = await freshStore();
  const refused = await unpackRun(other, each(change(entries)), 'a.tar.gz').catch((error: unknown) => String(error));
  expect(refused).toMatch(says);
  expect(await other.list('runs/')).toEqual([]);
});

test('a run that the store has and that says something else is left as it is', async () => {
  const { entries, run } = await sound();
  const other = await freshStore();
  await soundRun(other);
  await changeBytes(other, `runs/${run}/ends/000001.json`, (bytes) => Buffer.from(`${bytes.toString()} `));
  const before = await objects(other);
  await expect(unpackRun(other, each(entries), 'a.tar.gz')).rejects.toThrow(`the store has a run ${run} already`);
  expect(await objects(other)).toEqual(before);
});
