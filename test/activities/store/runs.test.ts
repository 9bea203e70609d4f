// What a run writes down: documents that stay, versions that are numbered.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allVersions,
  createDoc,
  latest,
  latestNumber,
  listRuns,
  putVersion,
  readDoc,
  type Shape,
} from '../../../activities/store/runs.ts';
import { sentence } from '../../../domain/problems.ts';
import { memoryStore } from './memory.ts';

const anything: Shape<unknown> = {
  what: 'anything',
  holds: (value): value is unknown => value !== undefined,
  advice: 'Mend it.',
};
const word: Shape<string> = { what: 'a word', holds: (value) => typeof value === 'string', advice: 'Mend it.' };
const x = { run: 'r', name: 'x' };

const taken = (path: string) => `memory:/runs/${path} this file is there already and says something else
  What a run wrote is never replaced. Was the same run started twice, against two Temporal servers? Start a new run instead.`;

test('a document is created once: the same again is fine, another is refused', async () => {
  const store = memoryStore();
  await createDoc(store, 'r1', 'run.json', { a: 1, b: [null, 'x'] });
  await createDoc(store, 'r1', 'run.json', { b: [null, 'x'], a: 1, c: undefined });
  const problem = await createDoc(store, 'r1', 'run.json', { a: 2 }).catch((error) => error);
  expect(sentence(problem)).toBe(taken('r1/run.json'));
  expect(await readDoc(store, { run: 'r1', name: 'run.json' }, anything)).toEqual({ a: 1, b: [null, 'x'] });
  expect(await readDoc(store, { run: 'r2', name: 'run.json' }, anything)).toBe(null);
});

test.each([
  ['{"a":', 'it does not hold JSON'],
  ['{}', 'it does not say a word'],
  ['null', 'it does not say a word'],
])('a document that holds %s is told with its file', async (text, why) => {
  const store = memoryStore();
  store.files.set('runs/r1/run.json', Buffer.from(text));
  const problem = await readDoc(store, { run: 'r1', name: 'run.json' }, word).catch((error) => error);
  expect(sentence(problem)).toBe(`memory:/runs/r1/run.json this file is damaged: ${why}\n  Mend it.`);
});

test('a number that is taken is refused to another value, and only to another', async () => {
  const store = memoryStore();
  await putVersion(store, 'r1', { name: 'pins/0001/m', n: 3, value: { pins: [] } });
  await putVersion(store, 'r1', { name: 'pins/0001/m', n: 3, value: { pins: [] } });
  const problem = await putVersion(store, 'r1', { name: 'pins/0001/m', n: 3, value: { pins: [1] } }).catch(
    (error) => error,
  );
  expect(sentence(problem)).toBe(taken('r1/pins/0001/m/000003.json'));
  expect([...store.files.keys()]).toEqual(['runs/r1/pins/0001/m/000003.json']);
});

test.each([-1, 0.5, Number.NaN, 2 ** 53])('%d is no version', async (n) => {
  await expect(putVersion(memoryStore(), 'r', { name: 'x', n, value: 1 })).rejects.toThrow(RangeError);
});

test('versions come back by number, whatever order they were written in; the latest is the highest', async () => {
  const value = fc.jsonValue();
  const versions = fc.uniqueArray(fc.tuple(fc.oneof(fc.nat(20), fc.nat(3_000_000)), value), {
    selector: ([n]) => n,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(versions, async (written) => {
      const store = memoryStore();
      for (const [n, one] of written) await putVersion(store, 'r', { name: 'x', n, value: one });
      const plain = (one: unknown): unknown => JSON.parse(JSON.stringify(one));
      const sorted = written.map(([n, one]) => ({ n, value: plain(one) })).sort((a, b) => a.n - b.n);
      expect(await allVersions(store, x, anything)).toEqual(sorted);
      expect(await latest(store, x, anything)).toEqual(sorted.at(-1) ?? null);
    }),
  );
});

test('what is no version is passed over; one that says something else is an error, since nothing older is the latest', async () => {
  const store = memoryStore();
  await putVersion(store, 'r', { name: 'x', n: 1, value: 'one' });
  await putVersion(store, 'r', { name: 'x', n: 2, value: 'two' });
  await putVersion(store, 'r', { name: 'x/deeper', n: 9, value: 'not of x' });
  for (const name of ['4.json', '000005.txt', 'notes', '0000006.json'])
    store.files.set(`runs/r/x/${name}`, Buffer.from('{'));
  const both = [
    { n: 1, value: 'one' },
    { n: 2, value: 'two' },
  ];
  expect([await latest(store, x, word), await allVersions(store, x, word)]).toEqual([both[1], both]);
  expect(await latest(store, { run: 'r', name: 'y' }, word)).toBe(null);
  for (const [text, why] of [
    ['{', 'it does not hold JSON'],
    ['{}', 'it does not say a word'],
  ] as const) {
    store.files.set('runs/r/x/000003.json', Buffer.from(text));
    await expect(latest(store, x, word)).rejects.toThrow(`this file is damaged: ${why}`);
    await expect(allVersions(store, x, word)).rejects.toThrow(`this file is damaged: ${why}`);
    expect(await latestNumber(store, x)).toBe(3);
  }
});

test('text that has no canonical form is written down all the same', async () => {
  const store = memoryStore();
  await putVersion(store, 'r', { name: 'x', n: 1, value: { quote: 'half \ud835' } });
  await putVersion(store, 'r', { name: 'x', n: 1, value: { quote: 'half \ud835' } });
  expect(await latest(store, x, anything)).toEqual({ n: 1, value: { quote: 'half \ud835' } });
});

test('runs are listed by name; a run is a folder', async () => {
  const store = memoryStore();
  expect(await listRuns(store)).toEqual([]);
  for (const run of ['b-2', 'a-1', 'b-10']) await createDoc(store, run, 'run.json', {});
  store.files.set('runs/stray', Buffer.from(''));
  expect(await listRuns(store)).toEqual(['a-1', 'b-10', 'b-2']);
});
