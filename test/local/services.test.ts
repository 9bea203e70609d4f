import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { logFile } from '../../local/home.ts';
import { freePort } from '../../local/ports.ts';
import { identify, isAlive } from '../../local/process.ts';
import { listServices, stopService, stopUnkept } from '../../local/services.ts';
import { beginnings, ensureEcho, ground } from './ground/ground.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

test('a second one joins the service that runs', async () => {
  await using place = await ground();
  const first = await ensureEcho(place.home, {});
  expect(await ensureEcho(place.home, {})).toEqual(first);
  expect(await listServices(place.home)).toEqual([{ ...first, alive: true }]);
});

test('four commands that start at once start one service', async () => {
  await using place = await ground();
  const commands = [1, 2, 3, 4].map(() => place.command('run'));
  const [first, ...others] = await Promise.all(commands.map((command) => command.service()));
  expect(others).toEqual([first, first, first]);
  expect(await beginnings(place.home)).toBe(1);
});

test('what a killed command left running is adopted', async () => {
  await using place = await ground();
  const command = place.command('run');
  const left = await command.service();
  await command.kill();
  expect(await ensureEcho(place.home, {})).toEqual(left);
});

test('commands killed at any moment of their start leave at most one service, which the next one finds', async () => {
  await using place = await ground();
  for (const ms of [90, 120, 150, 180, 210, 240, 270, 300, 400]) {
    const command = place.command('run');
    await sleep(ms);
    await command.kill();
  }
  const service = await ensureEcho(place.home, {});
  const begun = (await readFile(logFile(place.home, 'echo'), 'utf8')).matchAll(/^echo (\d+) begins/gm);
  const alive = [...begun].map(([, pid]) => Number(pid)).filter((pid) => identify(pid) !== null);
  expect(alive).toEqual([service.process.pid]);
});

test('a killed service comes back at its address', async () => {
  await using place = await ground();
  const first = await ensureEcho(place.home, {});
  process.kill(first.process.pid, 'SIGKILL');
  const second = await ensureEcho(place.home, {});
  expect(second).toEqual({ ...first, process: identify(second.process.pid) });
  expect(second.process.pid).not.toBe(first.process.pid);
});

test('a service that is stuck is replaced at its address, and that is said', async () => {
  await using place = await ground();
  const stuck = await ensureEcho(place.home, {});
  process.kill(stuck.process.pid, 'SIGSTOP');
  const said: string[] = [];
  const next = await ensureEcho(place.home, { report: (line) => said.push(line) });
  expect({ address: next.address, stuckIsAlive: isAlive(stuck.process) }).toEqual({
    address: stuck.address,
    stuckIsAlive: false,
  });
  expect(said).toEqual([`echo (process ${stuck.process.pid}) has not answered for 0.5 s; replacing it`]);
});

test('a service that does not suit is replaced', async () => {
  await using place = await ground();
  const plain = await ensureEcho(place.home, {});
  const other = await ensureEcho(place.home, { suits: () => false });
  expect([other.address, isAlive(plain.process)]).toEqual([plain.address, false]);
});

test('a process that got the pid of a dead service is neither joined nor stopped', async () => {
  await using place = await ground();
  const record = join(place.home.services, 'echo.json');
  const stranger = { pid: process.pid, started: 'another boot/1' };
  const address = `127.0.0.1:${await freePort(null)}`;
  const stale = { name: 'echo', process: stranger, address, keep: 'run', extra: {} };
  await writeFile(record, JSON.stringify(stale));
  expect(await stopService(place.home, 'echo')).toBe('none');
  const service = await ensureEcho(place.home, {});
  expect(service).toEqual({ ...stale, process: identify(service.process.pid) });
  expect(service.process.pid).not.toBe(process.pid);
});

test.for([
  ['a torn record', '{"name": "echo", "proc'],
  ['a record of something else', '{"name": "echo"}'],
  [
    'a record of every process',
    '{"name":"echo","process":{"pid":1,"started":"x"},"address":"a:1","keep":"run","extra":{}}',
  ],
  ['an empty record', ''],
])('%s counts as none, and that is said', async ([, text]) => {
  await using place = await ground();
  const record = join(place.home.services, 'echo.json');
  await writeFile(record, text ?? '');
  const said: string[] = [];
  const service = await ensureEcho(place.home, { report: (line) => said.push(line) });
  expect(said).toEqual([`${record} is not a service record; treating it as none`]);
  expect(JSON.parse(await readFile(record, 'utf8'))).toEqual(service);
});

test('what was brought up stays until somebody says down, even over a crash', async () => {
  await using place = await ground();
  const run = await ensureEcho(place.home, { keep: 'run' });
  const up = await ensureEcho(place.home, { keep: 'up' });
  expect(up).toEqual({ ...run, keep: 'up' });
  process.kill(up.process.pid, 'SIGKILL');
  const again = await ensureEcho(place.home, { keep: 'run' });
  await stopUnkept(place.home);
  expect([again.keep, isAlive(again.process)]).toEqual(['up', true]);

  expect(await stopService(place.home, 'echo')).toBe('stopped');
  expect(await listServices(place.home)).toEqual([{ ...again, keep: 'run', alive: false }]);
  expect(await stopService(place.home, 'echo')).toBe('none');
});

test('a service that ends while starting tells its last words, of this start only', async () => {
  await using place = await ground();
  await stopAfter(ensureEcho(place.home, {}), place.home);
  const start = async () => ({
    command: '/bin/sh',
    args: ['-c', 'echo no such model; exit 3'],
    address: '127.0.0.1:1',
  });
  await expect(ensureEcho(place.home, { start })).rejects.toMatchObject({
    name: 'ConfigProblem',
    message: 'echo ended while it was starting; its log ends:\n    no such model',
    advice: `The whole log is ${join(place.home.logs, 'echo.log')}`,
  });
});

test('a service that never answers is stopped and named', async () => {
  await using place = await ground();
  const start = async () => ({ command: 'sleep', args: ['60'], address: '127.0.0.1:1' });
  await expect(ensureEcho(place.home, { start, startMs: 300 })).rejects.toMatchObject({
    name: 'WorldProblem',
    kind: 'timeout',
    message: 'echo started but did not answer at 127.0.0.1:1.',
  });
  expect((await listServices(place.home)).map(({ alive }) => alive)).toEqual([false]);
});

test('a port taken between choosing and binding costs another attempt, not the start', async () => {
  await using place = await ground();
  const asked: (string | null)[] = [];
  const first = await stopAfter(ensureEcho(place.home, {}), place.home);
  const service = await ensureEcho(place.home, {
    start: async (previous) => {
      asked.push(previous?.address ?? null);
      const taken = { command: '/bin/sh', args: ['-c', 'echo listen: address already in use; exit 1'], address: 'x:1' };
      return asked.length === 1 ? taken : { command: 'sleep', args: ['60'], address: '127.0.0.1:2' };
    },
    healthy: async ({ address }) => address === '127.0.0.1:2',
  });
  expect({ asked, address: service.address }).toEqual({ asked: [first.address, null], address: '127.0.0.1:2' });
});

async function stopAfter<T>(started: Promise<T>, home: Parameters<typeof stopService>[0]): Promise<T> {
  const service = await started;
  await stopService(home, 'echo');
  return service;
}
