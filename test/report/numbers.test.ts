import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rate } from '../../domain/stats/wilson.ts';
import { followUpRate, followUpText, grouped, percent, rateText } from '../../report/numbers.ts';
import { cell, quick } from './fixture.ts';

test.each<[share: number, decimals: number, shown: string]>([
  [0, 1, '0'],
  [1, 1, '100'],
  [0.613, 0, '61'],
  [0.6128, 1, '61.3'],
  [0.5, 1, '50.0'],
  [0.004, 0, '<1'],
  [0.0004, 1, '<0.1'],
  [0.996, 0, '>99'],
  [0.9996, 1, '>99.9'],
])('a share of %d with %d decimals reads %s', (share, decimals, shown) => {
  expect(percent(share, decimals)).toBe(shown);
});

test('a rate carries its interval, none is a dash', () => {
  expect(rateText(rate(861, 1319), 1)).toBe('65.3 % [62.7, 67.8]');
  expect(rateText(rate(0, 24), 0)).toBe('0 % [0, 14]');
  expect(rateText(rate(0, 0), 0)).toBe('–');
});

test('undecided turns make a follow-up rate a band, never a point', () => {
  const followUp = quick.cells[0]!.follow_up;
  expect(followUpText(followUp, 0)).toBe('0–63 % [0, 79]');
  expect(followUpRate(followUp)).toEqual({ value: null, low: rate(0, 24).low, high: rate(15, 24).high, n: 24 });
  const { follow_up } = cell(['m', 'd', 0], { right: 4, wrong: 4, genuine: 2, artifact: 6 });
  expect(followUpText(follow_up, 0)).toBe('25 % [7, 59]');
  expect(followUpRate(follow_up)).toEqual(rate(2, 8));
});

test('only none and all read as 0 and 100', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 2 }), (share, decimals) => {
      const shown = percent(share, decimals);
      expect(shown === '0').toBe(share === 0);
      expect(shown === '100').toBe(share === 1);
    }),
  );
});

test.each([
  [0, '0'],
  [9400, '9400'],
  [12345, '12\u202f345'],
  [1234567, '1\u202f234\u202f567'],
])('%d reads %s', (count, shown) => {
  expect(grouped(count)).toBe(shown);
});
