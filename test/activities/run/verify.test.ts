import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPins } from '../../../activities/run/documents.ts';
import { verifyStore } from '../../../activities/run/verify.ts';
import { shardFolder } from '../../../activities/store/shard.ts';
import { item, written } from '../../report/written.ts';
import { type MemoryStore, memoryStore } from '../store/memory.ts';

const report = () => undefined;
const items = Array.from({ length: 20 }, (_, n) => item(`i${n}`));
const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });

async function store(): Promise<{ store: MemoryStore; run: string; part: string }> {
  const filled = memoryStore();
  const run = await written(filled, { name: 'r', items, story, ended: 'complete' });
  const [pin] = (await readPins(filled, run)).pins.values();
  return { store: filled, run, part: pin === undefined ? '' : shardFolder(pin) + pin.part };
}

const found = async (filled: MemoryStore) =>
  (await verifyStore(filled, { report })).found.map(({ path, what }) => `${path} ${what}`);

test('a store as it should be is read whole, and nothing is found', async () => {
  const { store: filled } = await store();
  const { checked, runs, found: nothing } = await verifyStore(filled, { report });
  expect([runs, nothing]).toEqual([1, []]);
  expect(Object.values(checked).reduce((sum, n) => sum + n, 0)).toBe(filled.files.size);
  expect(checked).toMatchObject({ plans: 1, parts: expect.any(Number), blobs: expect.any(Number), others: 0 });
});

test.each<[string, RegExp]>([
  ['blobs/', /^blobs\/\S+ damaged: its bytes do not have the SHA-256 in its name$/],
  ['plans/', /^plans\/\S+ damaged: it does not have the hash in its name$/],
  ['stages/', /^stages\/\S+ damaged: /],
  ['runs/', /^runs\/\S+ damaged: it does not hold JSON$/],
])('a byte less in any object of %s is found', async (folder, what) => {
  const paths = [...(await store()).store.files.keys()].filter((path) => path.startsWith(folder));
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    const { store: filled } = await store();
    filled.files.set(path, (filled.files.get(path) ?? new Uint8Array()).subarray(0, -2));
    const all = await found(filled);
    // The last line of a segment may be torn.
    if (path.endsWith('.jsonl')) expect(all).toEqual([]);
    else expect(all).toContainEqual(expect.stringMatching(what));
  }
});

test('a part that a run goes by and that is gone is found, with who goes by it and what to do', async () => {
  const { store: filled, run, part } = await store();
  filled.files.delete(part);
  const { found: all } = await verifyStore(filled, { report });
  expect(all).toEqual([
    {
      path: part,
      what: `missing: ${run} goes by it`,
      advice:
        'Restore it from a copy: uturn store sync <copy> <this store>. Or have it made again: uturn resume <run>.',
    },
  ]);
});

test('a part whose name is that of other records is damaged, sound as it is', async () => {
  const { store: filled, part } = await store();
  filled.files.set(part, gzipSync(''));
  expect(await found(filled)).toEqual([`${part} damaged: it does not hold what its name says`]);
});

test.each(['plans/', 'blobs/'])('what is gone of %s is found by the run that needs it', async (folder) => {
  const { store: filled } = await store();
  const path = [...filled.files.keys()].find((one) => one.startsWith(folder)) ?? '';
  filled.files.delete(path);
  expect(await found(filled)).toEqual([expect.stringContaining(path)]);
});

test('a batch of pins that is gone is found', async () => {
  const { store: filled, run } = await store();
  for (const path of filled.files.keys()) if (path.startsWith(`runs/${run}/pins/`)) filled.files.delete(path);
  expect(await found(filled)).toEqual([expect.stringContaining('a batch of pins is missing here')]);
});
