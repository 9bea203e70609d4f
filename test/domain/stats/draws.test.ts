import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawing } from '../../../domain/stats/draws.ts';
import { indexAt, streamKey } from '../../../domain/stats/random.ts';

test('draws are those of their seed, in whatever order and of however many clusters they are asked for', () => {
  const asked = fc.record({ clusters: fc.constantFrom(1, 2, 7, 70_000), draw: fc.nat(4) });
  fc.assert(
    fc.property(fc.integer(), fc.array(asked, { maxLength: 12 }), (seed, all) => {
      const drawn = drawing(seed, 5);
      for (const { clusters, draw } of all) {
        const key = streamKey(seed, draw);
        const expected = Array.from({ length: clusters }, (_, position) => indexAt(key, position, clusters));
        expect([...drawn.of(clusters, draw)]).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});
