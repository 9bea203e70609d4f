// Parts as files of this machine: a folder's own, a bucket's fetched once.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localPart } from '../../../activities/store/local-part.ts';
import { openShard, shardFolder } from '../../../activities/store/shard.ts';
import type { Store } from '../../../activities/store/store.ts';
import { temporaryFolder } from './folder.ts';
import { emptyPlace } from './places.ts';
import { place, success, wants } from './samples.ts';

async function sealed(store: Store): Promise<string> {
  const shard = await openShard(store, place, { wanted: wants(3), attempt: 'one' });
  for (const one of wants(3)) await shard.add(success(one, 'made'));
  return (await shard.seal()).part;
}

const counted = (store: Store) => {
  const read: string[] = [];
  return { read, store: { ...store, read: (path: string) => (read.push(path), store.read(path)) } };
};

test('of a folder it is the part itself, and nothing is copied', async () => {
  await using where = await emptyPlace('file:');
  await using cache = await temporaryFolder();
  const store = await where.open();
  const part = await sealed(store);
  const path = await localPart(store, place, part, { cache: cache.path });
  expect(path).toBe(new URL(`${where.uri}/${shardFolder(place)}${part}`).pathname);
  expect([existsSync(path), await readdir(cache.path)]).toEqual([true, []]);
});

test('of a bucket it is a copy with the same bytes, fetched once, however many ask', async () => {
  await using where = await emptyPlace('s3:');
  await using cache = await temporaryFolder();
  const opened = await where.open();
  const part = await sealed(opened);
  const { read, store } = counted(opened);
  const ask = () => localPart(store, place, part, { cache: cache.path });
  const first = await ask();
  expect(await Promise.all([ask(), ask()])).toEqual([first, first]);
  expect(read).toEqual([shardFolder(place) + part]);
  expect(await readFile(first)).toEqual(Buffer.from((await opened.read(shardFolder(place) + part)) ?? ''));

  await using other = await emptyPlace('s3:');
  const again = await other.open();
  await sealed(again);
  expect(await localPart(again, place, part, { cache: cache.path })).not.toBe(first);
});

test('many who fetch one part at once leave one file and nothing unfinished', async () => {
  await using where = await emptyPlace('s3:');
  await using cache = await temporaryFolder();
  const store = await where.open();
  const part = await sealed(store);
  const paths = await Promise.all(
    Array.from({ length: 8 }, () => localPart(store, place, part, { cache: cache.path })),
  );
  expect(new Set(paths).size).toBe(1);
  expect(await readdir(join(paths[0] ?? '', '..'))).toEqual([part]);
});

test('one that is missing or damaged is named, and no copy of it is kept', async () => {
  await using where = await emptyPlace('s3:');
  await using cache = await temporaryFolder();
  const store = await where.open();
  const part = `part-${'0'.repeat(64)}.jsonl.gz`;
  const ask = () => localPart(store, place, part, { cache: cache.path });
  await expect(ask()).rejects.toThrow('this part is missing');
  await where.plant(shardFolder(place) + part, 'no part');
  await expect(ask()).rejects.toThrow('this part is damaged');
  expect(await readdir(cache.path)).toEqual([]);
});
