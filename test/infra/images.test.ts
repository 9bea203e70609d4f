// The container file, read and not run: what it promises can be held against the project it packs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { roles } from '../../workers/start.ts';
import { page, tableRows } from '../docs/pages.ts';
import { contextFiles, read, root, stages, whole } from './files.ts';

/** `local` is all roles on one machine, which no container is for. */
const packed = roles.filter((role) => role !== 'local');

const last = (stage: string, name: string) => whole(stage).findLast((instruction) => instruction.name === name);

test.each(packed)('the image of role %s starts a worker of it, as nobody special, and is asked how it is', (role) => {
  expect(last(role, 'CMD')?.list).toEqual(['node', 'workers/main.ts', '--role', role]);
  expect(existsSync(join(root, 'workers/main.ts'))).toBe(true);
  expect(last(role, 'ENTRYPOINT')?.list).toEqual(['tini', '--']);
  expect(last(role, 'USER')?.text).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  expect(last(role, 'HEALTHCHECK')?.text).toContain('$UTURN_ALIVE');
});

test('no stage goes by the name of a role that does not exist', () => {
  expect(stages().map(({ name }) => name)).toEqual(['sources', 'cpu', ...packed]);
});

test('every base is a stage or a pinned image, and Node is the one that the project is tested on', () => {
  const { devDependencies } = z
    .object({ devDependencies: z.object({ node: z.string() }) })
    .parse(JSON.parse(read('package.json')));
  expect([...new Set(stages().map(({ from }) => from))]).toEqual([
    `node:${devDependencies.node}-bookworm-slim`,
    'cpu',
    'verlai/verl:vllm017.latest',
  ]);
});

test('every variable that is set is one that uturn or Node reads', () => {
  const known = tableRows(page('docs/config.md'), 'variable').flatMap(([names = '']) => names.match(/\w+/g) ?? []);
  const set = stages().flatMap(({ instructions }) =>
    instructions.flatMap(({ name, text }) =>
      name === 'ENV' ? [...text.matchAll(/(\w+)=/g)].map(([, one = '']) => one) : [],
    ),
  );
  expect(set.filter((name) => name !== 'NODE_ENV' && !known.includes(name))).toEqual([]);
  expect(set).toContain('UTURN_CACHE');
});

test('nothing is taken at build time that could hold a secret', () => {
  const taken = stages().flatMap(({ instructions }) =>
    instructions.filter(({ name }) => ['ARG', 'ADD'].includes(name)),
  );
  expect(taken).toEqual([]);
});

test('an image holds every folder of the code, and no test, history or file of variables', () => {
  const { include } = z.object({ include: z.array(z.string()) }).parse(JSON.parse(read('tsconfig.build.json')));
  const held = contextFiles();
  const folders = include.filter((folder) => existsSync(join(root, folder)));
  expect(folders.filter((folder) => !held.some((path) => path.startsWith(`${folder}/`)))).toEqual([]);
  expect(held).toEqual(
    expect.arrayContaining([
      'package.json',
      'package-lock.json',
      'bin/uturn.js',
      'python/requirements.txt',
      'infra/warm.ts',
    ]),
  );
  expect(
    held.filter((path) => /^(?:test|docs|\.git)\/|\.env$|\.md$/.test(path) && !path.startsWith('configs/')),
  ).toEqual([]);
});
