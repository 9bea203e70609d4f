import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestSeed } from '../../../domain/plan/seed.ts';

const at = { condition: 'base@0.7', item: 'sum-01', sample: 0, turn: 'user' };

test('a seed is a 31-bit whole number and depends on nothing but where the request stands', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.nat(), (plan, item, sample) => {
      const seed = requestSeed(plan, { ...at, item, sample });
      expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
      expect(requestSeed(plan, { ...at, item, sample })).toBe(seed);
    }),
  );
});

test('conditions, items, samples and turns share no randomness', () => {
  const seeds = [0, 1].flatMap((plan) =>
    ['base@0', 'base@0.7'].flatMap((condition) =>
      ['a', 'b'].flatMap((item) =>
        [0, 1].flatMap((sample) =>
          ['assistant', 'user'].map((turn) => requestSeed(plan, { condition, item, sample, turn })),
        ),
      ),
    ),
  );
  expect(new Set(seeds).size).toBe(32);
});

test('a recorded seed: replays on another machine ask for the same', () => {
  expect(requestSeed(0, at)).toMatchInlineSnapshot(`293193519`);
});
