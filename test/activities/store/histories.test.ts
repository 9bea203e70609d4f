// Laws that hold after any history: attempts interleaved at every operation, zombies, deaths, changed sources and limits.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileStore } from '../../../activities/store/file.ts';
import { openShard, readPart, type SealedShard } from '../../../activities/store/shard.ts';
import type { Segment, Store } from '../../../activities/store/store.ts';
import { type Death, fragile, Killed, type Stepped, stepped } from './fragile.ts';
import { memoryStore } from './memory.ts';
import { emptyPlace } from './places.ts';
import { failure, finishedItems, place, success, wants } from './samples.ts';

/** `fails`: items that end as errors. `version`: what the items are made from. */
type Attempt = { items: number; version: string; fails: number[]; death: Death | null; adds: 'one by one' | 'at once' };

type Disk = { store: Store; tear(path: string, text: string): Promise<void> };

const inMemory = (): Disk => {
  const store = memoryStore();
  return {
    store,
    tear: async (path, text) => {
      store.files.set(path, Buffer.concat([store.files.get(path) ?? new Uint8Array(), Buffer.from(text)]));
    },
  };
};

/** A real folder. What the killed leave open is closed in the end: here they are killed in words only. */
async function onDisk(): Promise<Disk & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'uturn-store-'));
  const store = await fileStore(folder);
  const segments: Segment[] = [];
  return {
    store: {
      ...store,
      segment: async (path) => {
        const segment = await store.segment(path);
        segments.push(segment);
        return segment;
      },
    },
    tear: (path, text) => appendFile(join(folder, path), text),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(segments.map((segment) => segment.close()));
      await rm(folder, { recursive: true });
    },
  };
}

/** A real bucket. What the killed had not put yet comes later, or never: nothing there is torn. */
async function inBucket(): Promise<Disk & AsyncDisposable> {
  const place = await emptyPlace('s3:');
  const store = await place.open();
  return { store, tear: async () => {}, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

/** Runs an attempt as one process, checking the laws of opening; what it sealed is what a workflow would pin. */
async function runAttempt(
  disk: Disk,
  name: string,
  opts: { attempt: Attempt; leave(): Promise<void>; pins: Pin[] },
): Promise<void> {
  const { attempt, leave, pins } = opts;
  const wanted = wants(attempt.items, attempt.version);
  let finished: Set<string> | null = null;
  const store = fragile(disk.store, {
    death: attempt.death,
    tear: disk.tear,
    leave: async () => {
      await leave();
      finished ??= await finishedItems(disk.store, attempt.version);
    },
  });

  const shard = await openShard(store, place, { wanted, attempt: name, segmentBytes: 600 });
  const pending = shard.pending.map((one) => one.item);
  expect(pending.filter((item) => finished?.has(item))).toEqual([]);
  expect([...shard.adopted.map((record) => record.result.item), ...pending].sort()).toEqual(
    wanted.map((one) => one.item).sort(),
  );
  expect(shard.damaged).toBe(0);

  const records = shard.pending.map((one, n) =>
    attempt.fails.includes(n) ? failure(one, name) : success(one, `by ${name}`, name),
  );
  if (attempt.adds === 'at once') await Promise.all(records.map((record) => shard.add(record)));
  else for (const record of records) await shard.add(record);
  const sealed = await shard.seal();
  pins.push({ sealed, wanted });
}

type Pin = { sealed: SealedShard; wanted: ReturnType<typeof wants> };

/** Whatever came later, each pinned part holds one record per item it was wanted for, as it did when it was pinned. */
async function checkPins(disk: Disk, pins: Pin[]): Promise<void> {
  for (const { sealed, wanted } of pins) {
    const records = await readPart(disk.store, place, sealed.part);
    expect(records).toEqual(sealed.records);
    expect(records.map(({ result }) => ({ item: result.item, sample: result.sample, from: result.from }))).toEqual(
      wanted,
    );
  }
}

/** Runs attempts by a schedule of whose turn it is; those that never finish are killed without a word. */
async function runHistory(disk: Disk, attempts: Attempt[], schedule: number[]): Promise<Pin[]> {
  const pins: Pin[] = [];
  const failures: unknown[] = [];
  const running = new Map<number, Stepped>();
  for (const turn of schedule) {
    const n = turn % attempts.length;
    const attempt = attempts[n];
    if (attempt === undefined) continue;
    const begin = () =>
      stepped((leave) =>
        runAttempt(disk, `attempt-${n}`, { attempt, leave, pins }).catch((error) => {
          if (!(error instanceof Killed)) failures.push(error);
        }),
      );
    const process = running.get(n) ?? begin();
    running.set(n, process);
    await process.step();
  }
  if (failures.length > 0) throw failures[0];
  await checkPins(disk, pins);
  return pins;
}

const death = fc.record({
  operation: fc.nat(9),
  when: fc.constantFrom('before' as const, 'during' as const, 'after' as const),
  bytes: fc.nat(400),
});

const attempt = fc.record({
  items: fc.integer({ min: 1, max: 4 }),
  version: fc.constantFrom('old source', 'new source'),
  fails: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
  death: fc.option(death, { freq: 2 }),
  adds: fc.constantFrom('one by one' as const, 'at once' as const),
});

/** Long runs of one attempt as well as lively switching. */
const schedule = fc
  .array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 14 })), { maxLength: 16 })
  .map((runs) => runs.flatMap(([turn, length]) => Array.from({ length }, () => turn)));

const history = fc.tuple(fc.array(attempt, { minLength: 1, maxLength: 5 }), schedule);

test('after any history every pinned part holds one record per item, and nothing finished was pending', async () => {
  let pinned = 0;
  await fc.assert(
    fc.asyncProperty(history, async ([attempts, turns]) => {
      const parts = await runHistory(inMemory(), attempts, turns);
      pinned += parts.length;
    }),
    { numRuns: 600 },
  );
  expect(pinned).toBeGreaterThan(300);
}, 60_000);

test('the same laws hold on a real disk', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([attempts, turns]) => {
      await using disk = await onDisk();
      await runHistory(disk, attempts, turns);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('the same laws hold in a real bucket', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([attempts, turns]) => {
      await using disk = await inBucket();
      await runHistory(disk, attempts, turns);
    }),
    { numRuns: 15 },
  );
}, 60_000);

const plain: Attempt = { items: 2, version: 'source', fails: [], death: null, adds: 'one by one' };

/** Every order in which two sequences of these lengths can be merged. */
function merges(zeros: number, ones: number): number[][] {
  if (zeros === 0 || ones === 0) return [[...Array<number>(zeros).fill(0), ...Array<number>(ones).fill(1)]];
  return [
    ...merges(zeros - 1, ones).map((rest) => [0, ...rest]),
    ...merges(zeros, ones - 1).map((rest) => [1, ...rest]),
  ];
}

test('two attempts merged at every operation both finish, and a third finds nothing to do', async () => {
  const finish = [...Array<number>(12).fill(0), ...Array<number>(12).fill(1)];
  for (const order of merges(6, 6)) {
    const disk = inMemory();
    const pins = await runHistory(disk, [plain, plain], [...order, ...finish]);
    expect(pins.length).toBe(2);
    const third = await openShard(disk.store, place, { wanted: wants(2, 'source'), attempt: 'third' });
    expect(third.pending).toEqual([]);
    const [first] = pins.map((pin) => pin.sealed).sort((a, b) => (a.part < b.part ? -1 : 1));
    expect(await third.seal()).toEqual({ ...first, written: false });
  }
}, 60_000);

test('killed at every operation, before, during and after: the next attempt makes only what was in flight', async () => {
  for (let operation = 0; operation < 6; operation += 1) {
    for (const when of ['before', 'during', 'after'] as const) {
      const disk = inMemory();
      await runHistory(disk, [{ ...plain, death: { operation, when, bytes: 40 } }], Array(12).fill(0));
      const before = (await finishedItems(disk.store, 'source')).size;
      const next = await openShard(disk.store, place, { wanted: wants(2, 'source'), attempt: 'next' });
      // Operations: list, open the segment, two lines, close it, the part.
      const lines = Math.max(0, Math.min(2, operation - (when === 'after' ? 1 : 2)));
      expect({ operation, when, before, pending: next.pending.length }).toEqual({
        operation,
        when,
        before: lines,
        pending: 2 - lines,
      });
    }
  }
});
