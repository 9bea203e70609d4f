// A lab's workers polled as versions, on a real Temporal: a run ends on the build it began with, and new ones go to the current one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Standing } from '../../cli/standing.ts';
import { pinnedTo } from '../../cli/versions.ts';
import { campaignId } from '../../domain/plan/boundary.ts';
import { runCommand } from '../../local/command.ts';
import { type ConnectedTemporal, connectTemporal, localConnectOptions } from '../../local/connection.ts';
import { freePort } from '../../local/ports.ts';
import { findTemporal } from '../../local/temporal.ts';
import { until } from '../../local/until.ts';
import type { Running } from '../lab/command.ts';
import { servedModel } from '../lab/served.ts';
import { Lab } from '../lab.ts';

/** Servers look for workflows that are still open on an old version every three minutes, unless told otherwise. */
const soon = ['VersionDrainageStatusVisibilityGracePeriod', 'VersionDrainageStatusRefreshInterval'].flatMap((name) => [
  '--dynamic-config-value',
  `matching.wv.${name}="1s"`,
]);

let lab: Lab;
let program = '';
let address = '';
let temporal: ConnectedTemporal;
let end: () => Promise<void>;
beforeAll(async () => {
  lab = await Lab.start({ items: 24, fake: { latencyMs: 1_000 } });
  const found = await findTemporal({ ...process.env, TEMPORAL_ADDRESS: '' }, { report: () => undefined });
  program = found.kind === 'binary' ? found.path : '';
  address = `127.0.0.1:${await freePort(null)}`;
  const port = address.split(':')[1] ?? '';
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', port, '--log-level', 'error'];
  const server = spawn(program, [...args, ...soon], { stdio: 'ignore' });
  const at = {
    kind: 'external',
    address,
    namespace: 'default',
    ui: null,
    connectOptions: localConnectOptions(address),
  };
  await until(
    async () => (await runCommand(program, ['operator', 'cluster', 'health', '--address', address])).code === 0,
    60_000,
  );
  temporal = await connectTemporal({ ...at, kind: 'external' });
  end = async () => {
    await temporal.close();
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
}, 300_000);
afterAll(async () => {
  await Promise.all(workers.map(stop));
  await lab[Symbol.asyncDispose]();
  await end();
});

const at = () => ({ env: { TEMPORAL_ADDRESS: address } });
const workers: Running[] = [];
const worker = (role: string, build: string): Running => {
  const args = ['worker', '--role', role, '--deployment', 'lab', '--build', build];
  const running = lab.begin(args, { ...at(), limitMs: 500_000 });
  workers.push(running);
  return running;
};
const deployment = (command: string, build: string, ...more: string[]) => {
  const version = ['--deployment-name', 'lab', '--build-id', build];
  return runCommand(program, ['worker', 'deployment', command, '--address', address, ...version, ...more]);
};
const makeCurrent = (build: string) =>
  until(async () => (await deployment('set-current-version', build, '--yes')).code === 0, 60_000, { everyMs: 500 });
const stand = async (run: string) => (await lab.run<Standing>(['status', run, '--json'], at())).json;
const waits = (run: string, why: string) =>
  until(async () => (await stand(run)).waiting.some((one) => one.why.includes(why)), 90_000, { everyMs: 2_000 });

/** Which build a run and its campaign stay with. */
const buildsOf = (run: string) =>
  Promise.all(
    [run, campaignId(run, 'fake')].map(async (id) =>
      pinnedTo((await temporal.client.workflow.getHandle(id).describe()).raw),
    ),
  );

async function stop({ process: child, done }: Running): Promise<void> {
  child.kill('SIGTERM');
  await done;
}

test('a run ends on the build it began with, a new one goes to the current build, and an old build without runs is drained', async () => {
  const control = worker('control', 'one');
  worker('inference', 'one');
  const model = { concurrency: 2 };
  await lab.config({ name: 'long', model }, 'long.yaml');
  const long = (await lab.run(['run', 'long.yaml', '--no-worker', '--detach', '--json'], at())).json.run;
  expect(await waits(long, 'workers of lab poll, and no build of theirs is the current one')).toBe(true);

  expect(await makeCurrent('one')).toBe(true);
  await lab.when(({ served }) => served > 2);
  expect((await lab.run(['pause', long], at())).code).toBe(0);
  expect((await stand(long)).version).toBe('one of lab');

  worker('control', 'two');
  worker('inference', 'two');
  expect(await makeCurrent('two')).toBe(true);
  await lab.config({ name: 'later', model }, 'later.yaml');
  const later = await lab.run(['run', 'later.yaml', '--no-worker', '--limit', '4', '--json'], at());
  expect(later.code, later.stderr).toBe(0);
  expect(await buildsOf(later.json.run)).toEqual(['two of lab', 'two of lab']);

  await stop(control);
  await lab.run(['resume', long, '--no-worker', '--detach'], at());
  expect(await waits(long, 'no worker of build one of lab takes up the work, and this run stays with that one')).toBe(
    true,
  );

  worker('control', 'one');
  const ended = await lab.run(['resume', long, '--no-worker', '--json'], at());
  expect(ended.code, ended.stderr).toBe(0);
  expect(await buildsOf(long)).toEqual(['one of lab', 'one of lab']);
  const isDrained = async () =>
    (await deployment('describe-version', 'one', '--output', 'json')).stdout.includes('"drained"');
  expect(await until(isDrained, 90_000, { everyMs: 1_000 })).toBe(true);
});

test('an engine stays with no build, since runs of several share it, and its server is held by a worker without a version', async () => {
  const model = servedModel(lab.dir);
  const running = lab.begin(['worker', '--role', 'gpu'], { env: { ...at().env, ...model.env }, limitMs: 500_000 });
  workers.push(running);
  await lab.config({ name: 'served', models: [{ serve: 'model' }] }, 'served.yaml');
  const env = { ...at().env, ...model.env };
  const ran = await lab.run(['run', 'served.yaml', '--no-worker', '--limit', '8', '--json'], { env });
  expect(ran.code, ran.stderr).toBe(0);
  expect(
    await temporal.client.workflow
      .getHandle(`${ran.json.run}/model`)
      .describe()
      .then(({ raw }) => pinnedTo(raw)),
  ).toBe('two of lab');
  const behaviors = new Map<string, unknown>();
  for await (const { workflowId, runId } of temporal.client.workflow.list({
    query: "WorkflowId STARTS_WITH 'engine/'",
  })) {
    const { raw } = await temporal.client.workflow.getHandle(workflowId, runId).describe();
    behaviors.set(raw.workflowExecutionInfo?.type?.name ?? '', raw.workflowExecutionInfo?.versioningInfo?.behavior);
  }
  const autoUpgrade = 2;
  expect(Object.fromEntries(behaviors)).toEqual({ engine: autoUpgrade, epoch: autoUpgrade });
  expect((await lab.run<{ equal: boolean }>(['replay', ran.json.run, '--history', '--json'], at())).json).toMatchObject(
    { equal: true },
  );
});
