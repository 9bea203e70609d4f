// A part looked at record by record: what is wrong with it, and with which of them.
import { createInflateRaw, constants as flush, gunzipSync } from 'node:zlib';
import type { StageRecord } from '../../domain/records/record.ts';
import { readLine } from './lines.ts';
import { nameOfPart, type ShardPlace, shardFolder } from './shard.ts';
import type { Store } from './store.ts';

/** `record`: which of the part's, counted from 1; null where it is none in particular. */
export type PartFault = { record: number | null; item: string | null; sample: number | null; what: string };

/** `records`: those that are what was hashed. `bytes`: of the file, 0 where there is none. */
export type LookedPart = { path: string; bytes: number; records: StageRecord[]; faults: PartFault[] };

/** Hashes every record of a part again, and reads as much of a damaged one as there is. */
export async function lookAtPart(store: Store, where: ShardPlace, part: string): Promise<LookedPart> {
  const path = shardFolder(where) + part;
  const bytes = await store.read(path);
  if (bytes === null) return { path, bytes: 0, records: [], faults: [ofPart('it is missing')] };
  const { text, state } = await unpacked(bytes);
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const records: StageRecord[] = [];
  const faults: PartFault[] = [];
  for (const [at, line] of lines.entries()) {
    const read = readLine(line);
    if ('record' in read) records.push(read.record);
    else faults.push({ record: at + 1, item: read.item, sample: read.sample, what: read.fault });
  }
  if (state === 'torn' || rest !== '')
    faults.push({ ...ofPart('its bytes cannot be unpacked from here on'), record: lines.length + 1 });
  if (faults.length === 0 && nameOfPart(records) !== part)
    faults.push(ofPart('each record is sound, but they are not those that its name says'));
  if (faults.length === 0 && state === 'spoilt')
    faults.push(ofPart('its records are sound, but the checksum behind them is not'));
  return { path, bytes: bytes.byteLength, records, faults };
}

function ofPart(what: string): PartFault {
  return { record: null, item: null, sample: null, what };
}

/** `spoilt`: all of it, though its checksum says otherwise. */
type Unpacked = { text: string; state: 'whole' | 'spoilt' | 'torn' };

async function unpacked(bytes: Uint8Array): Promise<Unpacked> {
  try {
    return { text: new TextDecoder().decode(gunzipSync(bytes)), state: 'whole' };
  } catch {
    return salvaged(bytes);
  }
}

/** Length of a gzip header without a name, as parts have. */
const header = 10;
/** What a failing call has unpacked so far is lost: a call takes as little as the library allows. */
const least = { chunkSize: 64, finishFlush: flush.Z_SYNC_FLUSH };

/** As much as can be unpacked. Without the checksum behind it, which says that something is wrong and not where. */
async function salvaged(bytes: Uint8Array): Promise<Unpacked> {
  const pieces: Buffer[] = [];
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip) return { text: '', state: 'torn' };
  const inflate = createInflateRaw(least);
  const state = await new Promise<Unpacked['state']>((resolve) => {
    inflate.on('data', (piece: Buffer) => pieces.push(piece));
    inflate.on('error', () => resolve('torn'));
    inflate.on('end', () => resolve('spoilt'));
    inflate.end(bytes.subarray(header));
  });
  return { text: new TextDecoder().decode(Buffer.concat(pieces)), state };
}
