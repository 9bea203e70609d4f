import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cacheFolder, installOnce } from '../../local/cache.ts';
import { withLock } from '../../local/lock.ts';

const fresh = () => mkdtemp(join(tmpdir(), 'uturn-cache-'));
const local = join(import.meta.dirname, '..', '..', 'local');

/** Another process, which builds `tool` in the cache and says so; it never ends by itself. */
async function builderThatHangs(cache: string) {
  const script = `
    import { installOnce } from ${JSON.stringify(join(local, 'cache.ts'))};
    import { writeFile } from 'node:fs/promises';
    await installOnce('tool', async (folder) => {
      await writeFile(folder + '/half', 'half');
      console.log('building');
      await new Promise((forever) => setTimeout(forever, 600_000));
    }, { cache: ${JSON.stringify(cache)} });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test.each([
  [{ UTURN_CACHE: '/own', XDG_CACHE_HOME: '/xdg' }, '/own'],
  [{ UTURN_CACHE: '', XDG_CACHE_HOME: '/xdg' }, '/xdg/uturn'],
  [{ XDG_CACHE_HOME: 'relative' }, join(homedir(), '.cache', 'uturn')],
  [{}, join(homedir(), '.cache', 'uturn')],
])('the cache of %j is %s', (env, folder) => {
  expect(cacheFolder(env)).toBe(folder);
});

test('what asks together is built once, and everybody gets the whole of it', async () => {
  const cache = await fresh();
  let builds = 0;
  const build = async (folder: string) => {
    builds++;
    await writeFile(join(folder, 'one'), '1');
    await sleep(100);
    await writeFile(join(folder, 'two'), '2');
  };
  const asked = await Promise.all(
    Array.from({ length: 4 }, async () => readdir(await installOnce('tool', build, { cache }))),
  );
  expect(asked).toEqual(Array.from({ length: 4 }, () => ['one', 'two']));
  expect(builds).toBe(1);
});

test('a build that fails leaves nothing, and the next one may succeed', async () => {
  const cache = await fresh();
  const broken = async (folder: string) => {
    await writeFile(join(folder, 'half'), 'half');
    throw new Error('no network');
  };
  await expect(installOnce('tool', broken, { cache })).rejects.toThrow('no network');
  expect(await readdir(cache)).toEqual(['locks']);
  const folder = await installOnce('tool', (to) => writeFile(join(to, 'whole'), 'whole'), { cache });
  expect(await readdir(folder)).toEqual(['whole']);
});

test('a process that builds keeps others waiting; killed, it leaves neither lock nor leftovers', async () => {
  const cache = await fresh();
  const other = await builderThatHangs(cache);
  const waited: string[] = [];
  const asking = installOnce('tool', (to) => writeFile(join(to, 'whole'), 'whole'), {
    cache,
    onWait: () => waited.push('waiting'),
  });
  await sleep(200);
  expect([waited, (await readdir(cache)).filter((entry) => entry === 'tool')]).toEqual([['waiting'], []]);
  other.kill('SIGKILL');
  expect(await readdir(await asking)).toEqual(['whole']);
  expect((await readdir(cache)).sort()).toEqual(['locks', 'tool']);
});

test('a folder that is of no use any more is built anew', async () => {
  const cache = await fresh();
  const build = (text: string) => (to: string) => writeFile(join(to, 'text'), text);
  const usable = async (folder: string) => (await readFile(join(folder, 'text'), 'utf8')) !== 'broken';
  await installOnce('tool', build('broken'), { cache });
  const folder = await installOnce('tool', build('mended'), { cache, usable });
  expect(await readFile(join(folder, 'text'), 'utf8')).toBe('mended');
  await installOnce('tool', build('never made'), { cache, usable });
  expect(await readFile(join(folder, 'text'), 'utf8')).toBe('mended');
});

test('names do not share leftovers: the name of one may begin with the name of another', async () => {
  const cache = await fresh();
  await installOnce(
    'tool-2',
    async () => {
      await installOnce('tool', async () => {}, { cache });
    },
    { cache },
  );
  expect((await readdir(cache)).sort()).toEqual(['locks', 'tool', 'tool-2']);
});

test('a lock that is not free in time says who holds what', async () => {
  const file = join(await fresh(), 'one.lock');
  await withLock(file, async () => {
    await expect(withLock(file, async () => 'never', { waitMs: 100 })).rejects.toThrow(`another process holds ${file}`);
  });
  expect(await withLock(file, async () => 'free again')).toBe('free again');
});

test('a lock is given back when what ran under it throws', async () => {
  const file = join(await fresh(), 'one.lock');
  await expect(withLock(file, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withLock(file, async () => 'free', { waitMs: 0 })).toBe('free');
});

test('a lock file that is something else is a sentence, not a wait', async () => {
  const file = join(await fresh(), 'one.lock');
  await writeFile(file, 'this is no database, and longer than the header of one is: '.repeat(20));
  await expect(withLock(file, async () => 'never')).rejects.toThrow(`cannot lock ${file}`);
  await rm(file);
});
