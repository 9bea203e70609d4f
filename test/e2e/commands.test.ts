// Commands as people use them: two at once, Ctrl-C in the middle. The last one out stops what the first one started.
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listServices } from '../../local/services.ts';
import { until } from '../../local/until.ts';
import { users } from '../../local/users.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 48, services: 'ended', fake: { latencyMs: 100 } });
});
beforeEach(() => lab.model.reset());
afterAll(() => lab[Symbol.asyncDispose]());

const total = 96;
const alive = async () => (await listServices(lab.home)).filter((service) => service.alive).map(({ name }) => name);

test('two commands with the same config share one run, and nothing is asked for twice', async () => {
  await lab.config({ name: 'shared' });
  const [one, two] = await Promise.all([
    lab.run(['run', 'sweep.yaml', '--json']),
    lab.run(['run', 'sweep.yaml', '--json']),
  ]);
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(one.json).toEqual(two.json);
  const { served, repeated, abandoned } = await lab.model.stats();
  expect({ served, repeated, abandoned, records: (await lab.records(one.json.run)).length }).toEqual({
    served: total,
    repeated: 0,
    abandoned: 0,
    records: 2 * total,
  });
  expect(await alive()).toEqual([]);
});

test('Ctrl-C lets what is in flight end and says how to go on; nothing that was completed is asked for again', async () => {
  await lab.config({ name: 'stopped', seed: 2 });
  const command = lab.begin(['run', 'sweep.yaml', '--json']);
  await lab.when(({ served }) => served >= total / 3);
  command.process.kill('SIGINT');
  const { code, stdout, stderr } = await command.done;
  const run = /^(stopped-[0-9a-f]{8}) started$/m.exec(stderr)?.[1] ?? '';
  expect({ code, stdout }).toEqual({ code: 130, stdout: `${JSON.stringify({ run, state: 'interrupted' })}\n` });
  expect(stderr).toContain('Stopping: what is in flight ends first. Ctrl-C again stops at once.\n');
  expect(stderr).toContain(
    `${run} is not finished; nothing that was completed is lost. Go on with: uturn resume ${run}\n`,
  );
  expect(await alive()).toEqual([]);
  const stopped = await lab.model.stats();
  expect(stopped.served).toBeLessThan(total);

  const resumed = await lab.run(['resume', run, '--json']);
  const { served, repeated, abandoned } = await lab.model.stats();
  expect([resumed.code, resumed.json.run, served, repeated, abandoned]).toEqual([0, run, total, 0, 0]);
});

test('Ctrl-C while the worker of `uturn up` serves the run pauses it: nothing new is asked for', async () => {
  await lab.config({ name: 'kept', seed: 7 });
  expect((await lab.run(['up'])).code).toBe(0);
  const command = lab.begin(['run', 'sweep.yaml', '--json']);
  await lab.when(({ served }) => served >= total / 4);
  command.process.kill('SIGINT');
  const { code, json, stderr } = await command.done;
  expect([code, json]).toMatchObject([130, { state: 'paused' }]);
  expect(stderr).toContain(`is paused; nothing that was completed is lost. Go on with: uturn resume ${json.run}\n`);
  await lab.when(({ in_flight }) => in_flight === 0);
  await sleep(1_500);
  expect((await lab.model.stats()).served).toBeLessThan(total);

  const resumed = await lab.run(['resume', json.run, '--json']);
  const { served, repeated } = await lab.model.stats();
  expect([resumed.code, served, repeated]).toEqual([0, total, 0]);
  await lab.run(['down']);
  expect(await alive()).toEqual([]);
});

test('Ctrl-C while a run is still being started says so and leaves nothing behind', async () => {
  await lab.config({ name: 'early', seed: 3 });
  const command = lab.begin(['run', 'sweep.yaml']);
  expect(await until(async () => (await users(lab.home)).length > 0, 20_000, { everyMs: 20 })).toBe(true);
  await sleep(100);
  command.process.kill('SIGINT');
  const { code, stdout, stderr } = await command.done;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toContain('Stopping');
  expect([await alive(), await users(lab.home)]).toEqual([[], []]);
});

test('a worker that serves another store is not joined, and what to do is said', async () => {
  await using other = await mkdtempDisposable(join(tmpdir(), 'uturn-store-'));
  await lab.config({ name: 'stores', seed: 4 });
  await lab.run(['up']);
  const refused = await lab.run(['run', 'sweep.yaml', '--json'], { env: { UTURN_STORE: other.path } });
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('serves another store');
  expect(refused.stderr).toContain('uturn down');
  expect((await lab.model.stats()).served).toBe(0);
  await lab.run(['down']);
});

test('a command whose run is done does not wait for the hung request of another run', async () => {
  await using hung = await startFakeServer({ faults: [{ fault: 'hang', when: { rate: 1 } }] });
  const hanging = await lab.config(
    { name: 'hung', seed: 6, model: { url: hung.url, model: hung.model, timeout_s: 600 } },
    'hung.yaml',
  );
  const first = lab.begin(['run', hanging]);
  await until(async () => hung.stats().in_flight > 0, 30_000);
  first.process.kill('SIGINT');
  await sleep(400);
  first.process.kill('SIGINT');
  expect((await first.done).code).toBe(130);

  await lab.config({ name: 'beside', seed: 5 });
  const begun = performance.now();
  expect((await lab.run(['run', 'sweep.yaml', '--json'])).code).toBe(0);
  expect(performance.now() - begun).toBeLessThan(60_000);
  expect(await alive()).toEqual([]);
}, 120_000);
