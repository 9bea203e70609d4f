// Who wins in one shard: what is adopted, what is pending, which part is named.
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openShard,
  readPart,
  recallPart,
  type SealedShard,
  shardFolder,
  type Wanted,
} from '../../../activities/store/shard.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { sha256 } from '../../../domain/records/canonical.ts';
import type { StageRecord } from '../../../domain/records/record.ts';
import { storeText } from '../../../domain/records/text.ts';
import { type MemoryStore, memoryStore } from './memory.ts';
import { failure, place, success, wants } from './samples.ts';

const folder = shardFolder(place);
const namesIn = (store: MemoryStore) => [...store.files.keys()].map((path) => path.slice(folder.length)).sort();
const open = (store: MemoryStore, wanted: Wanted[], attempt: string) => openShard(store, place, { wanted, attempt });
const bodies = (records: StageRecord[]) =>
  records.map(({ result }) => [result.item, result.status === 'ok' ? result.body : result.error.kind]);

/** An attempt that makes everything pending: `make` gives the record. */
async function finish(
  store: MemoryStore,
  wanted: Wanted[],
  opts: { attempt: string; make?: (wanted: Wanted) => StageRecord },
): Promise<SealedShard> {
  const shard = await open(store, wanted, opts.attempt);
  const make = opts.make ?? ((one: Wanted) => success(one, `by ${opts.attempt}`, opts.attempt));
  await Promise.all(shard.pending.map((one) => shard.add(make(one))));
  return shard.seal();
}

test('a shard is a folder of its own', () => {
  expect(shardFolder({ key: 'ab12', block: 42, sample: 7 })).toBe('stages/ab12/000042-0007/');
  expect(shardFolder({ key: 'ab12', block: 1_234_567, sample: 12_345 })).toBe('stages/ab12/1234567-12345/');
});

test('a new shard wants everything, and its part holds it in the order of the data', async () => {
  const store = memoryStore();
  const shard = await open(store, wants(3), 'one');
  expect([shard.adopted, shard.pending, shard.damaged]).toEqual([[], wants(3), 0]);
  expect(namesIn(store)).toEqual([]);
  for (const one of wants(3).reverse()) await shard.add(success(one, 'made'));
  const sealed = await shard.seal();
  expect(bodies(sealed.records)).toEqual([
    ['item-0', 'made'],
    ['item-1', 'made'],
    ['item-2', 'made'],
  ]);
  expect(namesIn(store)).toEqual(['one-0.jsonl', sealed.part]);
  expect(await readPart(store, place, sealed.part)).toEqual(sealed.records);
  expect([...store.writing]).toEqual([]);
});

test('a shard that is given up lets go of its segment and can be gone on with', async () => {
  const store = memoryStore();
  const shard = await open(store, wants(2), 'one');
  const [first, second] = wants(2).map((one) => success(one, 'x'));
  if (first === undefined || second === undefined) throw new Error('two are wanted');
  await shard.add(first);
  expect([...store.writing]).toEqual([`${folder}one-0.jsonl`]);
  await shard.close();
  await shard.close();
  expect([...store.writing]).toEqual([]);
  await shard.add(second);
  expect((await shard.seal()).records).toEqual([first, second]);
});

test('a part can be read and its name checked with common tools', async () => {
  const store = memoryStore();
  const { part } = await finish(store, wants(2), { attempt: 'one' });
  const lines = gunzipSync(store.files.get(folder + part) ?? '')
    .toString()
    .split('\n');
  const hashes = lines.slice(0, -1).map((line) => `${JSON.parse(line).hash}\n`);
  expect([lines.length, lines.at(-1), part]).toEqual([3, '', `part-${sha256(hashes.join(''))}.jsonl.gz`]);
});

test('a finished shard is adopted whole, and sealing it again writes nothing', async () => {
  const store = memoryStore();
  const first = await finish(store, wants(3), { attempt: 'one' });
  const before = namesIn(store);
  const second = await open(store, wants(3), 'two');
  expect([second.pending, second.adopted]).toEqual([[], first.records]);
  expect(await second.seal()).toEqual({ ...first, written: false });
  expect(namesIn(store)).toEqual(before);
});

test('a finished shard is one file to read and none to write', async () => {
  const store = memoryStore();
  const first = await finish(store, wants(3), { attempt: 'one' });
  const read: string[] = [];
  const frugal = {
    ...store,
    read: async (path: string) => {
      read.push(path);
      return store.read(path);
    },
    create: async () => {
      throw new ConfigProblem('nothing can be written here');
    },
  };
  const shard = await openShard(frugal, place, { wanted: wants(3), attempt: 'two' });
  expect(read).toEqual([folder + first.part]);
  expect(await shard.seal()).toEqual({ ...first, written: false });
});

test('the same results found by another attempt are the part that is there, with what it says about itself', async () => {
  const store = memoryStore();
  const one = await open(store, wants(2), 'one');
  const two = await open(store, wants(2), 'two');
  for (const wanted of wants(2)) {
    await one.add(success(wanted, 'same', 'one'));
    await two.add(success(wanted, 'same', 'two'));
  }
  const sealed = await one.seal();
  expect(await two.seal()).toEqual({ ...sealed, written: false });
  expect(sealed.records.map((record) => record.meta.attempt)).toEqual(['one', 'one']);
});

test('a larger limit adopts, a smaller one again names the small part and writes nothing', async () => {
  const store = memoryStore();
  const small = await finish(store, wants(2), { attempt: 'one' });
  const large = await open(store, wants(4), 'two');
  expect([bodies(large.adopted).length, large.pending.map((one) => one.item)]).toEqual([2, ['item-2', 'item-3']]);
  for (const one of large.pending) await large.add(success(one, 'more'));
  expect((await large.seal()).written).toBe(true);
  const before = namesIn(store);
  expect(await finish(store, wants(2), { attempt: 'three' })).toEqual({ ...small, written: false });
  expect(namesIn(store)).toEqual(before);
});

test('errors are sealed but never adopted; retried they make another part, and the old one still reads the same', async () => {
  const store = memoryStore();
  const make = (one: Wanted) => (one.item === 'item-1' ? failure(one) : success(one, 'made'));
  const first = await finish(store, wants(3), { attempt: 'one', make });
  const amended = await open(store, wants(3), 'two');
  expect(amended.pending).toEqual([wants(3)[1]]);
  for (const one of amended.pending) await amended.add(success(one, 'mended'));
  const second = await amended.seal();
  expect(bodies(second.records)).toEqual([
    ['item-0', 'made'],
    ['item-1', 'mended'],
    ['item-2', 'made'],
  ]);
  expect(bodies(await readPart(store, place, first.part))).toEqual([
    ['item-0', 'made'],
    ['item-1', 'refused'],
    ['item-2', 'made'],
  ]);
});

test('the same error again names the same part', async () => {
  const store = memoryStore();
  const make = (one: Wanted) => failure(one);
  const first = await finish(store, wants(2), { attempt: 'one', make });
  expect(await finish(store, wants(2), { attempt: 'two', make })).toEqual({ ...first, written: false });
});

test('a success made from another record is not adopted, and comes back when the source does', async () => {
  const store = memoryStore();
  const old = await finish(store, wants(2, 'old'), { attempt: 'one' });
  const changed = wants(2, 'old').map((one, n) => (n === 1 ? { ...one, from: 'new' } : one));
  const next = await open(store, changed, 'two');
  expect([bodies(next.adopted), next.pending]).toEqual([[['item-0', 'by one']], [changed[1]]]);
  await next.add(success({ item: 'item-1', sample: 1, from: 'new' }, 'anew'));
  await next.seal();
  expect(await finish(store, wants(2, 'old'), { attempt: 'three' })).toEqual({ ...old, written: false });
});

test('records of another key, sample or item in the folder are left alone', async () => {
  const store = memoryStore();
  const record = success({ item: 'item-0', sample: 1, from: null }, 'x');
  const strays = [
    success({ item: 'item-0', sample: 2, from: null }, 'other sample'),
    success({ item: 'item-9', sample: 1, from: null }, 'other item'),
  ];
  const elsewhere = await openShard(store, { ...place, key: 'beef' }, { wanted: wants(1), attempt: 'x' });
  await expect(elsewhere.add(record)).rejects.toThrow('does not want');
  store.files.set(`${folder}x-0.jsonl`, Buffer.from(strays.map((one) => `${JSON.stringify(one)}\n`).join('')));
  const shard = await open(store, wants(1), 'one');
  expect([shard.adopted, shard.pending, shard.damaged]).toEqual([[], wants(1), 0]);
});

test('two attempts with different successes: each pinned part reads its own, later ones adopt by name', async () => {
  const store = memoryStore();
  const shards = [await open(store, wants(2), 'one'), await open(store, wants(2), 'two')] as const;
  const sealed: SealedShard[] = [];
  for (const [n, shard] of shards.entries()) {
    for (const wanted of wants(2)) await shard.add(success(wanted, `by ${n}`));
    sealed.push(await shard.seal());
  }
  for (const [n, one] of sealed.entries()) {
    expect(bodies(await readPart(store, place, one.part))).toEqual([
      ['item-0', `by ${n}`],
      ['item-1', `by ${n}`],
    ]);
  }
  const [first] = sealed.sort((a, b) => (a.part < b.part ? -1 : 1));
  expect(await finish(store, wants(2), { attempt: 'three' })).toEqual({ ...first, written: false });
});

test('parts go before segments, and segments by name, whatever was written first', async () => {
  const store = memoryStore();
  const line = (body: string) =>
    Buffer.from(`${JSON.stringify(success({ item: 'item-0', sample: 1, from: null }, body))}\n`);
  store.files.set(`${folder}b-0.jsonl`, line('b'));
  store.files.set(`${folder}a-0.jsonl`, line('a'));
  expect(bodies((await open(store, wants(1), 'x')).adopted)).toEqual([['item-0', 'a']]);
  expect(bodies((await open(store, wants(2), 'x')).adopted)).toEqual([['item-0', 'a']]);
  const records = [success({ item: 'item-0', sample: 1, from: null }, 'part')];
  const name = `part-${sha256(`${records[0]?.hash}\n`)}.jsonl.gz`;
  store.files.set(folder + name, gzipSync(`${JSON.stringify(records[0])}\n`));
  expect(bodies((await open(store, wants(1), 'x')).adopted)).toEqual([['item-0', 'part']]);
});

test('a zombie that writes on after the other is done spoils nothing', async () => {
  const store = memoryStore();
  const zombie = await open(store, wants(3), 'zombie');
  await zombie.add(success({ item: 'item-0', sample: 1, from: null }, 'early'));
  const pinned = await finish(store, wants(3), { attempt: 'heir' });
  expect(bodies(pinned.records)[0]).toEqual(['item-0', 'early']);
  for (const wanted of wants(3).slice(1)) await zombie.add(success(wanted, 'late'));
  const late = await zombie.seal();
  expect(late.part).not.toBe(pinned.part);
  expect(await readPart(store, place, pinned.part)).toEqual(pinned.records);
});

test('a segment torn at any byte gives up its whole lines and nothing else', async () => {
  const records = wants(3).map((one, n) => success(one, { text: `größer 🙂 ${n}\n\u2028` }));
  const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const store = memoryStore();
    store.files.set(`${folder}one-0.jsonl`, bytes.subarray(0, cut));
    const whole = bytes.subarray(0, cut).filter((byte) => byte === 0x0a).length;
    const shard = await open(store, wants(3), 'two');
    expect([cut, shard.adopted, shard.pending.length, shard.damaged]).toEqual([
      cut,
      records.slice(0, whole),
      3 - whole,
      0,
    ]);
  }
});

test('a byte changed anywhere in a segment never changes a result; the line is counted and computed again', async () => {
  const records = wants(2).map((one) => success(one, 'made'));
  const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const store = memoryStore();
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
      store.files.set(`${folder}one-0.jsonl`, changed);
      const shard = await open(store, wants(2), 'two');
      const originals = new Map(records.map((record) => [record.result.item, record.result]));
      for (const { result } of shard.adopted) expect(result).toEqual(originals.get(result.item));
      // Without its last newline the last line is torn, not damaged.
      const lost = at === bytes.length - 1 ? 0 : shard.pending.length;
      expect(shard.damaged).toBeGreaterThanOrEqual(Math.min(1, lost));
    }),
    { numRuns: 400 },
  );
});

test.each([
  ['no JSON', 'nonsense'],
  ['no record', '{"format":1}'],
  ['an empty line', ''],
  ['a newer format', JSON.stringify({ ...success({ item: 'item-0', sample: 1, from: null }, 'x'), format: 2 })],
  [
    'a hash of something else',
    JSON.stringify({ ...success({ item: 'item-0', sample: 1, from: null }, 'x'), hash: 'f'.repeat(64) }),
  ],
  [
    'a result without a hash',
    JSON.stringify({ ...success({ item: 'item-0', sample: 1, from: null }, 'x'), hash: undefined }),
  ],
  [
    'a result that cannot be hashed',
    JSON.stringify({ ...success({ item: 'item-0', sample: 1, from: null }, 'x'), hash: '' }).replace(
      '"x"',
      '"\\ud835"',
    ),
  ],
])('%s amid the lines is counted and passed over', async (_, line) => {
  const store = memoryStore();
  const good = success({ item: 'item-1', sample: 1, from: null }, 'good');
  store.files.set(`${folder}one-0.jsonl`, Buffer.from(`${line}\n${JSON.stringify(good)}\n`));
  const shard = await open(store, wants(2), 'two');
  expect([shard.adopted, shard.pending.map((one) => one.item), shard.damaged]).toEqual([[good], ['item-0'], 1]);
});

test('what a later version adds to a record is kept and hashed', async () => {
  const store = memoryStore();
  const wanted = { item: 'item-0', sample: 1, from: null };
  const later = { ...wanted, later: { deep: [1] } };
  const record = success(later, 'x');
  const shard = await open(store, [wanted], 'one');
  await shard.add(record);
  expect((await open(store, [wanted], 'two')).adopted).toEqual([record]);
});

test('any body comes back exactly, lone surrogates, NULs and separators included', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\ud835', '\udc00', '\0', '\r', '\n', '\u2028', '"', '\\', 'a') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
      const store = memoryStore();
      const wanted = wants(texts.length);
      const made = wanted.map((one, n) => success(one, storeText(texts[n] ?? '')));
      const shard = await open(store, wanted, 'one');
      await Promise.all(made.map((record) => shard.add(record)));
      expect((await open(store, wanted, 'two')).adopted).toEqual(made);
      const sealed = await shard.seal();
      expect(await readPart(store, place, sealed.part)).toEqual(made);
    }),
  );
});

test('item names are compared exactly', async () => {
  const store = memoryStore();
  const wanted = ['a', 'A', '', '__proto__', 'a,1', '["a",1]', 'ä', 'a\u0308'].map((item) => ({
    item,
    sample: 1,
    from: null,
  }));
  const sealed = await finish(store, wanted, { attempt: 'one', make: (one) => success(one, one.item) });
  expect(bodies(sealed.records)).toEqual(wanted.map((one) => [one.item, one.item]));
  expect((await open(store, wanted, 'two')).pending).toEqual([]);
});

/** The part, its records, and a part whose bytes `spoil` changed. */
async function spoiled(spoil: (bytes: Uint8Array) => Uint8Array): Promise<{ store: MemoryStore; part: string }> {
  const store = memoryStore();
  const { part } = await finish(store, wants(3), { attempt: 'one' });
  store.files.set(folder + part, spoil(store.files.get(folder + part) ?? new Uint8Array()));
  return { store, part };
}

const other = success({ item: 'item-0', sample: 1, from: null }, 'other');
const spoilers: [string, (bytes: Uint8Array) => Uint8Array][] = [
  ['cut short', (bytes) => bytes.subarray(0, bytes.length - 9)],
  ['emptied', () => new Uint8Array()],
  ['another record', () => gzipSync(`${JSON.stringify(other)}\n`)],
  ['a line less', (bytes) => gzipSync(gunzipSync(bytes).toString().split('\n').slice(1).join('\n'))],
  ['a line of nonsense more', (bytes) => gzipSync(`${gunzipSync(bytes).toString()}nonsense\n`)],
  ['a line twice', (bytes) => gzipSync(gunzipSync(bytes).toString().replace(/^.*\n/, '$&$&'))],
  [
    'lines in another order',
    (bytes) => gzipSync(`${gunzipSync(bytes).toString().trim().split('\n').reverse().join('\n')}\n`),
  ],
  ['a changed text', (bytes) => gzipSync(gunzipSync(bytes).toString().replace('by one', 'by eve'))],
];

test.each(spoilers)('a part that was damaged (%s) is named', async (_, spoil) => {
  const { store, part } = await spoiled(spoil);
  const problem = await readPart(store, place, part).catch((error) => error);
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(sentence(problem)).toBe(
    `memory:/${folder}${part} this part is damaged: it does not hold what its name says
  Restore it from a copy of the store, or delete it and have it made again: uturn resume <run>. Records that other files still hold are not computed again.`,
  );
});

test.each(spoilers)(
  'nobody is told of a damaged part (%s), and what segments hold is not lost with it',
  async (_, spoil) => {
    const { store, part } = await spoiled(spoil);
    const shard = await open(store, wants(3), 'two');
    expect(shard.pending).toEqual([]);
    const sealed = await shard.seal().catch((error) => error);
    if (sealed instanceof ConfigProblem) {
      expect(sealed.place).toEqual({ file: `memory:/${folder}${part}` });
      store.files.delete(folder + part);
      expect(await finish(store, wants(3), { attempt: 'three' })).toMatchObject({ part, written: true });
    } else {
      // Another success for one item stood in it: a part of its own.
      expect(await readPart(store, place, sealed.part)).toEqual(sealed.records);
    }
  },
);

test('a missing part is named', async () => {
  const part = `part-${'0'.repeat(64)}.jsonl.gz`;
  const problem = await readPart(memoryStore(), place, part).catch((error) => error);
  expect(sentence(problem)).toBe(
    `memory:/${folder}${part} this part is missing\n  Restore it from a copy of the store, or have it made again: uturn resume <run>. Records that other files still hold are not computed again.`,
  );
});

test('a shard with records missing is not sealed', async () => {
  const store = memoryStore();
  const shard = await open(store, wants(3), 'one');
  await shard.add(success({ item: 'item-1', sample: 1, from: null }, 'x'));
  await expect(shard.seal()).rejects.toThrow('2 of 3 records are missing');
  expect(namesIn(store)).toEqual(['one-0.jsonl']);
});

test.each<[string, StageRecord]>([
  ['is not wanted', success({ item: 'item-7', sample: 1, from: null }, 'x')],
  ['is another sample', success({ item: 'item-0', sample: 2, from: null }, 'x')],
  ['was made from something else', success({ item: 'item-0', sample: 1, from: 'other' }, 'x')],
  ['is there already', success({ item: 'item-1', sample: 1, from: null }, 'x')],
])('a record that %s is refused', async (_, record) => {
  const store = memoryStore();
  const shard = await open(store, wants(2), 'one');
  await shard.add(success({ item: 'item-1', sample: 1, from: null }, 'first'));
  await expect(shard.add(record)).rejects.toThrow(folder);
  expect((await open(store, wants(2), 'two')).adopted.length).toBe(1);
});

test('an error may be followed by a success for the same item', async () => {
  const store = memoryStore();
  const [wanted] = wants(1);
  const shard = await open(store, wants(1), 'one');
  await shard.add(failure(wanted ?? { item: '', sample: 0, from: null }));
  await shard.add(success(wanted ?? { item: '', sample: 0, from: null }, 'after all'));
  expect(bodies((await shard.seal()).records)).toEqual([['item-0', 'after all']]);
});

test('records added while others are being written are written together, each once it is kept', async () => {
  const store = memoryStore();
  const gate = Promise.withResolvers<void>();
  const written: string[] = [];
  const slow = {
    ...store,
    segment: async (path: string) => {
      const segment = await store.segment(path);
      const append = async (lines: string) => {
        if (written.push(lines) === 1) await gate.promise;
        await segment.append(lines);
      };
      return { ...segment, append };
    },
  };
  const shard = await openShard(slow, place, { wanted: wants(5), attempt: 'one' });
  const kept: string[] = [];
  const add = async (one: Wanted) => {
    await shard.add(success(one, 'x'));
    kept.push(one.item);
  };
  const [first, ...others] = wants(5);
  const adding = [add(first ?? { item: '', sample: 0, from: null })];
  await expect.poll(() => written.length).toBe(1);
  adding.push(...others.map(add));
  expect([kept, written.length]).toEqual([[], 1]);
  gate.resolve();
  await Promise.all(adding);
  expect(kept).toEqual(wants(5).map(({ item }) => item));
  expect(written.map((lines) => lines.split('\n').length)).toEqual([1, 4]);
  expect((await open(store, wants(5), 'two')).pending).toEqual([]);
});

test('what costs nothing to make again is kept in the part alone', async () => {
  const store = memoryStore();
  const shard = await openShard(store, place, { wanted: wants(3), attempt: 'one', checkpoints: 'none' });
  for (const one of wants(3)) await shard.add(success(one, 'x'));
  expect(namesIn(store)).toEqual([]);
  const sealed = await shard.seal();
  expect(namesIn(store)).toEqual([sealed.part]);
  expect((await open(store, wants(3), 'two')).adopted).toEqual(sealed.records);
});

test('what a process sealed it remembers just as a reader finds it, and forgets the oldest first', async () => {
  const any = fc.array(fc.record({ text: fc.string({ unit: 'binary' }), more: fc.jsonValue() }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(any, async (made) => {
      const store = memoryStore();
      const sealed = await finish(store, wants(made.length), {
        attempt: 'one',
        make: (one) => success(one, made[Number(one.item.slice(5))]),
      });
      const remembered = await recallPart(store, place, sealed.part);
      expect(remembered).toBe(sealed.records);
      expect(await readPart(store, place, sealed.part)).toEqual(JSON.parse(JSON.stringify(remembered)));
    }),
    { numRuns: 50 },
  );
  const store = memoryStore();
  const parts: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const there = { ...place, block: at };
    const shard = await openShard(store, there, { wanted: wants(1), attempt: 'one' });
    for (const one of wants(1)) await shard.add(success(one, 'x'.repeat(15 * 2 ** 20)));
    parts.push((await shard.seal()).part);
  }
  store.files.clear();
  const recalled = await Promise.all(
    parts.map((part, block) =>
      recallPart(store, { ...place, block }, part).then(
        () => block,
        () => null,
      ),
    ),
  );
  expect(recalled).toEqual([null, 1, 2, 3, 4]);
});

test('nothing can be wanted twice', async () => {
  await expect(open(memoryStore(), [...wants(2), ...wants(1)], 'one')).rejects.toThrow('wanted twice');
});

test('a segment that has grown is followed by the next, and an attempt opened again goes on behind its own', async () => {
  const store = memoryStore();
  const grow = async (records: number) => {
    const shard = await openShard(store, place, { wanted: wants(8), attempt: 'one', segmentBytes: 500 });
    for (const one of shard.pending.slice(0, records)) await shard.add(success(one, 'x'));
  };
  const lines = () =>
    [...store.files].map(([path, bytes]) => [path.slice(folder.length), bytes.filter((byte) => byte === 0x0a).length]);
  await grow(5);
  expect(lines()).toEqual([
    ['one-0.jsonl', 2],
    ['one-1.jsonl', 2],
    ['one-2.jsonl', 1],
  ]);
  await grow(3);
  expect(lines().slice(3)).toEqual([
    ['one-3.jsonl', 2],
    ['one-4.jsonl', 1],
  ]);
  expect((await open(store, wants(8), 'two')).pending).toEqual([]);
});

test('after a line that could not be written whole the next goes to another segment', async () => {
  const store = memoryStore();
  let full = true;
  const failing = {
    ...store,
    segment: async (path: string) => {
      const segment = await store.segment(path);
      if (!full) return segment;
      const append = async (line: string) => {
        store.files.set(path, Buffer.from(line.slice(0, 30)));
        throw new WorldProblem('disk', 'no space left');
      };
      return { ...segment, append };
    },
  };
  const shard = await openShard(failing, place, { wanted: wants(2), attempt: 'one' });
  const [first, second] = wants(2).map((one) => success(one, 'x'));
  if (first === undefined || second === undefined) throw new Error('two are wanted');
  await expect(shard.add(first)).rejects.toThrow('no space left');
  full = false;
  await Promise.all([shard.add(first), shard.add(second)]);
  const next = await open(store, wants(2), 'two');
  expect([next.adopted, next.damaged]).toEqual([[first, second], 0]);
  expect((await shard.seal()).records).toEqual([first, second]);
});
