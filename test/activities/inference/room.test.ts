// How many requests a server gets at once, by what it says to them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tried } from '../../../activities/inference/retry.ts';
import { openRoom, type Room } from '../../../activities/inference/room.ts';
import { WorldProblem } from '../../../domain/problems.ts';

const answered: Tried<string> = { value: 'an answer' };
const fault = (kind: 'overloaded' | 'server_error'): Tried<string> => ({
  fault: { error: new WorldProblem(kind, 'said so'), askedMs: null, reached: 'server', next: 'another_try' },
});

/** Fills the room with pieces that end when they are told how. */
function pieces(room: Room, count: number) {
  const waiting: (() => void)[] = [];
  let most = 0;
  const all = Array.from({ length: count }, () =>
    room.limit(async () => {
      most = Math.max(most, room.state().active);
      await new Promise<void>((end) => waiting.push(end));
    }),
  );
  /** Ends the piece that has been at work longest. */
  const end = async (came: Tried<string>) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    room.heard(came);
    waiting.shift()?.();
    await Promise.resolve();
  };
  return { all, end, most: () => most };
}

const times = (count: number, work: () => unknown) => {
  for (let at = 0; at < count; at += 1) work();
};

test('it begins with half of what is allowed, at least 32, and a round of answers doubles it', () => {
  const room = openRoom(200);
  expect(room.state()).toEqual({ active: 0, width: 100 });
  room.heard(answered);
  expect(room.state().width).toBe(101);
  times(98, () => room.heard(answered));
  expect(room.state().width).toBe(199);
  times(1_000, () => room.heard(answered));
  expect(room.state().width).toBe(200);
  expect(openRoom(40).state().width).toBe(32);
  expect(openRoom(4).state().width).toBe(4);
});

test('a refusal cuts it once for all that were in flight, and from then on it grows slowly', async () => {
  const room = openRoom(32);
  const { all, end } = pieces(room, 200);
  await end(fault('overloaded'));
  expect(room.state().width).toBe(22);
  // The other 31 were sent before anybody knew.
  for (let at = 0; at < 31; at += 1) await end(fault('overloaded'));
  expect(room.state().width).toBe(22);
  room.heard(answered);
  expect(room.state().width).toBe(23);
  times(22, () => room.heard(answered));
  expect(room.state().width).toBe(23);
  room.heard(answered);
  expect(room.state().width).toBe(24);
  for (let at = 0; at < 168; at += 1) await end(answered);
  await Promise.all(all);
});

test('an error of the server says nothing of how many are too many', () => {
  const room = openRoom(64);
  times(500, () => room.heard(fault('server_error')));
  expect(room.state().width).toBe(32);
});

test('whatever is heard, there is room for one at least and never for more than allowed, and every piece has its turn', async () => {
  const story = fc.array(fc.constantFrom(answered, answered, fault('overloaded'), fault('server_error')), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 80 }), story, async (most, heard) => {
      const room = openRoom(most);
      const { all, end, most: reached } = pieces(room, heard.length);
      for (const one of heard) {
        await end(one);
        expect(room.state().width).toBeGreaterThanOrEqual(1);
        expect(room.state().width).toBeLessThanOrEqual(most);
      }
      await Promise.all(all);
      expect(reached()).toBeLessThanOrEqual(most);
    }),
    { numRuns: 30 },
  );
});
