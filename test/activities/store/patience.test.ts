// A store that takes nothing for a while, and the attempt that holds what it has made until it does.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { patiently } from '../../../activities/store/patience.ts';
import { openShard, readPart } from '../../../activities/store/shard.ts';
import type { Store } from '../../../activities/store/store.ts';
import { ConfigProblem, WorldProblem } from '../../../domain/problems.ts';
import { memoryStore } from './memory.ts';
import { place, success, wants } from './samples.ts';

// The waits are of seconds; what is said here is in which order things are tried.
vi.mock('node:timers/promises', async (original) => ({ ...(await original<object>()), setTimeout: async () => {} }));

const full = new WorldProblem('store', 'the store is full');
const patience = { ms: 60_000, stopping: () => false };

/** Fails as often as it is told, then does. */
function failing(times: number, failure: Error = full) {
  const seen = { times: 0 };
  const work = async () => {
    seen.times += 1;
    if (seen.times <= times) throw failure;
    return 'done';
  };
  return { seen, work };
}

test('what the world refuses is tried until it goes', async () => {
  const { seen, work } = failing(7);
  expect(await patiently(work, { patience })).toBe('done');
  expect(seen.times).toBe(8);
});

test.each<[string, Error, Parameters<typeof patiently>[1]]>([
  ['without patience', full, { patience: undefined }],
  ['when patience is over', full, { patience: { ms: 0, stopping: () => false } }],
  ['when somebody wants to stop', full, { patience: { ms: 60_000, stopping: () => true } }],
  ['where waiting mends nothing', new ConfigProblem('read-only'), { patience }],
])('it is told at once %s', async (_, failure, opts) => {
  const { seen, work } = failing(1, failure);
  await expect(patiently(work, opts)).rejects.toBe(failure);
  expect(seen.times).toBe(1);
});

/** Refuses what it is told to, by the number of the write; a segment that was refused once takes nothing more. */
function refusing(refused: ReadonlySet<number>) {
  const inner = memoryStore();
  let writes = 0;
  const allowed = () => {
    writes += 1;
    if (refused.has(writes)) throw full;
  };
  const store: Store = {
    ...inner,
    create: async (path, data) => {
      allowed();
      return inner.create(path, data);
    },
    segment: async (path) => {
      allowed();
      const segment = await inner.segment(path);
      let broken = false;
      const take = async (work: () => Promise<void>) => {
        if (broken) throw full;
        try {
          allowed();
        } catch (failure) {
          broken = true;
          throw failure;
        }
        await work();
      };
      return { append: (lines) => take(() => segment.append(lines)), close: () => take(() => segment.close()) };
    },
  };
  return { store, inner };
}

test('whichever writes are refused, a patient attempt loses none of its records', async () => {
  const refused = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(refused, fc.integer({ min: 1, max: 12 }), async (numbers, count) => {
      const { store, inner } = refusing(new Set(numbers));
      const wanted = wants(count);
      const shard = await openShard(store, place, { wanted, attempt: 'a', segmentBytes: 300, patience });
      for (const one of wanted) {
        await shard.add(success(one, 'made'));
        // What has been taken would be adopted if this process died now.
        const next = await openShard(inner, place, { wanted, attempt: 'b' });
        expect(next.adopted.map(({ result }) => result.item)).toContain(one.item);
      }
      const { part } = await shard.seal();
      expect((await readPart(inner, place, part)).length).toBe(count);
    }),
  );
});
