// What lies in a store's parts, counted by DuckDB over all of them: not by what a run says of itself.
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export type StageCount = { records: number; distinct: number; errors: number };

export async function recordsIn(store: string): Promise<Record<string, StageCount>> {
  const database = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '4GB', temp_directory: '' });
  const connection = await database.connect();
  const found = await connection.runAndReadAll(`
    SELECT result.stage AS stage, count(*)::DOUBLE AS records,
      count(DISTINCT hash(result.key, result.item, result.sample))::DOUBLE AS "distinct",
      (count(*) FILTER (result.status <> 'ok'))::DOUBLE AS errors
    FROM read_json('${join(store, 'stages/*/*/part-*.jsonl.gz')}', format = 'newline_delimited', columns = {
      result: 'STRUCT(stage VARCHAR, key VARCHAR, item VARCHAR, sample INTEGER, status VARCHAR)'
    })
    GROUP BY 1`);
  const rows = found.getRowObjectsJS() as (StageCount & { stage: string })[];
  connection.closeSync();
  database.closeSync();
  return Object.fromEntries(rows.map(({ stage, ...counts }) => [stage, counts]));
}
