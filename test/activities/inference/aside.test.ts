// What a reply leaves behind waits for the sockets, and not for long.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { afterSockets } from '../../../activities/inference/aside.ts';

test('of a burst one is let on each turn of the event loop, in order, so that no socket waits for them all', async () => {
  const gone: number[] = [];
  const all = Promise.all([1, 2, 3, 4].map(async (n) => afterSockets().then(() => gone.push(n))));
  expect(gone).toEqual([]);
  for (let turn = 1; turn <= 4; turn += 1) {
    await setImmediate();
    expect(gone.length).toBeLessThanOrEqual(turn);
  }
  await all;
  expect(gone).toEqual([1, 2, 3, 4]);
});
