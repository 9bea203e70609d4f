import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationOf, noTime, type Pace, sideBySide, type TimedCalls } from '../../../domain/plan/duration.ts';
import { meanTokens, type Speed, seen, speedOf, together } from '../../../domain/plan/observed.ts';

const speed: Speed = { fixed: 200, per_token: 10 };
const at: Pace = { atOnce: 8, share: 'nothing', shards: 0, lanes: 1 };
const calls = (count: number, of: Speed | null = speed): TimedCalls => ({
  calls: count,
  tokens: { expected: 80, at_most: 160 },
  speed: of,
});

test.each<[string, TimedCalls[], Partial<typeof at>, ReturnType<typeof durationOf>]>([
  ['nothing to call', [calls(0)], {}, noTime],
  [
    'a thousand calls of a second, eight at once',
    [calls(1_000)],
    {},
    { least: 125, expected: 125, at_most: 225, from: 'store' },
  ],
  ['fewer calls than could be at once', [calls(2)], {}, { least: 1, expected: 1, at_most: 1.8, from: 'store' }],
  [
    'one item goes through its stages one after another',
    [calls(1), calls(1)],
    {},
    { least: 2, expected: 2, at_most: 3.6, from: 'store' },
  ],
  [
    'of unknown speed, by what is assumed of it',
    [calls(100, null)],
    { atOnce: 10 },
    { least: 8, expected: null, at_most: 80, from: 'assumed' },
  ],
  [
    'of unknown speed where all share one machine: at worst one after another',
    [calls(100, null)],
    { atOnce: 10, share: 'a machine' },
    { least: 8, expected: null, at_most: 800, from: 'assumed' },
  ],
  [
    'one of two is unknown',
    [calls(80), calls(80, null)],
    {},
    { least: 18, expected: null, at_most: 90, from: 'assumed' },
  ],
  [
    'a model that answers at once: uturn itself takes time',
    [calls(10_000, { fixed: 0, per_token: 0 })],
    { shards: 600, lanes: 2 },
    { least: 30, expected: 30, at_most: 30, from: 'store' },
  ],
])('%s', (_, work, over, expected) => {
  expect(durationOf(work, { ...at, ...over })).toEqual(expected);
});

test('what happens side by side takes as long as the longest, and is unknown where that may be', () => {
  const known = durationOf([calls(1_000)], at);
  const unknown = durationOf([calls(100, null)], at);
  expect(sideBySide([known, noTime])).toEqual(known);
  expect(sideBySide([known, unknown])).toEqual({ least: 125, expected: null, at_most: 225, from: 'assumed' });
  expect(sideBySide([])).toEqual(noTime);
});

const requests = fc.array(
  fc.record({ tokens: fc.integer({ min: 0, max: 4_000 }), ms: fc.integer({ min: 1, max: 600_000 }) }),
  { minLength: 10, maxLength: 60 },
);

test('a straight line is found again', () => {
  const line = [1, 7, 30, 100, 512, 3, 9, 40, 77, 200].map((tokens) => seen({ tokens, ms: 50 + 12 * tokens }));
  const found = speedOf(together(line));
  expect(found?.fixed).toBeCloseTo(50, 6);
  expect(found?.per_token).toBeCloseTo(12, 6);
});

test('a speed says for what was seen just the time it took, and never less than none', () => {
  fc.assert(
    fc.property(requests, (some) => {
      const all = together(some.map(seen));
      const found = speedOf(all);
      expect(found?.fixed).toBeGreaterThanOrEqual(-1e-6 * all.ms);
      expect(found?.per_token).toBeGreaterThanOrEqual(0);
      const mean = (found?.fixed ?? 0) + (found?.per_token ?? 0) * meanTokens(all);
      expect(mean * all.turns).toBeCloseTo(all.ms, 0);
    }),
  );
});

test('a few requests say nothing', () => {
  expect(speedOf(together(Array.from({ length: 9 }, () => seen({ tokens: 5, ms: 100 }))))).toBeNull();
});
