import { expect, test } from 'vitest';
import { openShard, shardFolder } from '../../../activities/store/shard.ts';
import { readSome } from '../../../activities/store/some.ts';
import { sentence } from '../../../domain/problems.ts';
import { makeRecord } from '../../../domain/records/record.ts';
import { memoryStore } from './memory.ts';

const where = { key: 'k'.repeat(32), block: 0, sample: 0 };
const meta = { attempt: 'a1', at: '2026-01-01T00:00:00.000Z', ms: 1, host: 'h', requests: 1 };
const ids = ['a', 'b"c\\', 'd\u2028e', '","item":"a"'];
const records = ids.map((item) =>
  makeRecord(
    {
      stage: 'judgement',
      key: where.key,
      item,
      sample: 0,
      from: null,
      status: 'ok',
      body: { of: `,"item":"a" ${item}` },
    },
    meta,
  ),
);

async function part() {
  const store = memoryStore();
  const shard = await openShard(store, where, {
    wanted: ids.map((item) => ({ item, sample: 0, from: null })),
    attempt: 'a1',
  });
  for (const record of records) await shard.add(record);
  const at = { ...where, part: (await shard.seal()).part };
  return { store, at, path: shardFolder(where) + at.part };
}

test.each([[[0]], [[1]], [[2, 3]], [[0, 1, 2, 3]], [[]]])('records %j of a part, and no others', async (wanted) => {
  const { store, at } = await part();
  const found = await readSome(store, at, new Set(wanted.map((n) => ids[n] ?? '')));
  expect(found).toEqual(wanted.map((n) => records[n]));
});

test('an item that a part does not hold is not found', async () => {
  const { store, at } = await part();
  expect(await readSome(store, at, new Set(['a', 'z']))).toEqual(records.slice(0, 1));
});

test.each([
  ['missing', null],
  ['damaged', 'hello'],
])('a part that is %s is named', async (what, bytes) => {
  const { store, at, path } = await part();
  store.files.delete(path);
  if (bytes !== null) await store.create(path, bytes);
  expect(await readSome(store, at, new Set(['a'])).catch(sentence)).toContain(`memory:/${path} this part is ${what}`);
});
