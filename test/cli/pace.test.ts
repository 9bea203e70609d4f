import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Pace, pacer } from '../../cli/pace.ts';

/** Looks every second; `tokens` and `turns` by second. The last pace. */
function after(seconds: number, seen: (second: number) => { tokens: number; turns: number }, total = 1_000): Pace {
  const pace = pacer();
  let last: Pace = { tokensPerSecond: null, secondsLeft: null };
  for (let second = 0; second <= seconds; second += 1) {
    const now = seen(second);
    last = pace({ at: 5_000 + second * 1_000, ...now }, { turnsLeft: total - now.turns });
  }
  return last;
}

const steady = (second: number) => ({ tokens: 100 * second, turns: 2 * second });

test.each([
  ['one look says nothing', 0, { tokensPerSecond: null, secondsLeft: null }],
  ['after two seconds there is a speed', 2, { tokensPerSecond: 100, secondsLeft: null }],
  ['after ten there is a time left', 10, { tokensPerSecond: 100, secondsLeft: 490 }],
  ['long after it is still the same', 400, { tokensPerSecond: 100, secondsLeft: 100 }],
])('%s', (_, seconds, pace) => {
  expect(after(seconds, steady)).toEqual(pace);
});

test('the speed is that of the last fifteen seconds, the time left goes by the last minute', () => {
  const stalled = (second: number) => steady(Math.min(second, 100));
  expect(after(105, stalled)).toEqual({ tokensPerSecond: (100 * 10) / 15, secondsLeft: 800 / (110 / 60) });
  expect(after(115, stalled).tokensPerSecond).toBe(0);
  expect(after(160, stalled)).toEqual({ tokensPerSecond: 0, secondsLeft: null });
});

test('what was there at the first look was not made now', () => {
  expect(after(10, (second) => ({ tokens: 9_000 + second, turns: 500 + second }))).toEqual({
    tokensPerSecond: 1,
    secondsLeft: 490,
  });
});

test('a shard that is begun anew does not slow the pace down', () => {
  const dropped = (second: number) => ({ tokens: second < 5 ? 100 * second : 100 * (second - 4), turns: 2 * second });
  expect(after(9, dropped).tokensPerSecond).toBeCloseTo((4 * 100 + 4 * 100) / 9);
});

test('no looks, in whatever order of numbers, give a negative pace', () => {
  const looks = fc.array(fc.record({ ms: fc.nat(20_000), tokens: fc.nat(10_000), turns: fc.nat(500) }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(looks, (seen) => {
      const pace = pacer();
      let at = 0;
      for (const { ms, tokens, turns } of seen) {
        at += ms;
        const { tokensPerSecond, secondsLeft } = pace({ at, tokens, turns }, { turnsLeft: 500 - turns });
        expect(tokensPerSecond ?? 0).toBeGreaterThanOrEqual(0);
        expect(secondsLeft ?? 0).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
