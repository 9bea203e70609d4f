import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startBucketServer } from '../bucket/server.ts';
import { item, written } from '../report/written.ts';
import { desk } from './uturn.ts';

const items = Array.from({ length: 5 }, (_, n) => item(`i${n}`));
const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });

test('a store goes to a bucket and back, and is the same', async () => {
  await using bucket = await startBucketServer();
  const { dir, home, store, uturn } = await desk();
  await written(store, { name: 'r', items, story });
  const there = `s3://${bucket.bucket}/copy`;

  const up = await uturn<{ copied: number }>(['store', 'sync', home.store, there, '--json'], { env: bucket.env });
  expect(up).toMatchObject({ code: 0, json: { from: store.uri, to: there, present: 0, left: [] } });
  const back = await uturn(['store', 'sync', there, 'back'], { env: bucket.env });
  expect(back.stdout).toMatch(new RegExp(`^${up.json.copied} objects copied \\(0\\.\\d MB\\), 0 were there\\.\n$`));

  const verified = await uturn(['store', 'verify'], { env: { ...bucket.env, UTURN_STORE: there } });
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(verified.stdout).toMatch(
    /^1 run, 1 plan, \d+ blobs?, 4 parts and 4 segments were read: all is as it should be\.\n$/,
  );
  const list = (root: string) => readdir(root, { recursive: true });
  expect((await list(join(dir, 'back'))).sort()).toEqual((await list(home.store)).sort());
});

test('what is damaged is said, on stderr for people and as JSON, with exit code 1; a copy of it lacks it', async () => {
  const { dir, home, store, uturn } = await desk();
  await written(store, { name: 'r', items, story });
  const [blob = ''] = await readdir(join(home.store, 'blobs'));
  await truncate(join(home.store, 'blobs', blob), 3);

  const said = await uturn(['store', 'verify']);
  const uri = `${store.uri}/blobs/${blob}`;
  expect(said).toMatchObject({ code: 1 });
  expect(said.stdout).toMatch(/: 1 are missing or damaged\.\n$/);
  expect(said.stderr).toContain(
    `${uri} damaged: its bytes do not have the SHA-256 in its name\n  Delete it, and restore`,
  );
  const json = await uturn(['store', 'verify', home.store, '--json']);
  expect(json).toMatchObject({ code: 1, json: { store: store.uri, runs: 1, found: [{ path: `blobs/${blob}` }] } });

  const copied = await uturn(['store', 'sync', home.store, 'copy']);
  expect(copied).toMatchObject({ code: 1 });
  expect(copied.stderr).toContain(
    `${uri} was not copied: it is damaged: its bytes do not have the SHA-256 in its name\n`,
  );
  expect(await readdir(join(dir, 'copy'), { recursive: true })).not.toContain(join('blobs', blob));
});

test('where there is no store none is made', async () => {
  const { dir, uturn } = await desk();
  const uri = pathToFileURL(join(dir, 'typo')).href;
  const sentence = `${uri} there is no store here\n  A store has a format.json at its root. Give the path or URI of one, or set UTURN_STORE to it.\n`;
  for (const args of [
    ['sync', 'typo', 'copy'],
    ['verify', 'typo'],
    ['migrate', 'typo'],
  ])
    expect(await uturn(['store', ...args])).toMatchObject({ code: 2, stderr: sentence });
  expect(await readdir(dir)).toEqual(['.uturn']);
});

test('a store of today’s format has nothing to migrate; one of a newer is refused', async () => {
  const { home, store, uturn } = await desk();
  expect(await uturn(['store', 'migrate'])).toMatchObject({
    code: 0,
    stdout: `${store.uri} has format 1, as this uturn: nothing to do.\n`,
  });
  expect(await uturn(['store', 'migrate', '--json'])).toMatchObject({ code: 0, json: { from: 1, to: 1, steps: [] } });
  await rm(join(home.store, 'format.json'));
  await writeFile(join(home.store, 'format.json'), '{"format":2}');
  const refused = await uturn(['store', 'migrate']);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toMatch(/the store has format 2, this uturn reads format 1/);
});
