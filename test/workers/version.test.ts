import { expect, test } from 'vitest';
import { version } from '../../local/version.ts';
import type { Role } from '../../workers/start.ts';
import { buildId, deploymentOptions, type GivenVersion, workerVersion } from '../../workers/version.ts';

const both = { TEMPORAL_DEPLOYMENT_NAME: 'lab', TEMPORAL_WORKER_BUILD_ID: 'v7' };

test.each<[what: string, role: Role, given: GivenVersion, env: NodeJS.ProcessEnv, expected: unknown]>([
  ['nobody asks for one', 'control', {}, {}, null],
  ['a build alone asks for none', 'control', { build: 'v7' }, {}, null],
  ['the environment names both', 'inference', {}, both, { deployment: 'lab', build: 'v7' }],
  ['the command line counts before it', 'control', { build: 'v8' }, both, { deployment: 'lab', build: 'v8' }],
  ['an empty variable is none', 'control', {}, { ...both, TEMPORAL_DEPLOYMENT_NAME: '' }, null],
  ['a machine of one’s own has none', 'local', {}, both, null],
  ['a server of models has none', 'gpu', {}, both, null],
])('%s', async (_, role, given, env, expected) => {
  expect(await workerVersion(role, given, env)).toEqual(expected);
});

test.each<[role: Role, given: GivenVersion, message: string]>([
  ['gpu', { deployment: 'lab' }, 'a worker of role gpu has no version'],
  ['local', { deployment: 'lab' }, 'a worker of role local has no version'],
  ['control', { deployment: 'lab.one' }, 'a deployment cannot be called "lab.one"'],
  ['control', { deployment: 'lab', build: 'v 7' }, 'a build cannot be called "v 7"'],
])('%s with %j is refused', async (role, given, message) => {
  await expect(workerVersion(role, given, {})).rejects.toThrow(message);
});

test('without a name a build is called after its code, always alike, and runs stay with it', async () => {
  const found = await workerVersion('control', { deployment: 'lab' }, {});
  expect(found?.build).toMatch(/^[\d.]+-[0-9a-f]{8}$/);
  expect(found?.build).toBe(await buildId());
  expect(found?.build.startsWith(`${version()}-`)).toBe(true);
  expect(deploymentOptions({ deployment: 'lab', build: 'v7' })).toEqual({
    version: { deploymentName: 'lab', buildId: 'v7' },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'PINNED',
  });
});
