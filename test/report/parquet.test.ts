import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { sha256 } from '../../domain/records/canonical.ts';
import { makeRecord } from '../../domain/records/record.ts';
import { columns, rowOf, writeParquet } from '../../report/parquet.ts';
import type { PlacedRecord } from '../../report/records.ts';
import { withheldRecord } from '../../report/withheld.ts';
import { temporaryFolder } from '../activities/store/folder.ts';
import { hostileTexts } from '../lab/hostile.ts';

const meta = { attempt: 'a', at: '2026-01-01T00:00:00.123Z', ms: 1.5, host: 'h', requests: 1 };
const cell = { model: 'm', data: 'd', temperature: 0.7 };
const origin = { key: 'k', item: 'i', sample: 0, from: null };

async function* each<T>(things: T[]): AsyncGenerator<T> {
  yield* things;
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  connection.closeSync();
  database.closeSync();
  return rows;
}

function turn(text: string): PlacedRecord {
  const prompt = { form: 'ids', sha256: 'p', tokens: 3, ids: [4, 5, 6] };
  const body = { text, finish: 'stop', ids: [1, 2], prompt, tokens: 2, seed: 4_294_967_295 };
  return { ...cell, record: makeRecord({ ...origin, stage: 'user_turn', status: 'ok', body }, meta) };
}

test('every stage and an error are rows with the same columns, in their order', async () => {
  const judgement = { label: 'other', genuine: false, by: 'rules@1', rationale: 'it is', at_odds: false };
  const votes = [{ by: 'rules@1', label: null, genuine: null, rationale: '' }];
  const score = { outcome: 'right', check: 'number', extracted: '7', expected: '7', reason: null };
  const error = { kind: 'timeout', message: 'no answer' };
  const records: PlacedRecord[] = [
    turn('And then?'),
    {
      ...cell,
      record: makeRecord({ ...origin, stage: 'judgement', status: 'ok', body: { ...judgement, votes } }, meta),
    },
    { ...cell, record: makeRecord({ ...origin, stage: 'score', status: 'ok', body: score }, meta) },
    { ...cell, record: makeRecord({ ...origin, stage: 'user_turn', status: 'error', error }, meta) },
  ];
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'r.parquet');
  expect(await writeParquet(each(records), file)).toBe(4);
  const rows = await query(`SELECT * FROM '${file}'`);
  expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => Object.keys(columns)));
  const told = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
  const always = { ...cell, item: 'i', sample: 0, key: 'k', attempt: 'a', at: '2026-01-01 00:00:00.123', ms: 1.5 };
  const common = (n: number) => ({ ...always, hash: records[n]?.record.hash, host: 'h', requests: 1 });
  expect(told).toEqual([
    {
      ...common(0),
      stage: 'user_turn',
      status: 'ok',
      text: 'And then?',
      finish: 'stop',
      tokens: 2,
      seed: '4294967295',
      ids: [1, 2],
      prompt_form: 'ids',
      prompt_sha256: 'p',
      prompt_tokens: 3,
      prompt_ids: [4, 5, 6],
    },
    {
      ...common(1),
      stage: 'judgement',
      status: 'ok',
      label: 'other',
      genuine: false,
      judged_by: 'rules@1',
      rationale: 'it is',
      at_odds: false,
      votes: JSON.stringify(votes),
    },
    {
      ...common(2),
      stage: 'score',
      status: 'ok',
      outcome: 'right',
      check: 'number',
      extracted: '7',
      expected: '7',
    },
    { ...common(3), stage: 'user_turn', status: 'error', error_kind: 'timeout', error_message: 'no answer' },
  ]);
  expect(await readdir(folder.path)).toEqual(['r.parquet']);
});

test('texts of any kind stand in it as they were', async () => {
  const texts = [...Object.values(hostileTexts), 'long '.repeat(400_000)];
  await using folder = await temporaryFolder();
  const file = join(folder.path, "it's.parquet");
  await writeParquet(each(texts.map(turn)), file);
  const rows = await query(`SELECT hex(encode(text)) AS bytes FROM '${file.replaceAll("'", "''")}'`);
  expect(rows.map(({ bytes }) => bytes)).toEqual(texts.map((text) => Buffer.from(text).toString('hex').toUpperCase()));
});

test('no records are a file with columns and no rows', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'none.parquet');
  expect(await writeParquet(each([]), file)).toBe(0);
  expect(await query(`SELECT count(*)::INTEGER AS n FROM '${file}'`)).toEqual([{ n: 0 }]);
});

test('a withheld turn has its digest in the place of its text, and no token of it', () => {
  const { record, ...place } = turn('secret');
  const row = rowOf({ ...place, private: true, record: withheldRecord(record) });
  expect([row.text, row.ids, row.prompt_ids, row.text_sha256]).toEqual([
    undefined,
    undefined,
    undefined,
    sha256('secret'),
  ]);
  expect(JSON.stringify(row)).not.toContain('secret');
});
