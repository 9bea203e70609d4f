import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRuns } from '../../activities/store/runs.ts';
import type { Standing } from '../../cli/standing.ts';
import { listServices } from '../../local/services.ts';
import { until } from '../../local/until.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 32, services: 'ended', fake: { latencyMs: 250, process: 'own' } });
});
afterAll(() => lab[Symbol.asyncDispose]());

type Up = { temporal: { kind: string; address: string; ui: string | null }; worker: string };

const alive = async () => (await listServices(lab.home)).filter((service) => service.alive).map(({ name }) => name);
const status = async (run: string) => (await lab.run<Standing>(['status', run, '--json'])).json;

/** Looks until what is seen is as wanted, and returns it. */
async function seen(run: string, wanted: (standing: Standing) => boolean): Promise<Standing> {
  let last = await status(run);
  const came = await until(async () => wanted((last = await status(run))), 30_000, { everyMs: 100 });
  if (!came) throw new Error(`never seen; last: ${JSON.stringify(last)}`);
  return last;
}

test('what was brought up stays, is joined, shows a run as it goes, and is brought down', async () => {
  const up = await lab.run<Up>(['up', '--json']);
  expect([up.code, up.json.temporal.kind, up.json.temporal.ui, up.stderr]).toEqual([
    0,
    'local',
    null,
    'They stay until: uturn down\n',
  ]);
  const services = await listServices(lab.home);
  const withPage = await lab.run<Up>(['up', '--ui', '--json']);
  expect(withPage.json.temporal.address).toBe(up.json.temporal.address);
  expect((await fetch(String(withPage.json.temporal.ui))).status).toBe(200);
  expect((await listServices(lab.home)).find(({ name }) => name === 'worker')).toEqual(
    services.find(({ name }) => name === 'worker'),
  );

  await lab.config({ name: 'up' });
  const detached = await lab.run(['run', 'sweep.yaml', '--detach', '--tag', 'trial']);
  expect([detached.code, detached.stdout]).toEqual([0, '']);
  const [run = ''] = await listRuns(lab.store);
  expect(detached.stderr).toMatch(/^To make: 64 calls, .*\n/);
  expect(detached.stderr.split('\n').slice(1)).toEqual([`${run} started`, `  uturn watch ${run}`, '']);

  await lab.when(({ served }) => served >= 4);
  await lab.kill('model');
  const away = await seen(run, ({ waiting }) => waiting.length > 0 && (waiting[0]?.tries ?? 0) > 1);
  expect(away.state).toBe('running');
  expect(away.seen_in).toBe('temporal');
  expect(away.waiting[0]?.why).toBe(`nobody answers at ${lab.model.url}/v1 (ECONNREFUSED)`);
  expect((await lab.run(['list', '--tag', 'trial'])).stdout).toMatch(
    new RegExp(`^run +state +name +tags +begun +samples +errors\n${run} +running +up +trial +\\S+ \\S+ +32 +0\n$`),
  );

  const down = await lab.run(['down']);
  expect({ code: down.code, stdout: down.stdout, stderr: down.stderr }).toEqual({
    code: 0,
    stdout: 'service   end\nworker    stopped\ntemporal  stopped\n',
    stderr: 'stopping worker: what is in flight ends first\nstopping temporal\n',
  });
  expect(await alive()).toEqual([]);
  expect((await status(run)).state).toBe('stopped');
  expect((await lab.run(['down'])).stderr).toBe('Nothing was running.\n');

  // Nothing works on it, so there is nothing to pause; but it would go on with the next worker, so it can be cancelled.
  const paused = await lab.run(['pause', run]);
  expect([paused.code, paused.stderr]).toEqual([
    2,
    `${run} is not running; it is stopped\n  See it: uturn status ${run}\n`,
  ]);
  const cancelled = await lab.run(['cancel', run, '--json']);
  expect([cancelled.code, cancelled.json]).toEqual([0, { run, state: 'cancelled' }]);
  expect([(await status(run)).state, await alive()]).toEqual(['cancelled', []]);
}, 120_000);

test('a worker in the foreground serves a run that brings none, and ends well', async () => {
  await lab.model.start();
  await lab.config({ name: 'served', seed: 3 });
  const worker = lab.begin(['worker']);
  expect(await until(async () => (await alive()).includes('temporal'), 30_000)).toBe(true);
  const run = await lab.run(['run', 'sweep.yaml', '--no-worker', '--json']);
  expect([run.code, run.json.samples]).toEqual([0, 32]);
  expect(await alive()).toEqual(['temporal']);

  const down = await lab.run(['down', '--json']);
  expect([down.code, down.json, down.stderr]).toEqual([
    3,
    { stopped: [], left: ['temporal'] },
    'Other commands are at work here; temporal will stop with the last of them.\n',
  ]);
  worker.process.kill('SIGTERM');
  expect((await worker.done).code).toBe(0);
  expect(await alive()).toEqual([]);
}, 90_000);
