import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPool, Overloaded } from '../../../local/llama/pool.ts';

const never = new AbortController().signal;

test('no member works on two things at once, all work is done, in the order of asking', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.integer({ min: 0, max: 3 })), async (size, jobs) => {
      const pool = createPool(
        Array.from({ length: size }, (_, member) => member),
        { longestQueue: jobs.length },
      );
      const busy = new Set<number>();
      const begun: number[] = [];
      const work = (job: number, turns: number) => async (member: number) => {
        expect(busy.has(member)).toBe(false);
        busy.add(member);
        begun.push(job);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        busy.delete(member);
        return job;
      };
      const done = await Promise.all(jobs.map((turns, job) => pool.run(work(job, turns), never)));
      expect(done).toEqual(jobs.map((_, job) => job));
      expect(begun).toEqual(done);
      expect(pool.state()).toEqual({ free: size, waiting: 0 });
    }),
  );
});

test('work that throws gives its member back', async () => {
  const pool = createPool(['only'], { longestQueue: 1 });
  await expect(pool.run(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
  expect(await pool.run(async (member) => member, never)).toBe('only');
});

test('a full queue turns away, and an abort makes room in it without reaching a member', async () => {
  const pool = createPool(['only'], { longestQueue: 1 });
  const first = Promise.withResolvers<void>();
  const running = pool.run(() => first.promise, never);
  const leaving = new AbortController();
  const waiting = pool.run(async () => 'ran', leaving.signal);
  await expect(pool.run(async () => 'ran', never)).rejects.toThrow(Overloaded);

  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  const next = pool.run(async () => 'ran', never);
  first.resolve();
  expect([await running, await next]).toEqual([undefined, 'ran']);
});

test('closing turns the queue away and waits for what runs', async () => {
  const pool = createPool(['only'], { longestQueue: 9 });
  const order: string[] = [];
  const running = pool.run(async () => {
    await sleep(20);
    order.push('ran to its end');
  }, never);
  const waiting = pool.run(async () => order.push('ran'), never).catch((error: Error) => order.push(error.message));
  await pool.close();
  order.push('closed');
  await Promise.all([running, waiting]);
  await expect(pool.run(async () => 'late', never)).rejects.toThrow(Overloaded);
  expect(order).toEqual(['the server is stopping', 'ran to its end', 'closed']);
});
