// A store, wherever it is: create-only, whole or not at all, and plain about what is wrong.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Segment, Store } from '../../../activities/store/store.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { emptyPlace, type PlaceKind, placeKinds } from './places.ts';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));

/** What all segments in a folder hold, in the order of their names. */
async function lines(store: Store, folder: string): Promise<string[]> {
  const names = await store.list(folder);
  const texts = await Promise.all(names.map(async (name) => text(await store.read(folder + name)) ?? ''));
  return texts.join('').split('\n').slice(0, -1);
}

const appendAll = async (segment: Segment, all: string[]) => {
  for (const line of all) await segment.append(line);
};

describe.each(placeKinds)('%s', (kind: PlaceKind) => {
  test('an object is created once; whoever comes later finds the first', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    expect(await store.read('a/b/c.json')).toBe(null);
    expect(await store.create('a/b/c.json', 'first')).toBe('created');
    expect(await store.create('a/b/c.json', 'second')).toBe('exists');
    expect(text(await store.read('a/b/c.json'))).toBe('first');
  });

  test('of many who create one object at once exactly one does, and it is whole', async () => {
    await using place = await emptyPlace(kind);
    const stores = await Promise.all(Array.from({ length: 4 }, place.open));
    for (let round = 0; round < 10; round += 1) {
      const contents = Array.from({ length: 12 }, (_, n) => `${n} `.repeat(5_000));
      const outcomes = await Promise.all(
        contents.map(async (content, n) => stores[n % 4]?.create(`round/${round}`, content)),
      );
      expect(outcomes.filter((outcome) => outcome === 'created').length).toBe(1);
      expect(text((await stores[0]?.read(`round/${round}`)) ?? null)).toBe(contents[outcomes.indexOf('created')]);
    }
  });

  test('any bytes come back as they were', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
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

  test('a listing is sorted, marks folders, and passes over what is no name in a store', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    await store.create('b', '');
    await store.create('a/x', '');
    await store.create('a/y/z', '');
    await store.create('B', '');
    await place.plant('.tmp/123-left', 'half of someth');
    await place.plant('my notes.txt', '');
    await place.plant('.DS_Store', '');
    await place.plant('grün', '');
    expect(await store.list('')).toEqual(['B', 'a/', 'b', 'format.json']);
    expect(await store.list('a/')).toEqual(['x', 'y/']);
    expect(await store.list('a')).toEqual(['x', 'y/']);
    expect(await store.list('nowhere/')).toEqual([]);
  });

  test('all objects below a folder are found, however deep, and nothing beside it', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    const paths = ['a/x', 'a/y/z', 'a/y/w/v', 'ab/x', 'b'];
    for (const path of paths) await store.create(path, '');
    await place.plant('a/.tmp/123-left', 'half of someth');
    await place.plant('a/y/my notes.txt', '');
    const below = async (folder: string) => {
      const found: string[] = [];
      for await (const path of store.below(folder)) found.push(path);
      return found.sort();
    };
    expect(await below('a/')).toEqual(['a/x', 'a/y/w/v', 'a/y/z']);
    expect(await below('a/y')).toEqual(['a/y/w/v', 'a/y/z']);
    expect(await below('')).toEqual([...paths, 'format.json'].sort());
    expect(await below('nowhere')).toEqual([]);
    await expect(below('../up')).rejects.toThrow(ConfigProblem);
  });

  test('all lines are there when a segment is closed, in their order', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    const segment = await store.segment('s/a-0.jsonl');
    const all = ['{"a":1}', '{"b":2}', 'x'.repeat(2_000_000), '{"c":3}'];
    await Promise.all(all.map((line) => segment.append(line)));
    await segment.close();
    expect(await lines(store, 's/')).toEqual(all);
  });

  test('a segment belongs to who opened it', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    const segment = await store.segment('s/a-0.jsonl');
    await appendAll(segment, ['mine']);
    await segment.close();
    const intrude = async () => {
      const other = await store.segment('s/a-0.jsonl');
      await appendAll(other, ['theirs']);
      await other.close();
    };
    await expect(intrude()).rejects.toThrow(WorldProblem);
    expect(await lines(store, 's/')).toEqual(['mine']);
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
    await using place = await emptyPlace(kind);
    const store = await place.open();
    for (const refused of [store.read(path), store.create(path, 'x'), store.segment(path)]) {
      await expect(refused).rejects.toThrow(ConfigProblem);
    }
    expect(await store.list('')).toEqual(['format.json']);
  });

  test.each(['..', '../', '/'])('%j cannot be listed', async (folder) => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    await expect(store.list(folder)).rejects.toThrow(ConfigProblem);
  });

  test('a new store says its format, an old one is opened again as it is', async () => {
    await using place = await emptyPlace(kind);
    const store = await place.open();
    expect(JSON.parse(text(await store.read('format.json')) ?? '')).toEqual({ format: 1 });
    await store.create('a', 'kept');
    const again = await place.open();
    expect({ uri: again.uri, a: text(await again.read('a')) }).toEqual({ uri: place.uri, a: 'kept' });
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
    await using place = await emptyPlace(kind);
    await place.plant('format.json', content ?? '');
    const problem = await place.open().catch((error) => error);
    expect(problem).toBeInstanceOf(ConfigProblem);
    expect(sentence(problem).replace(place.uri, 'STORE')).toBe(said);
  });
});
