// Adapted items as they lie in the store: one canonical JSON object per line.
import type { Item } from '../../domain/data/item.ts';
import { canonicalJson } from '../../domain/records/canonical.ts';

/** The blob's text. The same items give the same bytes on every machine. */
export function itemsBlob(items: Item[]): string {
  return items.map((item) => `${canonicalJson(item)}\n`).join('');
}

/** A data set as the bytes of its blob: items are parsed when they are asked for, and not kept. */
export type ItemSet = { readonly count: number; readonly bytes: number; slice(start: number, end: number): Item[] };

/** The items of a blob. What `itemsBlob` wrote is checked by its digest, so it is not checked again here. */
export function itemSet(bytes: Uint8Array): ItemSet {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = lineStarts(text);
  const count = starts.length - 1;
  return {
    count,
    bytes: text.byteLength,
    slice: (start, end) =>
      range(start, Math.min(end, count)).map(
        (at) => JSON.parse(text.toString('utf8', starts[at], starts[at + 1])) as Item,
      ),
  };
}

/** Where each line starts, and at last where the text ends. */
function lineStarts(text: Buffer): Float64Array {
  let lines = 0;
  for (let at = text.indexOf(newline); at !== -1; at = text.indexOf(newline, at + 1)) lines += 1;
  const starts = new Float64Array(lines + 1);
  for (let line = 1; line <= lines; line += 1) starts[line] = text.indexOf(newline, starts[line - 1]) + 1;
  return starts;
}

const newline = 0x0a;

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
}
