// The lines of one segment, put as objects: `….jsonl`, `….1.jsonl`, `….2.jsonl`. An object cannot grow.
import type { Segment } from '../store.ts';

/** Lines are put after so long, or when there are so many, or so much of them. */
export type Pace = { everyMs: number; lines: number; bytes: number };

export const usualPace: Pace = { everyMs: 2_000, lines: 200, bytes: 4 * 1024 * 1024 };

/** `put` creates an object, which nobody else writes, or throws. */
export type SegmentOptions = { path: string; pace: Pace; put(path: string, text: string): Promise<void> };

/** One object on its way and one being filled: whoever appends more than that waits. */
export function objectSegment({ path, pace, put }: SegmentOptions): Segment {
  let waiting: string[] = [];
  let size = { lines: 0, bytes: 0 };
  let names = 0;
  let timer: NodeJS.Timeout | null = null;
  let putting: Promise<void> | null = null;
  let failure: { error: unknown } | null = null;

  const holds = (times: number) => size.lines >= times * pace.lines || size.bytes >= times * pace.bytes;
  const keep = (text: string) => {
    waiting.push(text);
    size = { lines: size.lines + linesIn(text), bytes: size.bytes + Buffer.byteLength(text) + 1 };
  };
  const nextName = () => {
    names += 1;
    return names === 1 ? path : path.replace(/\.jsonl$/, `.${names - 1}.jsonl`);
  };

  const flush = async () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const before = { waiting, size };
    [waiting, size] = [[], { lines: 0, bytes: 0 }];
    try {
      await put(nextName(), `${before.waiting.join('\n')}\n`);
      failure = null;
    } catch (error) {
      failure = { error };
      // It may be there all the same: it goes to another name, and a line that stands twice is read once.
      waiting = [...before.waiting, ...waiting];
      size = { lines: size.lines + before.size.lines, bytes: size.bytes + before.size.bytes };
    }
  };
  const begin = () => {
    putting ??= flush().finally(() => {
      putting = null;
    });
    return putting;
  };

  return {
    async append(text) {
      if (failure !== null) {
        // Not promised, but `close` may still save it.
        if (!holds(4)) keep(text);
        throw failure.error;
      }
      keep(text);
      while (holds(1) && putting !== null) await putting;
      if (holds(1)) void begin();
      else timer ??= setTimeout(() => void begin(), pace.everyMs).unref();
    },
    async close() {
      await putting;
      await begin();
      if (failure !== null) throw failure.error;
    },
  };
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
