// Copying a store: what is missing there and sound here, and nothing else, however often it is broken off.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openShard } from '../../../activities/store/shard.ts';
import type { Store } from '../../../activities/store/store.ts';
import { syncStores } from '../../../activities/store/sync.ts';
import { WorldProblem } from '../../../domain/problems.ts';
import { item, written } from '../../report/written.ts';
import { type MemoryStore, memoryStore } from './memory.ts';
import { emptyPlace } from './places.ts';
import { place, success, wants } from './samples.ts';

const report = () => undefined;
const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });
const items = Array.from({ length: 20 }, (_, n) => item(`i${n}`));

async function withRun(): Promise<MemoryStore> {
  const store = memoryStore();
  await written(store, { name: 'r', items, samples: 2, story, ended: 'complete' });
  return store;
}

const textOf = async (store: Store, path: string) => String(Buffer.from((await store.read(path)) ?? ''));

async function all(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const path of store.below(''))
    if (path !== 'format.json') found.set(path, Buffer.from((await store.read(path)) ?? '').toString('base64'));
  return found;
}

describe.each([
  ['file:', 's3:'],
  ['s3:', 'file:'],
] as const)('from %s to %s', (one, other) => {
  test('everything is there afterwards, and a second time there is nothing to do', async () => {
    await using here = await emptyPlace(one);
    await using there = await emptyPlace(other);
    const [from, to] = [await here.open(), await there.open()];
    await written(from, { name: 'r', items, samples: 2, story, ended: 'complete' });
    const first = await syncStores(from, to, { report });
    const objects = await all(from);
    expect(await all(to)).toEqual(objects);
    expect([first.copied, first.present, first.left]).toEqual([objects.size, 0, []]);
    expect(await syncStores(from, to, { report })).toEqual({ copied: 0, bytes: 0, present: objects.size, left: [] });
  });
});

test('broken off at any object it is begun again, and whatever a run says is there has what it goes by', async () => {
  const from = await withRun();
  const objects = await all(from);
  await fc.assert(
    fc.asyncProperty(fc.nat(objects.size), async (writes) => {
      const to = memoryStore();
      let left = writes;
      const failing: Store = {
        ...to,
        async create(path, data) {
          if (left === 0) throw new WorldProblem('store', 'nobody answers');
          left -= 1;
          return to.create(path, data);
        },
      };
      const broken = await syncStores(from, failing, { report }).catch((error) => error);
      expect(broken instanceof WorldProblem).toBe(writes < objects.size);
      const ended = [...to.files.keys()].some((path) => path.includes('/ends/'));
      if (ended) expect([...to.files.keys()].length).toBe(objects.size);
      const runs = [...to.files.keys()].some((path) => path.startsWith('runs/'));
      const rest = (paths: Iterable<string>) => [...paths].filter((path) => !path.startsWith('runs/')).length;
      if (runs) expect(rest(to.files.keys())).toBe(rest(objects.keys()));
      await syncStores(from, to, { report });
      expect(await all(to)).toEqual(objects);
    }),
    { numRuns: 40 },
  );
});

test('damage is not passed on: it is named, and the rest is copied', async () => {
  const from = await withRun();
  const paths = [...from.files.keys()];
  const spoiled = [/^blobs/, /^plans/, /^stages.*gz$/, /^runs/].map(
    (name) => paths.find((path) => name.test(path)) ?? '',
  );
  for (const path of spoiled) from.files.set(path, Buffer.from('{"spoiled":'));
  const to = memoryStore();
  const { copied, left } = await syncStores(from, to, { report });
  expect(left.map(({ path }) => path).sort()).toEqual([...spoiled].sort());
  expect(left.map(({ why }) => why)).toEqual(expect.arrayContaining([expect.stringMatching(/^it is damaged: /)]));
  expect(copied).toBe(paths.length - spoiled.length);
  expect(spoiled.filter((path) => to.files.has(path))).toEqual([]);
});

test('what both stores have is replaced in neither; a run that went on in both is told', async () => {
  const from = await withRun();
  const to = memoryStore();
  await syncStores(from, to, { report });
  const end = [...to.files.keys()].find((path) => path.includes('/ends/')) ?? '';
  to.files.set(end, Buffer.from('{"another":"end"}'));
  const { left } = await syncStores(from, to, { report });
  expect(left).toEqual([
    { path: end, why: 'it says something else there: a run of this name was gone on with in both stores' },
  ]);
  expect(await textOf(to, end)).toBe('{"another":"end"}');
});

test('a write that cannot be read back as it was is told', async () => {
  const from = await withRun();
  const to = memoryStore();
  const blob = [...from.files.keys()].find((path) => path.startsWith('blobs/')) ?? '';
  const lossy: Store = { ...to, create: async (path, data) => to.create(path, path === blob ? 'half' : data) };
  const { left } = await syncStores(from, lossy, { report });
  expect(left).toEqual([{ path: blob, why: 'what was written cannot be read back as it was' }]);
});

test('a segment that grew since it was copied is copied again under another name, until a part holds its records', async () => {
  const from = memoryStore();
  const to = memoryStore();
  const wanted = wants(3);
  const shard = await openShard(from, place, { wanted, attempt: 'one' });
  for (const [n, one] of wanted.entries()) {
    await shard.add(success(one, 'made'));
    await syncStores(from, to, { report });
    const copy = await openShard(to, place, { wanted, attempt: 'reader' });
    expect(copy.adopted.length).toBe(n + 1);
  }
  const before = to.files.size;
  await shard.seal();
  const { copied } = await syncStores(from, to, { report });
  expect([copied, to.files.size - before]).toEqual([1, 1]);
});
