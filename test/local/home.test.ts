import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homePaths, openHome } from '../../local/home.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uturn-home-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test.for([
  ['in the working directory', {}, '/exp/.uturn'],
  ['where UTURN_HOME says', { UTURN_HOME: '/data/uturn' }, '/data/uturn'],
  ['relative to the working directory', { UTURN_HOME: '../other' }, '/other'],
  ['in the working directory where UTURN_HOME is empty', { UTURN_HOME: '' }, '/exp/.uturn'],
] as const)('the home lies %s', ([, env, expected]) => {
  expect(homePaths(env, '/exp').dir).toBe(expected);
});

test('a home is made on demand, kept out of git, and found again with what is in it', async () => {
  const home = await openHome({}, dir);
  expect((await readdir(home.dir)).sort()).toEqual(['.gitignore', 'locks', 'logs', 'services', 'store', 'users']);
  expect(await readFile(join(home.dir, '.gitignore'), 'utf8')).toBe('*\n');

  await writeFile(join(home.dir, '.gitignore'), 'theirs\n');
  expect(await openHome({}, dir)).toEqual(home);
  expect(await readFile(join(home.dir, '.gitignore'), 'utf8')).toBe('theirs\n');
});

test('a file in the place of the home is named', async () => {
  await writeFile(join(dir, 'notes'), '');
  const advice = 'Set UTURN_HOME to a folder that can be written, or start uturn somewhere else.';
  for (const place of ['notes', 'notes/.uturn']) {
    await expect(openHome({ UTURN_HOME: place }, dir)).rejects.toMatchObject({
      name: 'ConfigProblem',
      message: `${join(dir, place)} cannot be used: a file stands where a folder should be.`,
      advice,
    });
  }
});

test('a place where no folder can be made is named, with what the system says', async () => {
  const place = 'x'.repeat(300);
  await expect(openHome({ UTURN_HOME: place }, dir)).rejects.toMatchObject({
    name: 'ConfigProblem',
    message: expect.stringMatching(/x{300} cannot be used: Error: ENAMETOOLONG/),
  });
});

test.runIf(process.platform === 'linux')(
  'a file system that takes no folders is named, and not asked for ever',
  async () => {
    await expect(openHome({ UTURN_HOME: '/proc/uturn/home' }, dir)).rejects.toMatchObject({
      name: 'ConfigProblem',
      message: '/proc/uturn/home cannot be used: its file system takes no folders.',
    });
  },
);
