// Which nights were missed, and lengths of time as they are written.
import { expect, test } from 'vitest';
import { missedOf, waitingNight } from '../../cli/schedule/show.ts';
import { milliseconds } from '../../domain/nights/span.ts';
import { ConfigProblem } from '../../domain/problems.ts';

const day = (n: number, minute = 0) => new Date(Date.UTC(2026, 2, n, 2, minute));
const night = (at: Date) => ({ nominal: at.toISOString() });

test('a time without a night is missed; one that started late by its jitter is not', () => {
  const nights = [night(day(1)), night(day(3)), night(day(3, 30))];
  const expected = [day(1, 7), day(2, 9), day(3, 4)];
  const missed = missedOf(expected, { nights, jitterMs: 10 * 60_000 });
  expect(missed).toEqual([
    { nominal: day(2, 9).toISOString(), state: 'missed', run: null, why: null, self_test: null },
  ]);
  expect(missedOf([day(1), day(2)], { nights, jitterMs: 0 }).map(({ nominal }) => nominal)).toEqual([
    day(2).toISOString(),
  ]);
  expect(missedOf([], { nights, jitterMs: 0 })).toEqual([]);
});

test('a night that was begun and that no worker has made a run of is open, once', () => {
  const id = 'uturn-nights/smoke-2026-03-02T02:00:00Z';
  const nominal = day(2).toISOString();
  expect(waitingNight('smoke', id, [night(day(1))])).toEqual([
    { nominal, state: 'open', run: null, why: null, self_test: null },
  ]);
  expect(waitingNight('smoke', id, [night(day(2))])).toEqual([]);
  expect(waitingNight('smoke', 'uturn-nights/smoke', [])).toEqual([]);
});

test.each([
  ['30s', 30_000],
  ['10m', 600_000],
  ['6h', 21_600_000],
  ['1d', 86_400_000],
])('%s are %d ms', (span, ms) => {
  expect(milliseconds(span)).toBe(ms);
});

test.each(['', '0s', '1.5h', '5', 'h', '-1d', '1w', '1h 30m'])('%j is no length of time', (span) => {
  expect(() => milliseconds(span)).toThrow(ConfigProblem);
});
