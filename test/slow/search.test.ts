// Runs found in Temporal's lists by its own command line: on a server of ours, and on one that has to be told first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registering } from '../../domain/plan/search.ts';
import { runCommand } from '../../local/command.ts';
import { freePort } from '../../local/ports.ts';
import { listServices } from '../../local/services.ts';
import { findTemporal } from '../../local/temporal.ts';
import { until } from '../../local/until.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
let program = '';
beforeAll(async () => {
  lab = await Lab.start({ items: 16 });
  const found = await findTemporal({ ...process.env, TEMPORAL_ADDRESS: '' }, { report: () => undefined });
  program = found.kind === 'binary' ? found.path : '';
}, 300_000);
afterAll(() => lab[Symbol.asyncDispose]());

/** Ids that `temporal workflow list` prints. */
async function list(address: string, query: string): Promise<string[]> {
  const args = ['workflow', 'list', '--address', address, '--output', 'json', '--query', query];
  const { code, stdout } = await runCommand(program, args);
  if (code !== 0) return [];
  const found = JSON.parse(stdout || '[]') as { execution: { workflowId: string } }[];
  return found.map(({ execution }) => execution.workflowId).sort();
}

/** Lists come a moment after what they show. */
const lists = (address: string, query: string, ids: string[]) =>
  until(async () => JSON.stringify(await list(address, query)) === JSON.stringify(ids), 20_000, { everyMs: 500 });

test('on a Temporal of ours a run is found by its attributes', async () => {
  await lab.config({ name: 'own' });
  const { code, json } = await lab.run(['run', 'sweep.yaml', '--tag', 'trial', '--json']);
  expect(code).toBe(0);
  const address = (await listServices(lab.home)).find(({ name }) => name === 'temporal')?.address ?? '';
  expect(await lists(address, `uturnRun = "${json.run}"`, [json.run, `${json.run}/fake`])).toBe(true);
  expect(await lists(address, `uturnModel = "fake" AND uturnState = "complete"`, [`${json.run}/fake`])).toBe(true);
  expect(await list(address, 'uturnState = "running"')).toEqual([]);
});

test('elsewhere a run goes on without them, says so once, and has them after they were registered', async () => {
  await using other = await lab.fresh();
  const port = await freePort(null);
  const address = `127.0.0.1:${port}`;
  const args = [
    'server',
    'start-dev',
    '--headless',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--log-level',
    'error',
  ];
  const server = spawn(program, args, { stdio: 'ignore' });
  try {
    const health = ['operator', 'cluster', 'health', '--address', address];
    expect(await until(async () => (await runCommand(program, health)).code === 0, 30_000)).toBe(true);
    const env = { TEMPORAL_ADDRESS: address };

    await other.config({ name: 'untold' });
    const untold = await other.run(['run', 'sweep.yaml'], { env });
    expect(untold.code, untold.stderr).toBe(0);
    expect(untold.stderr.split(registering).length).toBe(2);
    expect((await other.run(['doctor'], { env })).stdout).toContain(registering);

    const [, ...words] = registering.split(' ');
    expect((await runCommand(program, [...words, '--address', address])).code).toBe(0);
    await other.config({ name: 'told', seed: 2 });
    const told = await until(async () => !(await other.run(['doctor'], { env })).stdout.includes(registering), 20_000, {
      everyMs: 500,
    });
    expect(told).toBe(true);
    const found = await other.run(['run', 'sweep.yaml', '--json'], { env });
    expect([found.code, found.stderr.includes(registering)], found.stderr).toEqual([0, false]);
    const { run } = found.json;
    expect(await lists(address, `uturnRun = "${run}"`, [run, `${run}/fake`])).toBe(true);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}, 240_000);
