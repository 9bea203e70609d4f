import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockCount, blockRange, blockSize } from '../../../domain/plan/blocks.ts';

test.each([
  [1, 16],
  [40, 16],
  [1_024, 16],
  [1_025, 32],
  [1_319, 32],
  [2_049, 64],
  [8_192, 128],
  [8_193, 256],
  [1_000_000, 256],
])('a data set of %i items is cut into blocks of %i', (count, size) => {
  expect(blockSize(count)).toBe(size);
});

test('the blocks of any limit hold every item of it exactly once, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 5_000 }), (count, limit) => {
      const items = Math.min(count, limit);
      const size = blockSize(count);
      const seen: number[] = [];
      for (let block = 0; block < blockCount(items, size); block += 1) {
        const { start, end } = blockRange(block, size, items);
        expect(end - start).toBeGreaterThan(0);
        for (let at = start; at < end; at += 1) seen.push(at);
      }
      expect(seen).toEqual(Array.from({ length: items }, (_, at) => at));
    }),
  );
});

test('a larger limit keeps every whole block where it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5_000 }), fc.nat(), (count, pick) => {
      const limit = 1 + (pick % (count - 1));
      const size = blockSize(count);
      for (let block = 0; (block + 1) * size <= limit; block += 1) {
        expect(blockRange(block, size, limit)).toEqual(blockRange(block, size, count));
      }
    }),
  );
});
