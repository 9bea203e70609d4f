import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { identify, isAlive, lastLines, spawnDetached, stop, thisProcess } from '../../local/process.ts';
import { until } from '../../local/until.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

let dir = '';
let log = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uturn-process-'));
  log = join(dir, 'out.log');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const shell = (script: string) => spawnDetached('/bin/sh', ['-c', script], { logFile: log, cwd: dir });
const written = (file: string) =>
  until(
    () =>
      stat(join(dir, file)).then(
        () => true,
        () => false,
      ),
    5_000,
  );

test('a process is known by pid and start time', () => {
  const me = thisProcess();
  expect(isAlive(me)).toBe(true);
  expect(isAlive({ ...me, started: `${me.started}0` })).toBe(false);
});

test('ps tells the start of a process where there is no /proc', () => {
  const me = identify(process.pid, 'darwin');
  expect(me?.started).toMatch(/^\w{3} \w{3} \d{1,2} \d\d:\d\d:\d\d \d{4}$/);
  expect(identify(process.pid, 'darwin')).toEqual(me);
});

test.for(['linux', 'darwin'] as const)('a pid nobody has is nobody (%s)', async (platform) => {
  const child = spawn('true');
  await once(child, 'exit');
  expect(identify(child.pid ?? 0, platform)).toBe(null);
});

test('a detached process has a group of its own and appends to its log', async () => {
  await writeFile(log, 'before\n');
  const identity = await shell('echo "group $(ps -o pgid= -p $$) of $$"; echo err >&2');
  await until(() => !isAlive(identity), 5_000);
  const [before, group, err] = (await readFile(log, 'utf8')).trimEnd().split('\n');
  expect([before, group?.replace(/\s+/g, ' '), err]).toEqual([
    'before',
    `group ${identity.pid} of ${identity.pid}`,
    'err',
  ]);
});

test('a command keeps its arguments and environment as they are, and has no input', async () => {
  const args = [
    '-e',
    'console.log(JSON.stringify([process.argv.slice(1), process.env.GIVEN])); process.stdin.pipe(process.stdout)',
  ];
  const odd = ['$HOME `id`', '"', "'", '', 'a\nb', '*'];
  const identity = await spawnDetached(process.execPath, [...args, '--', ...odd], {
    logFile: log,
    env: { GIVEN: '$x' },
  });
  expect(await until(() => !isAlive(identity), 5_000)).toBe(true);
  expect(JSON.parse(await readFile(log, 'utf8'))).toEqual([odd, '$x']);
});

test('a command that does not exist ends at once and says so in its log', async () => {
  const identity = await spawnDetached('no-such-program', [], { logFile: log });
  expect(await until(() => !isAlive(identity), 5_000)).toBe(true);
  expect((await lastLines(log, 5)).join(' ')).toMatch(/no-such-program.*not found/);
});

test('a command whose record cannot be written never begins', async () => {
  const record = async () => {
    throw new Error('disk full');
  };
  const spawned = spawnDetached('/bin/sh', ['-c', 'echo began'], { logFile: log, record });
  await expect(spawned).rejects.toThrow('disk full');
  await until(() => false, 200);
  expect(await lastLines(log, 5)).toEqual([]);
});

test('a command whose starter is killed while recording it never begins', async () => {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { spawnDetached } from ${JSON.stringify(join(import.meta.dirname, '../../local/process.ts'))};
    const record = (identity) => new Promise(() => {
      writeFileSync('identity', JSON.stringify(identity));
      setInterval(() => {}, 1_000);
    });
    await spawnDetached('/bin/sh', ['-c', 'echo began; sleep 60'], { logFile: ${JSON.stringify(log)}, record });`;
  await writeFile(join(dir, 'starter.mjs'), script);
  const starter = spawn(process.execPath, ['--no-warnings', 'starter.mjs'], { cwd: dir, stdio: 'inherit' });
  await written('identity');
  await until(async () => (await readFile(join(dir, 'identity'), 'utf8')) !== '', 5_000);
  const identity = JSON.parse(await readFile(join(dir, 'identity'), 'utf8'));
  expect(isAlive(identity)).toBe(true);
  starter.kill('SIGKILL');
  expect(await until(() => !isAlive(identity), 5_000)).toBe(true);
  expect(await lastLines(log, 5)).toEqual([]);
});

test('a process that asks for time to end gets it', async () => {
  const identity = await shell(`trap 'sleep 0.2; echo tidy; exit' TERM; touch ready; while :; do sleep 0.05; done`);
  await written('ready');
  expect(await stop(identity, { graceMs: 5_000 })).toBe('stopped');
  expect(await lastLines(log, 1)).toEqual(['tidy']);
});

test('a process that does not want to end is killed', async () => {
  const identity = await shell(`trap '' TERM; touch ready; while :; do sleep 0.05; done`);
  await written('ready');
  expect(await stop(identity, { graceMs: 100 })).toBe('killed');
  expect(isAlive(identity)).toBe(false);
});

test('what a process started in its group ends with it', async () => {
  const identity = await shell(`sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 0.05; done' & wait`);
  await written('child');
  await until(async () => (await readFile(join(dir, 'child'), 'utf8')) !== '', 5_000);
  const child = identify(Number(await readFile(join(dir, 'child'), 'utf8')));
  expect(child && isAlive(child)).toBe(true);
  expect(await stop(identity, { graceMs: 5_000 })).toBe('stopped');
  expect(child && (await until(() => !isAlive(child), 5_000))).toBe(true);
});

test('another process of the same pid is left alone', async () => {
  const identity = await shell('sleep 60');
  expect(await stop({ ...identity, started: 'another boot/1' }, { graceMs: 1_000 })).toBe('gone');
  expect(isAlive(identity)).toBe(true);
  await stop(identity, { graceMs: 1_000 });
  expect(await stop(identity, { graceMs: 1_000 })).toBe('gone');
});

test.for([
  ['no file', null, []],
  ['an empty file', '', []],
  ['fewer lines than asked for', 'a\nb\n', ['a', 'b']],
  ['more lines than asked for', 'a\nb\n\nc\nd\n', ['b', 'c', 'd']],
  ['a last line without its end', 'a\nb', ['a', 'b']],
  ['control characters', 'a\u001b[2Jb\r\n\u0000\n\tc\n', ['a [2Jb', 'c']],
  ['a very long file', `${'x'.repeat(200_000)}\nend\n`, [`${'x'.repeat(64 * 1024 - 5)}`, 'end']],
] as const)('last lines of %s', async ([, text, lines]) => {
  if (text !== null) await writeFile(log, text);
  expect(await lastLines(log, 3)).toEqual(lines);
});

test('last lines from a place on', async () => {
  await writeFile(log, 'old\nnew\n');
  expect(await lastLines(log, 3, { from: 4 })).toEqual(['new']);
});
