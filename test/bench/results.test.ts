// The bench's medians, rates and ratios.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { median, rateOf, ratiosOf, rowsOf } from '../../bench/results.ts';
import { measured } from './measured.ts';

test.each<[values: number[], middle: number]>([
  [[5], 5],
  [[1, 9], 5],
  [[9, 1, 2], 2],
  [[10, 2, 1, 9], 5.5],
  [[100, 9, 80], 80],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test('as many values lie below the median as above it, in whatever order they come, and they stay as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const before = [...values];
      const middle = median(values);
      const below = values.filter((one) => one < middle).length;
      const above = values.filter((one) => one > middle).length;
      expect(below).toBeLessThanOrEqual(values.length / 2);
      expect(above).toBeLessThanOrEqual(values.length / 2);
      expect(median(values.toReversed())).toBe(middle);
      expect(values).toEqual(before);
    }),
  );
});

test('no values have no median', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('everybody is counted by the request phase, and uturn by its whole workflow besides', () => {
  const seconds = { items: 1_200, whole_s: 8, requests_s: 4, work_s: 6 };
  const [ours, theirs] = [measured('uturn-file', 1, seconds), measured('openai-node', 1, seconds)];
  expect([rateOf(ours), rateOf(theirs)]).toEqual([300, 300]);
  expect(rowsOf([ours, theirs]).map((row) => row.workflow_samples_per_s)).toEqual([200, null]);
});

test('a row holds the medians of its rounds, and the worst count of what was served', () => {
  const rounds = [
    measured('uturn-file', 400, { round: 1, cpu_s: 3, peak_mb: 300, others_cores: 0.5 }),
    measured('uturn-file', 100, { round: 2, cpu_s: 1, peak_mb: 100, served: 1_003, other_requests: 7 }),
    measured('uturn-file', 500, { round: 3, cpu_s: 2, peak_mb: 900, events: { total: 700, most: 600 } }),
  ];
  expect(rowsOf(rounds)).toEqual([
    {
      contestant: 'uturn-file',
      latency_ms: 50,
      in_flight: 64,
      rounds: 3,
      items: 1_000,
      samples_per_s: 400,
      slowest: 100,
      fastest: 500,
      workflow_samples_per_s: 320,
      whole_samples_per_s: 200,
      cpu_s_per_1000: 2,
      peak_mb: 300,
      others_cores: 0.5,
      events: { total: 500, most: 600 },
      bytes_per_sample: 5_000,
      served: 1_003,
      other_requests: 0,
    },
  ]);
});

test('a round that served too few is not hidden by one that served too many', () => {
  const rounds = [measured('http', 1, { served: 1_001 }), measured('http', 1, { served: 990 })];
  expect(rowsOf(rounds)[0]?.served).toBe(990);
});

test('each uturn is held against each other contestant, in its own setting only', () => {
  const rows = rowsOf([
    measured('uturn-file', 900),
    measured('uturn-s3', 600),
    measured('http', 1_200),
    measured('openai-node', 300, { latency_ms: 0 }),
    measured('uturn-file', 450, { latency_ms: 0 }),
    measured('uturn-file', 500, { in_flight: 256 }),
  ]);
  expect(ratiosOf(rows)).toEqual({
    '50 ms, 64 in flight': { 'uturn-file / http': 0.75, 'uturn-s3 / http': 0.5 },
    '0 ms, 64 in flight': { 'uturn-file / openai-node': 1.5 },
  });
  const workflow = ratiosOf(rows, (row) => row.workflow_samples_per_s);
  expect(workflow['50 ms, 64 in flight']?.['uturn-file / http']).toBeCloseTo(0.6);
});
