// Records as JSON lines: how parts and segments are written and read.
import { z } from 'zod';
import { hashOf } from '../../domain/records/canonical.ts';
import { oneLine } from '../../domain/records/json-line.ts';
import { recordJson, type StageRecord, stages } from '../../domain/records/record.ts';

const origin = {
  stage: z.enum(stages),
  key: z.string(),
  item: z.string(),
  sample: z.int().min(0),
  from: z.string().nullable(),
};

// Loose: what a later version adds is hashed, so it has to stay.
const schema = z.looseObject({
  format: z.literal(1),
  hash: z.string(),
  result: z.discriminatedUnion('status', [
    z.looseObject({ ...origin, status: z.literal('ok'), body: z.unknown() }),
    z.looseObject({
      ...origin,
      status: z.literal('error'),
      error: z.looseObject({ kind: z.string(), message: z.string() }),
    }),
  ]),
  meta: z.looseObject({ attempt: z.string(), at: z.string(), ms: z.number(), host: z.string(), requests: z.number() }),
});

/** A record on one line, without the newline. What UTF-8 cannot hold, or a reader might take for a line's end, is escaped. */
export function recordLine(record: StageRecord): string {
  return oneLine(recordJson(record));
}

/** The whole records among the lines, in order, and how many whole lines hold none. What follows the last newline was torn off. */
export function readRecords(bytes: Uint8Array): { records: StageRecord[]; damaged: number } {
  const lines = new TextDecoder().decode(bytes).split('\n').slice(0, -1);
  const records = lines.map(recordIn).filter((record) => record !== null);
  return { records, damaged: lines.length - records.length };
}

/** A line's record, or what is wrong with it: `item` and `sample` as far as it says them. */
export type ReadLine = { record: StageRecord } | { fault: string; item: string | null; sample: number | null };

/** A record is what was hashed when it was made, or it is none. */
export function readLine(line: string): ReadLine {
  const value = jsonIn(line);
  if (value === undefined) return { fault: 'this is no JSON', item: null, sample: null };
  const read = schema.safeParse(value);
  if (!read.success) return { fault: 'this is no record', ...placeIn(value) };
  const record = read.data;
  if (isAsHashed(record)) return { record };
  const { item, sample } = record.result;
  return { fault: 'what it says is not what was hashed when it was made', item, sample };
}

/** What cannot be hashed (half a character, say) never was. */
function isAsHashed({ result, hash }: Pick<StageRecord, 'result' | 'hash'>): boolean {
  try {
    return hashOf(result) === hash;
  } catch {
    return false;
  }
}

const places = z.looseObject({ result: z.looseObject({ item: z.string(), sample: z.int() }) });

function placeIn(value: unknown): { item: string | null; sample: number | null } {
  const found = places.safeParse(value);
  return found.success
    ? { item: found.data.result.item, sample: found.data.result.sample }
    : { item: null, sample: null };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Null where the line is no record or is not what it was when it was hashed. */
function recordIn(line: string): StageRecord | null {
  const read = readLine(line);
  return 'record' in read ? read.record : null;
}
