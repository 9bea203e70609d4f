import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitsAt, indexAt, streamKey } from '../../../domain/stats/random.ts';

test('the numbers of a stream are fixed for ever', () => {
  const key = streamKey(42, 7);
  expect([0, 1, 2, 1_000_000].map((position) => bitsAt(key, position))).toMatchInlineSnapshot(`
    [
      710226031,
      704501899,
      2921404775,
      835184099,
    ]
  `);
});

test('indices fall evenly over their range, whatever the stream', () => {
  for (const stream of [0, 1, 2, 3]) {
    const counts = Array.from({ length: 16 }, () => 0);
    const key = streamKey(1, stream);
    for (let position = 0; position < 16_000; position++) {
      const index = indexAt(key, position, 16);
      counts[index] = (counts[index] ?? 0) + 1;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 15 degrees of freedom: 99.9 % of fair draws stay under 37.7.
    expect(chiSquare).toBeLessThan(37.7);
    expect(chiSquare).toBeGreaterThan(2);
  }
});

test('neighbouring positions, streams and seeds share no more bits than chance', () => {
  const differing = (a: number, b: number) => ((a ^ b) >>> 0).toString(2).replaceAll('0', '').length;
  const pairs: [name: string, at: (i: number) => [number, number]][] = [
    ['positions', (i) => [bitsAt(streamKey(1, 1), i), bitsAt(streamKey(1, 1), i + 1)]],
    ['streams', (i) => [bitsAt(streamKey(1, i), 5), bitsAt(streamKey(1, i + 1), 5)]],
    ['seeds', (i) => [bitsAt(streamKey(i, 1), 5), bitsAt(streamKey(i + 1, 1), 5)]],
    ['large seeds', (i) => [bitsAt(streamKey(i * 2 ** 32, 1), 5), bitsAt(streamKey((i + 1) * 2 ** 32, 1), 5)]],
  ];
  for (const [name, at] of pairs) {
    let bits = 0;
    for (let i = 0; i < 4000; i++) {
      const [a, b] = at(i);
      bits += differing(a, b);
    }
    // Binomial(128 000, ½): four standard deviations are 716.
    expect(Math.abs(bits - 64_000), name).toBeLessThan(716);
  }
});

test('an index stays below its bound', () => {
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 100_000 }),
      (seed, stream, at, below) => {
        const index = indexAt(streamKey(seed, stream), at, below);
        expect(Number.isInteger(index) && index >= 0 && index < below).toBe(true);
      },
    ),
  );
});
