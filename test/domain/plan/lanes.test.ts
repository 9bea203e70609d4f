import { expect, test } from 'vitest';
import { lanesFor } from '../../../domain/plan/lanes.ts';

test.each([
  { server: 'a small model on this machine', concurrency: 4, judging: 0, block: 16, lanes: 3 },
  { server: 'one reached over HTTP', concurrency: 32, judging: 0, block: 32, lanes: 6 },
  { server: 'one with a judge beside it', concurrency: 32, judging: 64, block: 32, lanes: 8 },
  { server: 'a large one', concurrency: 64, judging: 0, block: 256, lanes: 8 },
  { server: 'one that takes more than any', concurrency: 4_096, judging: 4_096, block: 16, lanes: 32 },
])('$server has $lanes shards open', ({ lanes, ...at }) => {
  expect(lanesFor(at)).toBe(lanes);
});
