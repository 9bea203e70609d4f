// The store in a folder: create-only, whole or not at all, and plain about what is wrong.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileStore } from '../../../activities/store/file.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { temporaryFolder } from './folder.ts';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));

test('an object is created once; whoever comes later finds the first', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(join(folder.path, 'made', 'on', 'the', 'way'));
  expect(await store.read('a/b/c.json')).toBe(null);
  expect(await store.create('a/b/c.json', 'first')).toBe('created');
  expect(await store.create('a/b/c.json', 'second')).toBe('exists');
  expect(text(await store.read('a/b/c.json'))).toBe('first');
});

test('of many who create one object at once exactly one does, and it is whole', async () => {
  await using folder = await temporaryFolder();
  const stores = await Promise.all(Array.from({ length: 4 }, () => fileStore(folder.path)));
  for (let round = 0; round < 10; round += 1) {
    const contents = Array.from({ length: 12 }, (_, n) => `${n} `.repeat(5_000));
    const outcomes = await Promise.all(
      contents.map(async (content, n) => stores[n % 4]?.create(`round/${round}`, content)),
    );
    expect(outcomes.filter((outcome) => outcome === 'created').length).toBe(1);
    expect(text((await stores[0]?.read(`round/${round}`)) ?? null)).toBe(contents[outcomes.indexOf('created')]);
  }
  expect(await readdir(join(folder.path, '.tmp'))).toEqual([]);
});

test('any bytes come back as they were', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      n += 1;
      await store.create(`bytes/${n}`, bytes);
      expect(new Uint8Array((await store.read(`bytes/${n}`)) ?? [])).toEqual(bytes);
    }),
    { numRuns: 30 },
  );
});

test('a listing is sorted, marks folders, and shows neither leftovers of the killed nor what people drop', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  await store.create('b', '');
  await store.create('a/x', '');
  await store.create('B', '');
  await mkdir(join(folder.path, '.tmp'), { recursive: true });
  await writeFile(join(folder.path, '.tmp', '123-left'), 'half of someth');
  await writeFile(join(folder.path, 'my notes.txt'), '');
  await writeFile(join(folder.path, '.DS_Store'), '');
  expect(await store.list('')).toEqual(['B', 'a/', 'b', 'format.json']);
  expect(await store.list('a/')).toEqual(['x']);
  expect(await store.list('a')).toEqual(['x']);
  expect(await store.list('nowhere/')).toEqual([]);
});

test('a line can be read by others as soon as append returns', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  const segment = await store.segment('s/1.jsonl');
  await segment.append('{"a":1}');
  expect(text(await store.read('s/1.jsonl'))).toBe('{"a":1}\n');
  await Promise.all([segment.append('{"b":2}'), segment.append('x'.repeat(2_000_000)), segment.append('{"c":3}')]);
  await segment.close();
  expect(text(await store.read('s/1.jsonl'))).toBe(`{"a":1}\n{"b":2}\n${'x'.repeat(2_000_000)}\n{"c":3}\n`);
});

test('a segment belongs to who opened it', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  const segment = await store.segment('s/1.jsonl');
  await segment.append('mine');
  await expect(store.segment('s/1.jsonl')).rejects.toThrow(WorldProblem);
  await segment.close();
  expect(text(await store.read('s/1.jsonl'))).toBe('mine\n');
});

test.each([
  '../up',
  'a/../../up',
  '/etc/passwd',
  'a//b',
  'a/',
  '',
  '.',
  '.tmp/x',
  'a b',
  'a\\b',
  'a\0b',
  'ä',
  'x'.repeat(201),
])('%j is no path in a store', async (path) => {
  await using folder = await temporaryFolder();
  const store = await fileStore(join(folder.path, 'store'));
  for (const refused of [store.read(path), store.create(path, 'x'), store.segment(path)]) {
    await expect(refused).rejects.toThrow(ConfigProblem);
  }
  expect(await readdir(folder.path)).toEqual(['store']);
  expect(await store.list('')).toEqual(['format.json']);
});

test('a folder outside cannot be listed', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  await expect(store.list('..')).rejects.toThrow(ConfigProblem);
  await expect(store.list('../')).rejects.toThrow(ConfigProblem);
  await expect(store.list('/')).rejects.toThrow(ConfigProblem);
});

test('a new store says its format, an old one is opened again as it is', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  expect(JSON.parse(await readFile(join(folder.path, 'format.json'), 'utf8'))).toEqual({ format: 1 });
  await store.create('a', 'kept');
  const again = await fileStore(folder.path);
  expect({ uri: again.uri, a: text(await again.read('a')) }).toEqual({
    uri: pathToFileURL(folder.path).href,
    a: 'kept',
  });
});

test.each([
  [
    '{"format":2}',
    `STORE/format.json the store has format 2, this uturn reads format 1
  A newer uturn made it: update uturn, or set UTURN_STORE to another folder.`,
  ],
  ...['', '{}', '{"format":"1"}', '{"format":0.5}', '[]', 'null', '{"format":1'].map((content) => [
    content,
    `STORE/format.json this file does not hold a format version
  If the folder belongs to something else, set UTURN_STORE to another one; if the file is damaged, restore it as {"format":1}.`,
  ]),
])('a store whose format.json says %j is refused with a sentence', async (content, said) => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'format.json'), content ?? '');
  const problem = await fileStore(folder.path).catch((error) => error);
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(sentence(problem).replace(pathToFileURL(folder.path).href, 'STORE')).toBe(said);
});

test('a file where a folder is needed is told with its path and what to do', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'file'), '');
  const problem = await fileStore(join(folder.path, 'file', 'store')).catch((error) => error);
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(problem.place).toEqual({ file: join(folder.path, 'file', 'store', 'format.json') });
  expect(problem.advice).toBe(
    'A file stands where a folder is needed. Move it away, or set UTURN_STORE to another folder.',
  );
});
