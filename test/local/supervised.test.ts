// Servers that must not outlive their owner, and what they started with them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { identify } from '../../local/process.ts';
import { supervise } from '../../local/supervised.ts';
import { until } from '../../local/until.ts';

/** A server with a child; neither heeds SIGTERM. It prints both pids. */
const stubborn = ['-c', 'trap "" TERM; sleep 100000 & echo "$$ $!"; while :; do wait; done'];

async function place() {
  const folder = await mkdtemp(join(tmpdir(), 'uturn-supervised-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const logFile = join(folder, 'server.log');
  const pids = async () => {
    await until(async () => /^\d+ \d+$/m.test(await readFile(logFile, 'utf8').catch(() => '')), 20_000);
    return (await readFile(logFile, 'utf8')).trim().split(' ').map(Number);
  };
  return { logFile, pids };
}

const allGone = (pids: number[]) => until(() => pids.every((pid) => identify(pid) === null), 20_000);

test('a server is ended with everything it started, also where neither heeds a SIGTERM', async () => {
  const { logFile, pids } = await place();
  const server = await supervise('/bin/sh', stubborn, { logFile, env: process.env });
  const running = await pids();
  expect(running[0]).toBe(server.process.pid);
  await server.stop();
  expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await allGone(running)).toBe(true);
});

test('a server that ends takes with it what it started', async () => {
  const { logFile, pids } = await place();
  const server = await supervise('/bin/sh', ['-c', 'trap "" TERM; sleep 100000 & echo "$$ $!"; exit 3'], {
    logFile,
    env: process.env,
  });
  expect(await server.ended).toEqual({ code: 3, signal: null });
  expect(await allGone(await pids())).toBe(true);
});

test('nothing is left of a server whose owner was killed', async () => {
  const { logFile, pids } = await place();
  const module = JSON.stringify(join(import.meta.dirname, '../../local/supervised.ts'));
  const code = `
    import { supervise } from ${module};
    await supervise('/bin/sh', ${JSON.stringify(stubborn)}, { logFile: ${JSON.stringify(logFile)}, env: process.env });
    console.log('up');`;
  const owner = spawn(process.execPath, ['--no-warnings', '--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(owner.stdout), 'line');
  const running = await pids();
  owner.kill('SIGKILL');
  expect(await allGone(running)).toBe(true);
});

test('where the supervisor itself is killed its owner ends the server', async () => {
  const { logFile, pids } = await place();
  const server = await supervise('/bin/sh', stubborn, { logFile, env: process.env });
  const running = await pids();
  const stat = await readFile(`/proc/${server.process.pid}/stat`, 'utf8');
  process.kill(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), 'SIGKILL');
  expect(await server.ended).toEqual({ code: null, signal: null });
  expect(await allGone(running)).toBe(true);
});

test('a program that does not exist is a sentence', async () => {
  const { logFile } = await place();
  await expect(supervise('/nowhere/python', [], { logFile, env: process.env })).rejects.toThrow(
    '/nowhere/python could not be started: spawn /nowhere/python ENOENT',
  );
});
