import { expect, test } from 'vitest';
import { remembering } from '../../../activities/shard/remembering.ts';

/** Things as long as their names. */
function library(room: number, load = async (key: string) => key) {
  const loaded: string[] = [];
  const ask = remembering((key) => (loaded.push(key), load(key)), { room, sizeOf: (one) => one.length });
  return { ask, loaded };
}

test('what many ask for at once is loaded once, and again where that failed', async () => {
  let fails = true;
  const { ask, loaded } = library(10, async (key) => {
    if (fails) throw new Error('not now');
    return key;
  });
  expect((await Promise.allSettled([ask('a'), ask('a')])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  fails = false;
  expect([await ask('a'), await ask('a'), loaded]).toEqual(['a', 'a', ['a', 'a']]);
});

test('where room is short, what was not asked for the longest goes', async () => {
  const { ask, loaded } = library(6);
  for (const key of ['aa', 'bb', 'cc', 'aa', 'dd', 'aa', 'cc', 'bb']) await ask(key);
  expect(loaded).toEqual(['aa', 'bb', 'cc', 'dd', 'bb']);
});

test('what is larger than all the room is kept while it is the last', async () => {
  const { ask, loaded } = library(3);
  for (const key of ['aaaaa', 'aaaaa', 'b', 'aaaaa']) await ask(key);
  expect(loaded).toEqual(['aaaaa', 'b', 'aaaaa']);
});
