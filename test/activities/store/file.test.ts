// What only a folder promises, and what only a folder can get wrong.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileStore } from '../../../activities/store/file.ts';
import { ConfigProblem, WorldProblem } from '../../../domain/problems.ts';
import { temporaryFolder } from './folder.ts';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));

test('folders above the store are made, and nothing is left in its scratch folder', async () => {
  await using folder = await temporaryFolder();
  const root = join(folder.path, 'made', 'on', 'the', 'way');
  const store = await fileStore(root);
  await store.create('a/b/c.json', 'first');
  await store.create('a/b/c.json', 'second');
  expect(await readdir(join(root, '.tmp'))).toEqual([]);
});

test('a line can be read by others as soon as append returns', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  const segment = await store.segment('s/1.jsonl');
  await segment.append('{"a":1}');
  expect(text(await store.read('s/1.jsonl'))).toBe('{"a":1}\n');
  await expect(store.segment('s/1.jsonl')).rejects.toThrow(WorldProblem);
  await segment.close();
  expect(text(await store.read('s/1.jsonl'))).toBe('{"a":1}\n');
});

test('no path leads out of the folder', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(join(folder.path, 'store'));
  for (const path of ['../up', 'a/../../up', '/etc/passwd']) {
    for (const refused of [store.read(path), store.create(path, 'x'), store.segment(path), store.list(path)])
      await expect(refused).rejects.toThrow(ConfigProblem);
  }
  expect(await readdir(folder.path)).toEqual(['store']);
});

test('a file where a folder is needed is told with its path and what to do', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.path, { recursive: true });
  await writeFile(join(folder.path, 'file'), '');
  const problem = await fileStore(join(folder.path, 'file', 'store')).catch((error) => error);
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(problem.place).toEqual({ file: join(folder.path, 'file', 'store', 'format.json') });
  expect(problem.advice).toBe(
    'A file stands where a folder is needed. Move it away, or set UTURN_STORE to another folder.',
  );
});
