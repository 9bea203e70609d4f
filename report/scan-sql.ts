// What DuckDB is asked: of each part its name by what it holds, and a list of each field.

/** One row a part: file, the name it should have, then a list each of items, samples, ranks, statuses and `fields`. */
export function partsQuery(files: string[], { body, fields }: { body: string; fields: string[] }): string {
  const columns = {
    hash: 'VARCHAR',
    result: `STRUCT(item VARCHAR, sample DOUBLE, status VARCHAR, body ${body})`,
    meta: 'STRUCT(requests DOUBLE, usage STRUCT(prompt DOUBLE, completion DOUBLE))',
  };
  const schema = Object.entries(columns).map(([name, type]) => `${name}: ${quoted(type)}`);
  const named = ['result.item', 'result.sample', rank, 'result.status', ...fields].map((sql, n) => `${sql} AS f${n}`);
  const lists = named.map((_, n) => `list(f${n})`);
  return `
    SELECT filename, ${partName}, ${lists.join(', ')}
    FROM (
      SELECT filename, hash, ${named.join(', ')}
      FROM (SELECT filename, hash, result, result.body AS body, meta FROM read_json(
        [${files.map(plainly).map(quoted).join(', ')}],
        format = 'newline_delimited', compression = 'gzip', filename = true, columns = {${schema.join(', ')}}
      ))
    )
    GROUP BY filename`;
}

/** A part's name is the hash of its records' hashes, one a line. */
const partName = `'part-' || sha256(string_agg(hash || chr(10), '')) || '.jsonl.gz'`;

/** The first 52 bits of a hash. */
const rank = `CAST(TRY_CAST('0x' || hash[:13] AS BIGINT) AS DOUBLE)`;

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A file's own name, where DuckDB would take it for a pattern. */
function plainly(file: string): string {
  return file.replace(/[*?[\]]/g, '[$&]');
}
