import { expect, test } from 'vitest';
import { heeding } from '../../../activities/inference/heed.ts';
import type { Concurrency } from '../../../domain/plan/concurrency.ts';

function scene() {
  const sets = new Map<string, Concurrency>();
  const allowed: number[] = [];
  const at = { ms: 0 };
  const heed = heeding({
    hear: async (run) => sets.get(run) ?? null,
    usual: 4,
    allow: (most) => allowed.push(most),
    clock: () => at.ms,
  });
  return { sets, allowed, at, heed: (run: string, model: string | null = 'small') => heed({ run, model }) };
}

test('what is set for a run counts while it is at work, and for no run after it', async () => {
  const { sets, allowed, at, heed } = scene();
  await heed('first');
  expect(allowed).toEqual([]);
  sets.set('first', { models: { small: 64 } });
  await heed('first');
  await heed('first');
  expect(allowed).toEqual([64]);
  at.ms += 60_000;
  await heed('second');
  expect(allowed).toEqual([64, 4]);
});

test('of runs that share a server the one that may have least decides, until it is over', async () => {
  const { sets, allowed, at, heed } = scene();
  sets.set('wide', { models: { small: 64 } });
  await heed('wide');
  await heed('usual');
  sets.set('narrow', { models: { small: 1 } });
  await heed('narrow');
  expect(allowed).toEqual([64, 4, 1]);
  at.ms += 4_000;
  await heed('wide');
  at.ms += 4_000;
  await heed('wide');
  expect(allowed).toEqual([64, 4, 1, 64]);
});

test('a word about another model changes nothing', async () => {
  const { sets, allowed, heed } = scene();
  sets.set('run', { models: { other: 1 }, judge: 2 });
  await heed('run');
  expect(allowed).toEqual([]);
});

test('models of one run at one address each have their say, and so has a judge', async () => {
  const { sets, allowed, at, heed } = scene();
  sets.set('run', { models: { small: 8, other: 24 }, judge: 3 });
  await heed('run');
  await heed('run', 'other');
  expect(allowed).toEqual([8]);
  at.ms += 20_000;
  await heed('run', 'other');
  expect(allowed).toEqual([8, 24]);
  await heed('run', null);
  expect(allowed).toEqual([8, 24, 3]);
});
