import { rm } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Score, StageRecord, Turn } from '../../../domain/records/record.ts';
import { freshStore } from '../stores.ts';
import { changeBytes, changeRecord, check, items, partOf, soundRun } from './spoilt.ts';

async function sound() {
  const store = await freshStore();
  return { store, run: await soundRun(store) };
}

test('a sound run has no faults, and each of its records is counted once', async () => {
  const { store, run } = await sound();
  const { bytes, ...checked } = await check(store, run);
  expect(checked).toEqual({ records: 2 * 4 * items.length, parts: 8, blobs: 1, faults: [] });
  expect(bytes).toBeGreaterThan(1_000);
});

test('a record whose hash stayed and whose result was changed is named', async () => {
  const { store, run } = await sound();
  const path = await partOf(store, run, 'score');
  const change = ({ result }: StageRecord) => {
    if (result.status === 'ok') (result.body as Score).outcome = 'right';
  };
  await changeRecord(store, path, { at: 5, change, hash: 'stays' });
  expect((await check(store, run)).faults).toEqual([
    { path, record: 6, item: 'i5', sample: 0, what: 'what it says is not what was hashed when it was made' },
  ]);
});

test('a record that was changed with its hash is told by the name of its part, and by those that were made from it', async () => {
  const { store, run } = await sound();
  const path = await partOf(store, run, 'assistant_turn');
  const change = ({ result }: StageRecord) => {
    if (result.status === 'ok') (result.body as Turn).text = 'It is another.';
  };
  await changeRecord(store, path, { at: 2, change, hash: 'new' });
  const { faults } = await check(store, run);
  const made = `it was made from another record than the one in ${path}`;
  expect(faults.find((fault) => fault.path === path)).toMatchObject({
    record: null,
    what: 'each record is sound, but they are not those that its name says',
  });
  const others = faults.filter((fault) => fault.path !== path);
  expect(others).toMatchObject([
    { record: 3, item: 'i2', sample: 0, what: made },
    { record: 3, item: 'i2', sample: 0, what: made },
  ]);
  expect(others.map((fault) => fault.path).sort()).toEqual(
    [await partOf(store, run, 'user_turn'), await partOf(store, run, 'score')].sort(),
  );
});

test('a part that is gone is named, and so is a data set', async () => {
  const { store, run } = await sound();
  const path = await partOf(store, run, 'judgement');
  const blob = `blobs/${(await store.list('blobs/'))[0]}`;
  for (const gone of [path, blob]) await rm(store.fileOf(gone) ?? '');
  const { faults } = await check(store, run);
  expect(faults.map((fault) => [fault.path, fault.what])).toEqual([
    [blob, 'this blob is missing'],
    [path, 'it is missing'],
  ]);
});

test('a part that is cut off is told from where on', async () => {
  const { store, run } = await sound();
  const path = await partOf(store, run, 'user_turn');
  await changeBytes(store, path, (bytes) => bytes.subarray(0, bytes.length - 40));
  const { faults } = await check(store, run);
  expect(faults.map((fault) => [fault.path, fault.what])).toEqual([
    [path, 'its bytes cannot be unpacked from here on'],
  ]);
  expect(faults[0]?.record).toBeGreaterThan(1);
});

/** Some bits of a gzip file say nothing of what is packed, such as its time. */
function unpacked(bytes: Uint8Array): string | null {
  try {
    return gunzipSync(bytes).toString('latin1');
  } catch {
    return null;
  }
}

test('whichever bit of a part was turned over, that part is named, unless it unpacks to the same', async () => {
  const { store, run } = await sound();
  const path = await partOf(store, run, 'user_turn');
  const whole = (await store.read(path)) ?? new Uint8Array();
  const anywhere = fc.record({ byte: fc.nat(whole.length - 1), bit: fc.nat(7) });
  await fc.assert(
    fc.asyncProperty(anywhere, async ({ byte, bit }) => {
      const turned = whole.map((value, at) => (at === byte ? value ^ (1 << bit) : value));
      fc.pre(unpacked(turned) !== unpacked(whole));
      await changeBytes(store, path, () => Buffer.from(turned));
      const { faults } = await check(store, run);
      await changeBytes(store, path, () => Buffer.from(whole));
      expect(faults[0]?.path).toBe(path);
    }),
    { numRuns: 60 },
  );
});
