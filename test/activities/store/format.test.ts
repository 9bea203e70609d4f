// Formats of stores: what is refused, and how one is brought to the next.
import { expect, test } from 'vitest';
import { checkFormat, formatOf } from '../../../activities/store/format.ts';
import { type Migration, migrate } from '../../../activities/store/migrate.ts';
import { sentence } from '../../../domain/problems.ts';
import { memoryStore } from './memory.ts';

const report = () => undefined;

async function ofFormat1() {
  const store = memoryStore();
  await checkFormat(store);
  await store.create('plans/old.json', '{}');
  return store;
}

/** Steps that write down their turn. */
const steps = (broken: { at: number | null } = { at: null }): Migration[] =>
  [1, 2].map((from) => ({
    from,
    about: `step ${from}`,
    async run(store) {
      await store.create(`steps/${from}`, '');
      if (broken.at === from) throw new Error('killed');
    },
  }));

test('a store of today’s format has nothing to be brought to', async () => {
  const store = await ofFormat1();
  expect(await migrate(store, { report })).toEqual({ from: 1, to: 1, steps: [] });
  expect([...store.files.keys()]).toEqual(['format.json', 'plans/old.json']);
});

test('an older store is refused with the command that helps, brought on a step at a time, and then taken', async () => {
  const store = await ofFormat1();
  const problem = await checkFormat(store, { reads: 3 }).catch((error) => error);
  expect(sentence(problem)).toBe(`memory:/format.json the store has format 1, this uturn reads format 3
  Bring it there: uturn store migrate. Nothing in it is changed, so make no copy first.`);
  await checkFormat(store, { reads: 3, older: 'take' });
  expect(await migrate(store, { report, steps: steps(), to: 3 })).toEqual({
    from: 1,
    to: 3,
    steps: ['step 1', 'step 2'],
  });
  await checkFormat(store, { reads: 3 });
  expect([...store.files.keys()]).toEqual([
    'format.json',
    'plans/old.json',
    'steps/1',
    'format-2.json',
    'steps/2',
    'format-3.json',
  ]);
});

test('the uturn that made it refuses it afterwards', async () => {
  const store = await ofFormat1();
  await migrate(store, { report, steps: steps(), to: 3 });
  const problem = await checkFormat(store).catch((error) => error);
  expect(sentence(problem)).toBe(`memory:/format.json the store has format 3, this uturn reads format 1
  A newer uturn made it: update uturn, or set UTURN_STORE to another folder.`);
});

test('a step that is broken off is begun again, those before it are not', async () => {
  const store = await ofFormat1();
  const broken = { at: 2 as number | null };
  await expect(migrate(store, { report, steps: steps(broken), to: 3 })).rejects.toThrow('killed');
  expect(await formatOf(store)).toBe(2);
  broken.at = null;
  expect(await migrate(store, { report, steps: steps(broken), to: 3 })).toEqual({ from: 2, to: 3, steps: ['step 2'] });
});

test('where no step leads on, that is said', async () => {
  const store = await ofFormat1();
  const problem = await migrate(store, { report, steps: [], to: 2 }).catch((error) => error);
  expect(sentence(problem)).toBe(`memory: this uturn does not know how to bring a store from format 1 to 2
  Bring it there with the uturn that came after the one that made it, then with this one.`);
});
