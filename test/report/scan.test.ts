// Parts read by DuckDB: the same facts as record by record, and a sentence where a part is not what its name says.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../activities/store/open.ts';
import { openShard, shardFolder } from '../../activities/store/shard.ts';
import type { Store } from '../../activities/store/store.ts';
import type { Fact } from '../../domain/facts.ts';
import { sentence } from '../../domain/problems.ts';
import { labels, makeRecord, type Stage, type StageRecord } from '../../domain/records/record.ts';
import { storeText } from '../../domain/records/text.ts';
import type { PinnedPart } from '../../report/pinned.ts';
import { openScan, type Telling } from '../../report/scan.ts';
import { judgements, scores, turns } from '../../report/telling.ts';

const key = 'a'.repeat(32);
const meta = { attempt: 'a1', at: '2026-01-01T00:00:00.000Z', ms: 1, host: 'h', requests: 1 };

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '\u2028\u0085\u200e\ufeff',
    '","item":"i0"',
    "'); DROP TABLE x; --",
    'é'.repeat(9_999),
  ),
);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one);
const count = fc.nat(1_000_000);
const prompt = fc.record({
  form: fc.constant('text'),
  sha256: fc.constant('c'),
  tokens: count,
  ids: maybe(fc.array(count)),
});
const bodies = {
  user_turn: fc.record({
    text,
    finish: fc.constantFrom('stop', 'length', 'given'),
    ids: maybe(fc.array(count)),
    prompt: maybe(prompt),
    tokens: count,
    seed: maybe(count),
  }),
  judgement: fc.record({
    label: maybe(fc.constantFrom(...labels)),
    genuine: maybe(fc.boolean()),
    by: maybe(text),
    rationale: text,
    at_odds: fc.boolean(),
  }),
  score: fc.record(
    {
      outcome: fc.constantFrom('right', 'wrong', 'unscored', 'truncated'),
      check: fc.constant('number'),
      extracted: maybe(text),
      expected: text,
      reason: maybe(text),
      instructions: fc.array(fc.record({ id: text, strict: maybe(fc.boolean()), loose: maybe(fc.boolean()) })),
    },
    { requiredKeys: ['outcome', 'check', 'extracted', 'expected', 'reason'] },
  ),
};
const usage = fc.option(fc.record({ prompt: count, completion: count }), { nil: undefined });
const failure = fc.record({ kind: fc.constant('gave_up'), message: text });

type Told = { body: object } | { error: { kind: string; message: string } };

function recordsOf(stage: Stage, told: { told: Told; usage: object | undefined; requests: number }[]): StageRecord[] {
  return told.map(({ told: what, usage: spent, requests }, at) =>
    makeRecord(
      {
        stage,
        key,
        item: `i${at} "é'\\`,
        sample: 0,
        from: null,
        ...('error' in what
          ? { status: 'error', error: what.error }
          : {
              status: 'ok',
              body: 'text' in what.body ? { ...what.body, ...storeText(String(what.body.text)) } : what.body,
            }),
      },
      { ...meta, requests, ...(spent && { usage: spent as { prompt: number; completion: number } }) },
    ),
  );
}

/** A store in a folder whose name DuckDB would take for a pattern; `read`: objects that were read whole. */
async function folderStore(): Promise<{ store: Store; read: string[] }> {
  const above = await mkdtemp(join(tmpdir(), 'uturn-scan-'));
  onTestFinished(() => rm(above, { recursive: true, force: true }));
  const store = await openStore(join(above, "it's [a] {b,c} 100 %?*"));
  const read: string[] = [];
  return { store: { ...store, read: (path) => (read.push(path), store.read(path)) }, read };
}

async function sealed(store: Store, block: number, records: StageRecord[]): Promise<PinnedPart> {
  const where = { key, block, sample: 0 };
  const wanted = records.map(({ result }) => ({ item: result.item, sample: 0, from: null }));
  const shard = await openShard(store, where, { wanted, attempt: 'a1' });
  for (const record of records) await shard.add(record);
  return { ...where, part: (await shard.seal()).part };
}

/** As another process would read them: it remembers none. */
function scanned<Said>(store: Store, parts: PinnedPart[], telling: Telling<Said>): Promise<Fact<Said>[]> {
  return scannedHere({ ...store }, parts, telling);
}

async function scannedHere<Said>(store: Store, parts: PinnedPart[], telling: Telling<Said>): Promise<Fact<Said>[]> {
  const facts: Fact<Said>[] = [];
  await using scan = openScan(store);
  await scan.read(parts, telling, (fact) => facts.push(fact));
  return facts.toSorted((a, b) => (a.item < b.item ? -1 : 1));
}

test.each<[Stage, fc.Arbitrary<object>, Telling<object>]>([
  ['user_turn', bodies.user_turn, turns],
  ['judgement', bodies.judgement, judgements],
  ['score', bodies.score, scores],
])(
  'of whatever a %s says the facts are those of its records, whoever reads them, and no part is read twice',
  async (stage, body, telling) => {
    const told = fc.oneof(
      { weight: 4, arbitrary: fc.record({ body }) },
      { weight: 1, arbitrary: fc.record({ error: failure }) },
    );
    const one = fc.record({ told, usage, requests: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (all, blocks) => {
          const { store, read } = await folderStore();
          const records = recordsOf(stage, all);
          const parts = await Promise.all(
            Array.from({ length: blocks }, (_, block) =>
              sealed(
                store,
                block,
                records.filter((_, at) => at % blocks === block),
              ),
            ),
          );
          read.length = 0;
          const expected = records.map(telling.fact).toSorted((a, b) => (a.item < b.item ? -1 : 1));
          expect(await scannedHere(store, parts, telling)).toEqual(expected);
          expect(read).toEqual([]);
          expect(await scanned(store, parts, telling)).toEqual(expected);
          // An empty part has no row to check its name by.
          expect(read.length).toBeLessThanOrEqual(Math.max(0, blocks - records.length));
        },
      ),
      { numRuns: 15 },
    );
  },
);

/** Four parts of two turns each; `harm` is done to one of them. */
async function harmed(harm: (lines: string[]) => string | Uint8Array | null) {
  const { store } = await folderStore();
  const body = { text: 't', finish: 'stop', ids: null, prompt: null, tokens: 3, seed: 1 };
  const records = recordsOf(
    'user_turn',
    Array.from({ length: 8 }, () => ({ told: { body }, usage: undefined, requests: 1 })),
  );
  const parts: PinnedPart[] = [];
  for (const block of [0, 1, 2, 3]) parts.push(await sealed(store, block, records.slice(2 * block, 2 * block + 2)));
  const [, , third] = parts;
  if (third === undefined) throw new Error('there are four');
  const path = shardFolder(third) + third.part;
  const file = store.fileOf(path) ?? '';
  const left = harm(records.slice(4, 6).map((record) => JSON.stringify(record)));
  await rm(file);
  if (left !== null) await writeFile(file, left);
  return { uri: `${store.uri}/${path}`, found: await scanned(store, parts, turns).catch(sentence) };
}

const zipped = (lines: string[]) => gzipSync(lines.map((line) => `${line}\n`).join(''));

test.each<[what: string, harm: (lines: string[]) => string | Uint8Array | null, says: string]>([
  ['is missing', () => null, 'this part is missing'],
  ['is empty', () => '', 'this part is damaged'],
  ['is no gzip', () => 'hello', 'this part is damaged'],
  ['is cut off', (lines) => zipped(lines).subarray(0, 100), 'this part is damaged'],
  ['lacks a record', (lines) => zipped(lines.slice(1)), 'this part is damaged'],
  ['has its records in another order', (lines) => zipped(lines.toReversed()), 'this part is damaged'],
  ['holds a line that is no record', (lines) => zipped([...lines, '{}']), 'this part is damaged'],
  ['holds a line that is no JSON', (lines) => zipped([...lines, '{']), 'this part is damaged'],
  [
    'holds half a character',
    (lines) => zipped(lines.map((line) => line.replace('"t"', '"\\ud800"'))),
    'this part is damaged',
  ],
  [
    'has no item where one was',
    (lines) => zipped(lines.map((line) => line.replace(/"item":"[^"]*/, '"itme":"'))),
    'this part is damaged',
  ],
])('a part that %s is named', async (_, harm, says) => {
  const { uri, found } = await harmed(harm);
  expect(found).toContain(`${uri} ${says}`);
});

test('words that only a later version knows are told as they stand', async () => {
  const { store } = await folderStore();
  const body = { text: 't', finish: 'paused', ids: null, prompt: null, tokens: 3, seed: 1 };
  const records = recordsOf('user_turn', [{ told: { body }, usage: undefined, requests: 1 }]);
  expect(await scanned(store, [await sealed(store, 0, records)], turns)).toEqual([
    expect.objectContaining({ said: { finish: 'paused', tokens: 3, prompt: 0 } }),
  ]);
});

test('of a store that is no folder each part is fetched once', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'uturn-scan-cache-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  vi.stubEnv('UTURN_CACHE', cache);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { store, read } = await folderStore();
  const body = { text: 't', finish: 'stop', ids: null, prompt: null, tokens: 3, seed: 1 };
  const records = recordsOf('user_turn', [{ told: { body }, usage: undefined, requests: 1 }]);
  const part = await sealed(store, 0, records);
  read.length = 0;
  const bucket = { ...store, uri: 's3://a-bucket', fileOf: () => null };
  const facts = [await scanned(bucket, [part], turns), await scanned(bucket, [part], turns)];
  expect([facts, read.length]).toEqual([[records.map(turns.fact), records.map(turns.fact)], 1]);
});
