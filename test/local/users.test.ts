import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isAlive, thisProcess } from '../../local/process.ts';
import { listServices, stopUnkept } from '../../local/services.ts';
import { joinHome, users } from '../../local/users.ts';
import { type Command, ensureEcho, ground } from './ground/ground.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

test('the last command out stops what run started', async () => {
  await using place = await ground();
  const [first, second] = [place.command('run'), place.command('run')];
  const service = await first.service();
  expect(await second.service()).toEqual(service);
  expect([await first.leave(), isAlive(service.process)]).toEqual(['others', true]);
  expect([await second.leave(), isAlive(service.process)]).toEqual(['last', false]);
});

test('the last command out leaves what up started', async () => {
  await using place = await ground();
  const [up, run] = [place.command('up'), place.command('run')];
  const { process: echo } = await up.service();
  await run.service();
  expect([await up.leave(), await run.leave(), isAlive(echo)]).toEqual(['others', 'last', true]);
});

test('a killed command does not count, so the next one stops what it left', async () => {
  await using place = await ground();
  const killed = place.command('run');
  const service = await killed.service();
  await killed.kill();
  const next = place.command('run');
  expect(await next.service()).toEqual(service);
  expect([await next.leave(), isAlive(service.process)]).toEqual(['last', false]);
});

test('a command that comes while the last one stops the service starts it afresh', async () => {
  await using place = await ground();
  const leaving = await joinHome(place.home);
  const old = await ensureEcho(place.home, {});
  const coming: Command[] = [];
  await leaving.leave(async () => {
    coming.push(place.command('run'));
    await sleep(600); // long enough that it has come, and waits
    await stopUnkept(place.home);
  });
  const [fresh] = await Promise.all(coming.map((command) => command.service()));
  if (!fresh) throw new Error('nobody came');
  expect({ address: fresh.address, old: isAlive(old.process), fresh: isAlive(fresh.process) }).toEqual({
    address: old.address,
    old: false,
    fresh: true,
  });
});

test('dead and torn registrations are nobody', async () => {
  await using place = await ground();
  await writeFile(join(place.home.users, '2.json'), JSON.stringify({ pid: process.pid, started: 'another boot/1' }));
  await writeFile(join(place.home.users, '3.json'), '{"pid": 3, "sta');
  const membership = await joinHome(place.home);
  expect(await users(place.home)).toEqual([thisProcess()]);
  expect(await membership.leave()).toBe('last');
  expect(await users(place.home)).toEqual([]);
});

test('commands that come and go at once leave nothing running', async () => {
  await using place = await ground();
  const commands = [1, 2, 3, 4].map(() => place.command('run'));
  const said = await Promise.all(commands.map((command) => command.leave()));
  expect(said.includes('last')).toBe(true);
  expect((await listServices(place.home)).map(({ alive }) => alive)).toEqual([false]);
  expect(await users(place.home)).toEqual([]);
});
