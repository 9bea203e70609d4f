// Records as one Parquet file with flat columns, for notebooks and data frames. DuckDB writes it.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Judgement, Score, StageRecord, Turn } from '../domain/records/record.ts';
import type { PlacedRecord } from './records.ts';
import { quoted } from './scan-sql.ts';
import type { WithheldTurn } from './withheld.ts';

/** Columns and their types, in order. Names are part of the interface: they only grow. */
export const columns = {
  model: 'VARCHAR',
  data: 'VARCHAR',
  temperature: 'DOUBLE',
  condition: 'VARCHAR',
  item: 'VARCHAR',
  sample: 'INTEGER',
  stage: 'VARCHAR',
  status: 'VARCHAR',
  error_kind: 'VARCHAR',
  error_message: 'VARCHAR',
  text: 'VARCHAR',
  text_sha256: 'VARCHAR',
  finish: 'VARCHAR',
  tokens: 'INTEGER',
  seed: 'BIGINT',
  ids: 'INTEGER[]',
  prompt_form: 'VARCHAR',
  prompt_sha256: 'VARCHAR',
  prompt_tokens: 'INTEGER',
  prompt_ids: 'INTEGER[]',
  label: 'VARCHAR',
  genuine: 'BOOLEAN',
  judged_by: 'VARCHAR',
  rationale: 'VARCHAR',
  at_odds: 'BOOLEAN',
  votes: 'VARCHAR',
  outcome: 'VARCHAR',
  check: 'VARCHAR',
  extracted: 'VARCHAR',
  expected: 'VARCHAR',
  reason: 'VARCHAR',
  instructions: 'VARCHAR',
  key: 'VARCHAR',
  hash: 'VARCHAR',
  made_from: 'VARCHAR',
  attempt: 'VARCHAR',
  at: 'TIMESTAMP',
  ms: 'DOUBLE',
  host: 'VARCHAR',
  requests: 'INTEGER',
  judge_prompt_tokens: 'BIGINT',
  judge_completion_tokens: 'BIGINT',
} as const;

/** What is left out is null. `votes` and `instructions`, which are lists of objects, are JSON. */
export type Row = Partial<Record<keyof typeof columns, unknown>>;

/** One record as one row. */
export function rowOf({ model, data, temperature, condition, record }: PlacedRecord): Row {
  const { hash, result, meta } = record;
  const { item, sample, stage, status, key, from } = result;
  const { attempt, at, ms, host, requests, usage } = meta;
  return {
    model,
    data,
    temperature,
    condition,
    item,
    sample,
    stage,
    status,
    ...(result.status === 'error'
      ? { error_kind: result.error.kind, error_message: result.error.message }
      : bodyOf(stage, result.body)),
    key,
    hash,
    made_from: from,
    attempt,
    at,
    ms,
    host,
    requests,
    judge_prompt_tokens: usage?.prompt,
    judge_completion_tokens: usage?.completion,
  };
}

function bodyOf(stage: StageRecord['result']['stage'], body: unknown): Row {
  switch (stage) {
    case 'assistant_turn':
    case 'perturbed_turn':
    case 'user_turn':
      return turnOf(body as Turn | WithheldTurn);
    case 'judgement':
    case 'reference_judgement': {
      const { label, genuine, by, rationale, at_odds, votes } = body as Judgement;
      return { label, genuine, judged_by: by, rationale, at_odds, votes: votes && JSON.stringify(votes) };
    }
    case 'score': {
      const { outcome, check, extracted, expected, reason, instructions } = body as Score;
      return {
        outcome,
        check,
        extracted,
        expected,
        reason,
        instructions: instructions && JSON.stringify(instructions),
      };
    }
  }
}

function turnOf(turn: Turn | WithheldTurn): Row {
  const { finish, tokens, seed, prompt } = turn;
  const said = 'text' in turn ? { text: turn.text, ids: turn.ids, prompt_ids: turn.prompt?.ids } : {};
  return {
    ...said,
    ...('sha256' in turn && { text_sha256: turn.sha256 }),
    finish,
    tokens,
    seed,
    prompt_form: prompt?.form,
    prompt_sha256: prompt?.sha256,
    prompt_tokens: prompt?.tokens,
  };
}

/** Of one record; a megabyte is much. */
const mostBytes = 256 * 2 ** 20;

/** Writes all of them, a few in memory at a time, and returns how many. @throws  as the file system does */
export async function writeParquet(records: AsyncIterable<PlacedRecord>, file: string): Promise<number> {
  const [lines, unfinished] = [`${file}.${process.pid}.jsonl`, `${file}.${process.pid}`];
  try {
    const count = await writeLines(records, lines);
    const { DuckDBInstance } = await import('@duckdb/node-api');
    // One thread: rows stay in their order.
    const settings = { threads: '1', memory_limit: '1GB', temp_directory: '', autoinstall_known_extensions: 'false' };
    const database = await DuckDBInstance.create(':memory:', settings);
    const connection = await database.connect();
    try {
      await connection.run(copying(lines, unfinished));
    } finally {
      connection.closeSync();
      database.closeSync();
    }
    await rename(unfinished, file);
    return count;
  } finally {
    await Promise.all([lines, unfinished].map((path) => rm(path, { force: true })));
  }
}

function copying(from: string, to: string): string {
  const types = Object.entries(columns).map(([name, type]) => `${quoted(name)}: ${quoted(type)}`);
  const read = `read_json(${quoted(from)}, format = 'newline_delimited', maximum_object_size = ${mostBytes}, columns = {${types.join(', ')}})`;
  return `COPY (SELECT * FROM ${read}) TO ${quoted(to)} (FORMAT parquet, COMPRESSION zstd)`;
}

async function writeLines(records: AsyncIterable<PlacedRecord>, file: string): Promise<number> {
  const out = createWriteStream(file);
  let count = 0;
  try {
    await once(out, 'open');
    for await (const record of records) {
      count += 1;
      if (!out.write(`${JSON.stringify(rowOf(record))}\n`)) await once(out, 'drain');
    }
  } finally {
    out.end();
    await finished(out);
  }
  return count;
}
