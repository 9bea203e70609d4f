// Facts of many parts at once, read by DuckDB: its own threads, its own limit to memory, no text in ours.
import pLimit from 'p-limit';
import { localPart } from '../activities/store/local-part.ts';
import { readPart, rememberedPart } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import type { Fact } from '../domain/facts.ts';
import type { StageRecord } from '../domain/records/record.ts';
import type { PinnedPart } from './pinned.ts';
import { partsQuery } from './scan-sql.ts';

/** How the facts of one stage are read. */
export type Telling<Said> = {
  /** DuckDB's type of what is needed of a body, and the fields to read, as SQL over `body` and `meta`. */
  body: string;
  fields: string[];
  /** Null where the fields are not what they should be. */
  tell(fields: unknown[], status: 'ok' | 'error'): Pick<Fact<Said>, 'said' | 'spent'> | null;
  fact(record: StageRecord): Fact<Said>;
};

export type Scan = {
  /**
   * The facts of these parts, in no order. That a part holds the records in its name is checked; that a record says what
   * was hashed is not.
   * @throws ConfigProblem naming a part that is missing or damaged
   */
  read<Said>(parts: PinnedPart[], telling: Telling<Said>, take: (fact: Fact<Said>) => void): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const partsAtOnce = 500;
/** Of a store whose objects are no files of this machine. */
const fetchesAtOnce = 16;

/** Nothing is written: there is no folder to spill to, and none is needed for a batch of parts. */
const settings = {
  threads: '2',
  memory_limit: '1GB',
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

export function openScan(store: Store): Scan {
  let opened: Promise<Database> | null = null;
  const rowsOf = async (sql: string) => {
    opened ??= openDatabase();
    return (await opened).rowsOf(sql);
  };
  return {
    async read(parts, telling, take) {
      const unread: PinnedPart[] = [];
      for (const at of parts) {
        // Whoever made a part a moment ago still has it.
        const records = rememberedPart(store, at, at.part);
        if (records === null) unread.push(at);
        else for (const record of records) take(telling.fact(record));
      }
      for (let at = 0; at < unread.length; at += partsAtOnce) {
        for (const fact of await readBatch(store, unread.slice(at, at + partsAtOnce), { telling, rowsOf })) take(fact);
      }
    },
    async [Symbol.asyncDispose]() {
      (await opened)?.close();
    },
  };
}

type Database = { rowsOf(sql: string): Promise<unknown[][]>; close(): void };

async function openDatabase(): Promise<Database> {
  // Loaded here, so that nobody waits for it who does not need it.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const database = await DuckDBInstance.create(':memory:', settings);
  const connection = await database.connect();
  return {
    rowsOf: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    close() {
      connection.closeSync();
      database.closeSync();
    },
  };
}

type How<Said> = { telling: Telling<Said>; rowsOf(sql: string): Promise<unknown[][]> };

/** What DuckDB cannot read, or reads otherwise than its name says, is read record by record, which tells what is wrong. */
async function readBatch<Said>(store: Store, parts: PinnedPart[], how: How<Said>): Promise<Fact<Said>[]> {
  const limit = pLimit(fetchesAtOnce);
  const paths = await Promise.all(parts.map((at) => limit(() => localPart(store, at, at.part))));
  const files = new Map(parts.map((at, place) => [paths[place] ?? '', at]));
  const rows = await how.rowsOf(partsQuery([...files.keys()], how.telling)).catch(() => null);
  if (rows === null && parts.length > 1) {
    const half = Math.ceil(parts.length / 2);
    const [first, second] = [parts.slice(0, half), parts.slice(half)];
    return [...(await readBatch(store, first, how)), ...(await readBatch(store, second, how))];
  }
  const facts: Fact<Said>[] = [];
  for (const [file, part, ...columns] of rows ?? []) {
    const at = files.get(String(file));
    const told = at?.part === part ? factsIn(columns.map(itemsIn), how.telling) : null;
    if (told === null) continue;
    files.delete(String(file));
    facts.push(...told);
  }
  return [...facts, ...(await readSlowly(store, [...files.values()], how.telling))];
}

async function readSlowly<Said>(store: Store, parts: PinnedPart[], { fact }: Telling<Said>): Promise<Fact<Said>[]> {
  const facts: Fact<Said>[] = [];
  for (const at of parts) facts.push(...(await readPart(store, at, at.part)).map(fact));
  return facts;
}

/** Null where anything is not what it should be. */
function factsIn<Said>(columns: (readonly unknown[])[], { tell }: Telling<Said>): Fact<Said>[] | null {
  const [items = [], samples = [], ranks = [], statuses = [], ...fields] = columns;
  const facts: Fact<Said>[] = [];
  for (const [at, item] of items.entries()) {
    const [sample, rank, status] = [samples[at], ranks[at], statuses[at]];
    if (typeof item !== 'string' || typeof sample !== 'number' || typeof rank !== 'number') return null;
    if (status !== 'ok' && status !== 'error') return null;
    const told = tell(
      fields.map((values) => values[at]),
      status,
    );
    if (told === null) return null;
    facts.push({ item, sample, rank, ...told });
  }
  return facts;
}

/** Of a list as DuckDB gives it. */
function itemsIn(value: unknown): readonly unknown[] {
  const isList = typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);
  return isList ? (value.items as unknown[]) : [];
}
