// The segments one attempt writes: `<attempt>-<n>.jsonl`, opened when there is something to write.
import { type Patience, patiently } from './patience.ts';
import type { Segment, Store } from './store.ts';
import { turns } from './turns.ts';

/** Lines appended while others are being written are written together after them. */
export type AttemptLog = { append(line: string): Promise<void>; close(): Promise<void> };

/** `names`: what the folder held when the attempt opened it. A segment that has reached `segmentBytes` is followed by the next. */
export type LogOptions = {
  folder: string;
  names: string[];
  attempt: string;
  segmentBytes: number;
  patience?: Patience | undefined;
};

export function attemptLog(store: Store, opts: LogOptions): AttemptLog {
  let next = firstFree(opts);
  let segment: Segment | null = null;
  let bytes = 0;
  const made: string[] = [];

  const inTurn = turns();
  let waiting: { lines: string[]; written: Promise<void> } | null = null;

  const close = async () => {
    const open = segment;
    segment = null;
    await open?.close();
  };

  const begin = async () => {
    const path = `${opts.folder}${opts.attempt}-${next}.jsonl`;
    next += 1;
    bytes = 0;
    return store.segment(path);
  };

  const write = async (lines: string) => {
    if (bytes >= opts.segmentBytes) await close();
    segment ??= await begin();
    try {
      await segment.append(lines);
      bytes += Buffer.byteLength(lines) + 1;
    } catch (error) {
      // A torn line may stand at its end: whatever comes next goes to another segment.
      await close().catch(() => {});
      throw error;
    }
  };

  /** All that this attempt has made, for what was taken before may not be there either. */
  const writeAll = async () => {
    const rescue = await begin();
    await rescue.append(made.join('\n'));
    await rescue.close();
  };

  const batch = () => {
    const lines: string[] = [];
    const written = inTurn(async () => {
      waiting = null;
      made.push(...lines);
      await patiently(() => write(lines.join('\n')), { patience: opts.patience, again: writeAll });
    });
    return { lines, written };
  };

  return {
    append(line) {
      waiting ??= batch();
      waiting.lines.push(line);
      return waiting.written;
    },
    close: () => inTurn(close),
  };
}

/** An attempt that was opened before under the same name goes on behind its own segments. */
function firstFree({ names, attempt }: LogOptions): number {
  const numbers = names
    .filter((name) => name.startsWith(`${attempt}-`))
    .map((name) => /^(\d+)(?:\.\d+)?\.jsonl$/.exec(name.slice(attempt.length + 1))?.[1])
    .filter((digits) => digits !== undefined);
  return Math.max(-1, ...numbers.map(Number)) + 1;
}
