import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CellWork, type Estimate, estimate, together } from '../../../domain/plan/estimate.ts';

const caps = { assistant: 100, user: 40 };
const expected = { assistant: 50, user: 10 };
const prices = { prompt: 2, completion: 8 };
const cell = { answers: 0, turns: 0, prompt: 30, between: 5, given: null };

describe('tokens of the calls still to make', () => {
  const cases: [string, CellWork, Omit<Estimate, 'usd'>][] = [
    ['nothing to make', cell, at(0, [0, 0], [0, 0])],
    ['an answer: its question, and its length', { ...cell, answers: 1 }, at(1, [30, 30], [50, 100])],
    [
      'a user turn: question, answer and bridge stand before it',
      { ...cell, turns: 1 },
      at(1, [30 + 50 + 5, 30 + 100 + 5], [10, 40]),
    ],
    ['both', { ...cell, answers: 2, turns: 3 }, at(5, [60 + 255, 60 + 405], [130, 320])],
    ['a given answer has the length it has', { ...cell, turns: 1, given: 7 }, at(1, [42, 42], [10, 40])],
    ['parts of tokens are rounded up', { ...cell, answers: 1, prompt: 30.2 }, at(1, [31, 31], [50, 100])],
  ];
  test.each(cases)('%s', (_, work, tokens) => {
    expect(estimate([work], { expected, caps, prices: null })).toEqual({ ...tokens, usd: null });
  });
});

test('prices are per million tokens', () => {
  const { usd } = estimate([{ ...cell, answers: 1_000_000 }], { expected, caps, prices });
  expect(usd).toEqual({ expected: 30 * 2 + 50 * 8, at_most: 30 * 2 + 100 * 8 });
});

test('several models: sums, and dollars of those that have prices', () => {
  const one = estimate([{ ...cell, answers: 1 }], { expected, caps, prices });
  const two = estimate([{ ...cell, turns: 1 }], { expected, caps, prices: null });
  expect(together([one, two])).toEqual({
    calls: 2,
    prompt: { expected: 115, at_most: 165 },
    completion: { expected: 60, at_most: 140 },
    usd: one.usd,
  });
  expect([together([two]).usd, together([]).usd]).toEqual([null, null]);
});

const count = fc.nat({ max: 10_000 });
const length = fc.double({ min: 0, max: 5_000, noNaN: true });
const cells = fc.array(
  fc.record({ answers: count, turns: count, prompt: length, between: length, given: fc.option(length) }),
);

test('what is expected is never above what it is at most', () => {
  fc.assert(
    fc.property(cells, fc.double({ min: 0, max: 1, noNaN: true }), (work, share) => {
      const half = { assistant: caps.assistant * share, user: caps.user * share };
      const { prompt, completion, usd } = estimate(work, { expected: half, caps, prices });
      for (const one of [prompt, completion, usd ?? prompt]) expect(one.expected).toBeLessThanOrEqual(one.at_most);
    }),
  );
});

test('cells taken apart cost what they cost together, but for rounding', () => {
  fc.assert(
    fc.property(cells, (work) => {
      const whole = estimate(work, { expected, caps, prices });
      const apart = together(work.map((one) => estimate([one], { expected, caps, prices })));
      expect(apart.calls).toBe(whole.calls);
      expect(Math.abs(apart.prompt.at_most - whole.prompt.at_most)).toBeLessThanOrEqual(work.length);
      expect(Math.abs(apart.completion.expected - whole.completion.expected)).toBeLessThanOrEqual(work.length);
    }),
  );
});

function at(calls: number, prompt: [number, number], completion: [number, number]): Omit<Estimate, 'usd'> {
  const bounded = ([expected, at_most]: [number, number]) => ({ expected, at_most });
  return { calls, prompt: bounded(prompt), completion: bounded(completion) };
}
