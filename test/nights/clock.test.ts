// Nights and clocks: summer time, a worker that was away, and two schedules on one model.
import { expect, test } from 'vitest';
import { createSchedule, expectedTimes } from '../../cli/schedule/temporal.ts';
import { order } from './order.ts';
import { openTestTemporal } from './temporal.ts';

const daily = { cron: '30 3 * * *', every: null, timezone: 'Europe/Berlin', jitter: null, catch_up: '6h' };

test('a schedule keeps to its clock when clocks are set, once a night', async () => {
  await using temporal = await openTestTemporal();
  await createSchedule(temporal.client, order('berlin'), daily);
  const times = async (from: string, to: string) =>
    (await expectedTimes(temporal.client, 'berlin', { from: new Date(from), to: new Date(to) })).map((at) =>
      at.toISOString(),
    );
  expect(await times('2026-03-28T00:00Z', '2026-03-31T00:00Z')).toEqual([
    '2026-03-28T02:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T01:30:00.000Z',
  ]);
  expect(await times('2026-10-24T00:00Z', '2026-10-27T00:00Z')).toEqual([
    '2026-10-24T01:30:00.000Z',
    '2026-10-25T02:30:00.000Z',
    '2026-10-26T02:30:00.000Z',
  ]);
});

test.each([
  [{ cron: 'at noon' }, /does not understand this time/],
  [{ cron: '99 2 * * *' }, /does not understand this time: Minute is not in range/],
  [{ timezone: 'Mars/Olympus' }, /does not understand this time/],
])('%j is refused with what Temporal says of it', async (change, said) => {
  await using temporal = await openTestTemporal();
  await expect(createSchedule(temporal.client, order('odd'), { ...daily, ...change })).rejects.toThrow(said);
});
