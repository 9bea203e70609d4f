// One shard of one stage: what earlier attempts finished, what is left, and the part that holds all of it.
// The rules of "who wins" live here, on top of any store.
import { promisify } from 'node:util';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import type { StageRecord } from '../../domain/records/record.ts';
import { attemptLog } from './attempt.ts';
import { readRecords, recordLine } from './lines.ts';
import { type Patience, patiently } from './patience.ts';
import { keepRecent, recentPart } from './recent.ts';
import type { Store } from './store.ts';
import { turns } from './turns.ts';

export type ShardPlace = { key: string; block: number; sample: number };

/** A record somebody needs. `from`: hash of the record it has to be made from, null at the first stage. */
export type Wanted = { item: string; sample: number; from: string | null };

/**
 * `attempt` names this attempt and no other, ever: its segments carry it. `checkpoints: 'none'`: records cost nothing to
 * make again, so they are kept in the part alone.
 */
export type OpenOptions = {
  wanted: Wanted[];
  attempt: string;
  segmentBytes?: number;
  checkpoints?: 'each' | 'none';
  /** With a store that takes nothing for a while. Left out, a failure is told at once. */
  patience?: Patience | undefined;
};

export type OpenShard = {
  /** Successes of earlier attempts, in the order of `wanted`. */
  readonly adopted: StageRecord[];
  /** What is left to do, in the order of `wanted`. */
  readonly pending: Wanted[];
  /** Stored lines, or whole parts, that could not be read or were not what was once hashed. */
  readonly damaged: number;
  /**
   * Keeps a record; it survives kill -9 of this process once this returns. Records added at once are written together.
   * A record of status `error` may be followed by another one for the same item; a success stays.
   */
  add(record: StageRecord): Promise<void>;
  /** Writes the part. Every wanted item must have its record. May be repeated after a failure. */
  seal(): Promise<SealedShard>;
  /** Lets go of the open segment without sealing. */
  close(): Promise<void>;
};

/** `records`: what the part holds, in the order of `wanted`. `written`: false where the part was there already. */
export type SealedShard = { part: string; records: StageRecord[]; written: boolean };

const segmentBytes = 16 * 1024 * 1024;
const partName = /^part-[0-9a-f]{64}\.jsonl\.gz$/;
const segmentName = /\.jsonl$/;

/** `stages/<key>/<block>-<sample>/` */
export function shardFolder({ key, block, sample }: ShardPlace): string {
  return `stages/${key}/${String(block).padStart(6, '0')}-${String(sample).padStart(4, '0')}/`;
}

/**
 * Lists the folder once and adopts every wanted success that was made from the right record: from parts first,
 * then from segments, each by name. Errors are never adopted.
 * @throws WorldProblem, ConfigProblem  as the store does
 */
export async function openShard(store: Store, where: ShardPlace, opts: OpenOptions): Promise<OpenShard> {
  const folder = shardFolder(where);
  const names = await store.list(folder);
  const wantedOf = wantedIndex(opts.wanted);
  const held = new Map<string, StageRecord>();
  const lines = new Map<string, string>();

  const fits = ({ result }: StageRecord) => {
    const wanted = wantedOf.get(nameOf(result));
    return result.key === where.key && wanted !== undefined && result.from === wanted.from;
  };
  const succeeded = (wanted: Wanted) => held.get(nameOf(wanted))?.result.status === 'ok';

  let damaged = 0;
  for (const name of [...names.filter(isPart), ...names.filter(isSegment)]) {
    if (opts.wanted.every(succeeded)) break;
    const found = await readAny(store, folder + name);
    damaged += found.damaged;
    for (const record of found.records) {
      const id = nameOf(record.result);
      if (record.result.status === 'ok' && fits(record) && !held.has(id)) held.set(id, record);
    }
  }

  const adopted = recordsFor(opts.wanted, held);
  const pending = opts.wanted.filter((wanted) => !succeeded(wanted));
  const log = attemptLog(store, {
    folder,
    names,
    attempt: opts.attempt,
    segmentBytes: opts.segmentBytes ?? segmentBytes,
    patience: opts.patience,
  });

  const inTurn = turns();

  return {
    adopted,
    pending,
    damaged,
    async add(record) {
      const id = nameOf(record.result);
      if (!fits(record))
        throw new Error(`${folder} does not want ${id} of ${record.result.key} made from ${record.result.from}`);
      if (held.get(id)?.result.status === 'ok') throw new Error(`${folder} has a record of ${id} already`);
      const line = recordLine(record);
      if (opts.checkpoints !== 'none') await log.append(line);
      held.set(id, record);
      lines.set(id, line);
    },
    seal: () =>
      inTurn(async () => {
        // What it could not write stands in the part.
        if (opts.patience === undefined) await log.close();
        else await log.close().catch(() => {});
        const records = recordsFor(opts.wanted, held);
        const missing = opts.wanted.length - records.length;
        if (missing > 0)
          throw new Error(`${folder} cannot be sealed: ${missing} of ${opts.wanted.length} records are missing`);
        const text = records.map((record) => `${lines.get(nameOf(record.result)) ?? recordLine(record)}\n`).join('');
        return patiently(() => writePart(store, where, { records, text, names }), { patience: opts.patience });
      }),
    close: log.close,
  };
}

/**
 * The records of a part, in its order.
 * @throws ConfigProblem when it is missing, or does not hold what its name says
 */
export async function readPart(store: Store, where: ShardPlace, part: string): Promise<StageRecord[]> {
  return (await openPart(store, where, part)).records;
}

/** The file that a part is. @throws ConfigProblem when it is missing, or does not hold what its name says */
export async function checkedPart(store: Store, where: ShardPlace, part: string): Promise<Uint8Array> {
  return (await openPart(store, where, part)).bytes;
}

async function openPart(
  store: Store,
  where: ShardPlace,
  part: string,
): Promise<{ bytes: Uint8Array; records: StageRecord[] }> {
  const path = shardFolder(where) + part;
  const place = { file: `${store.uri}/${path}` };
  const bytes = await store.read(path);
  if (bytes === null) {
    throw new ConfigProblem('this part is missing', {
      place,
      advice:
        'Restore it from a copy of the store, or have it made again: uturn resume <run>. Records that other files still hold are not computed again.',
    });
  }
  const { records, damaged } = await recordsInPart(bytes);
  if (damaged === 0 && nameOfPart(records) === part) return { bytes, records };
  throw new ConfigProblem('this part is damaged: it does not hold what its name says', {
    place,
    advice:
      'Restore it from a copy of the store, or delete it and have it made again: uturn resume <run>. Records that other files still hold are not computed again.',
  });
}

/** The same, without reading it where this process just made it. */
export async function recallPart(store: Store, where: ShardPlace, part: string): Promise<StageRecord[]> {
  return rememberedPart(store, where, part) ?? readPart(store, where, part);
}

/** The records of a part that this process made a moment ago; null of any other. */
export function rememberedPart(store: Store, where: ShardPlace, part: string): StageRecord[] | null {
  return recentPart(store, shardFolder(where) + part);
}

type Unwritten = { records: StageRecord[]; text: string; names: string[] };

/** `names`: what is known to be in the folder. A part that is there is read, so that nobody is told of one that cannot be. */
async function writePart(store: Store, where: ShardPlace, { records, text, names }: Unwritten): Promise<SealedShard> {
  const part = nameOfPart(records);
  const path = shardFolder(where) + part;
  const written = !names.includes(part) && (await store.create(path, await zipped(text, { level: 3 }))) === 'created';
  if (!written) return { part, records: await readPart(store, where, part), written };
  keepRecent(store, path, { records, bytes: text.length });
  return { part, records, written };
}

const zipped = promisify<string, ZlibOptions, Buffer>(gzip);
const unzipped = promisify(gunzip);

/** `zcat part-….jsonl.gz | jq -r .hash | sha256sum` gives the same hash. */
export function nameOfPart(records: StageRecord[]): string {
  return `part-${sha256(records.map((record) => `${record.hash}\n`).join(''))}.jsonl.gz`;
}

export const isPart = (name: string) => partName.test(name);
export const isSegment = (name: string) => segmentName.test(name);

/** Whether bytes are the part of this name: records as they were hashed, and no others. */
export async function holdsItsName(part: string, bytes: Uint8Array): Promise<boolean> {
  const { records, damaged } = await recordsInPart(bytes);
  return damaged === 0 && nameOfPart(records) === part;
}

/** A part or a segment, as far as it can be read. */
async function readAny(store: Store, path: string): ReturnType<typeof recordsInPart> {
  const bytes = await store.read(path);
  if (bytes === null) return { records: [], damaged: 0 };
  return path.endsWith('.gz') ? recordsInPart(bytes) : readRecords(bytes);
}

/** A part that cannot be unpacked counts as one damaged line. */
async function recordsInPart(bytes: Uint8Array): Promise<{ records: StageRecord[]; damaged: number }> {
  try {
    return readRecords(await unzipped(bytes));
  } catch {
    return { records: [], damaged: 1 };
  }
}

/** Item and sample as one word: what a record of a shard is known by. */
const nameOf = ({ item, sample }: { item: string; sample: number }) => JSON.stringify([item, sample]);

function wantedIndex(wanted: Wanted[]): Map<string, Wanted> {
  const index = new Map(wanted.map((one) => [nameOf(one), one]));
  if (index.size < wanted.length) throw new Error('the same item and sample is wanted twice');
  return index;
}

function recordsFor(wanted: Wanted[], held: Map<string, StageRecord>): StageRecord[] {
  return wanted.map((one) => held.get(nameOf(one))).filter((record) => record !== undefined);
}
