// How a data set is cut into blocks. The size follows from the whole file's count alone, so that a
// limit, or a larger one later, names the same shards.

const smallest = 16;
const largest = 256;

/** Items per block: the power of two nearest above count / 64, between 16 and 256. */
export function blockSize(count: number): number {
  let size = smallest;
  while (size < largest && size * 64 < count) size *= 2;
  return size;
}

/** Number of blocks that hold the first `items` items. */
export function blockCount(items: number, size: number): number {
  return Math.ceil(items / size);
}

/** Half-open range of item positions in a block, cut at `items`. */
export function blockRange(block: number, size: number, items: number): { start: number; end: number } {
  return { start: block * size, end: Math.min((block + 1) * size, items) };
}
