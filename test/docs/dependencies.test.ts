// docs/dependencies.md answers for every dependency, and for nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LOCAL_MODELS } from '../../local/llama/models.ts';
import { page, root, tableRows } from './pages.ts';

const names = z.record(z.string(), z.string()).default({}).transform(Object.keys);
const manifest = z.object({ dependencies: names, devDependencies: names });

function manifestAt(path: string): z.output<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));
}

const rows = tableRows(page('docs/dependencies.md'), 'package').flatMap(([packages = '', second = '']) =>
  [...packages.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, second })),
);

test('it lists exactly what package.json, the Python packages, the engine and the weights bring', () => {
  const { dependencies, devDependencies } = manifestAt('package.json');
  const pinned = ['requirements.txt', 'requirements-checkers.txt', 'requirements-checkers-source.txt'];
  const files = [...pinned.map((file) => join('python', file)), 'test/infra/requirements.txt'];
  const python = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^([a-z0-9-]+)==/gm)]);
  const engine = manifestAt('local/llama/engine/package.json').dependencies;
  const weights = Object.values(LOCAL_MODELS).map(({ requirement }) => requirement.split('==')[0] ?? '');
  const all = [...dependencies, ...devDependencies, ...python.map(([, name = '']) => name), ...engine, ...weights];
  expect(rows.map(({ name }) => name).sort()).toEqual(all.sort());
});

test('it gives the licences that the packages give', () => {
  const { dependencies, devDependencies } = manifestAt('package.json');
  const installed = new Set([...dependencies, ...devDependencies]);
  const stated = rows.filter(({ name }) => installed.has(name)).map(({ name, second }) => [name, second]);
  const given = stated.map(([name = '']) => {
    const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    return [name, z.object({ license: z.string() }).parse(JSON.parse(text)).license];
  });
  expect(stated).toEqual(given);
});
