// A model that uturn serves itself: what a run notices of its server's lives and deaths, and what is left of it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Standing } from '../../cli/standing.ts';
import { identify } from '../../local/process.ts';
import { until } from '../../local/until.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import type { Stats } from '../fakes/stats.ts';
import { type EngineLab, engineLab } from '../lab/engine.ts';

vi.setConfig({ testTimeout: 240_000 }); // whole runs that wait for deaths to be noticed

/** Processes of servers that still run: the servers, and what they started. */
const left = ({ vllm }: EngineLab) =>
  vllm.starts().flatMap(({ pid, child }) => [pid, child].filter((one) => identify(one) !== null));
const nothingLeft = (lab: EngineLab) => until(() => left(lab).length === 0, 30_000, { everyMs: 100 });

/** Waits until the newest server has served so many requests of a run. */
async function served(lab: EngineLab, count: number): Promise<void> {
  const look = async () => {
    const port = lab.vllm.starts().at(-1)?.port;
    const stats = await fetch(`http://127.0.0.1:${port}/__stats`).then(
      async (reply) => (await reply.json()) as Stats,
      () => null,
    );
    return (stats?.served ?? 0) >= count;
  };
  if (!(await until(look, 90_000, { everyMs: 20 }))) throw new Error('the engine never came so far');
}

const slow = { fake: { latencyMs: 60 } };

test('a run starts its model, is complete, and leaves nothing behind; another finds all and starts none', async () => {
  await using lab = await engineLab();
  const ran = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(ran.code).toBe(0);
  expect((await lab.records(ran.json.run, 'user_turn')).length).toBe(24);
  expect(lab.vllm.starts().length).toBe(1);
  expect(await nothingLeft(lab)).toBe(true);

  // New rules judge old turns: the model is not needed for that.
  await lab.config({ models: [{ serve: 'model' }], judge: { rules: { overlap: 0.8 } } });
  const again = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(again.code).toBe(0);
  expect(again.json.run).not.toBe(ran.json.run);
  expect(lab.vllm.starts().length).toBe(1);
});

test('where the last command stops everything, its server is gone with it, and a wider run starts another', async () => {
  await using lab = await engineLab({ services: 'ended' });
  const first = await lab.run(['run', 'sweep.yaml', '--json', '--limit', '8']);
  expect([first.code, left(lab)]).toEqual([0, []]);
  const wider = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([wider.code, left(lab)]).toEqual([0, []]);
  expect(lab.vllm.starts().length).toBe(2);
});

test('a server that dies in the middle is started again; nothing is lost and no patience is spent', async () => {
  await using lab = await engineLab({ items: 48, conduct: slow });
  const run = lab.begin(['run', 'sweep.yaml', '--json']);
  await served(lab, 20);
  process.kill(lab.vllm.starts()[0]?.pid ?? 0, 'SIGKILL');
  const ran = await run.done;
  expect([ran.code, ran.json?.totals?.errors]).toEqual([0, 0]);
  expect(lab.vllm.starts().length).toBe(2);
  expect((await lab.records(ran.json.run, 'user_turn')).length).toBe(48);
  expect(await nothingLeft(lab)).toBe(true);
});

test('another server on the port of one that died is not asked in its place', async () => {
  await using lab = await engineLab({ items: 48, conduct: slow });
  const run = lab.begin(['run', 'sweep.yaml', '--json']);
  await served(lab, 20);
  const { pid = 0, port = 0 } = lab.vllm.starts()[0] ?? {};
  process.kill(pid, 'SIGKILL');
  await until(() => identify(pid) === null, 5_000, { everyMs: 5 });
  await using other = await startFakeServer({ port, model: 'another' });
  const ran = await run.done;
  expect([ran.code, ran.json?.totals?.errors], ran.stderr).toEqual([0, 0]);
  expect(lab.vllm.starts().length).toBe(2);
  expect(other.stats().served).toBe(0);
  expect(await nothingLeft(lab)).toBe(true);
});

test('kill -9 of the worker leaves no server behind, and the run goes on with another', async () => {
  await using lab = await engineLab({ items: 48, conduct: slow });
  const run = lab.begin(['run', 'sweep.yaml', '--json']);
  await served(lab, 20);
  const [first] = lab.vllm.starts();
  await lab.kill('worker');
  expect(await until(() => [first?.pid, first?.child].every((pid) => identify(pid ?? 0) === null), 15_000)).toBe(true);
  const ran = await run.done;
  expect([ran.code, ran.json?.totals?.errors]).toEqual([0, 0]);
  expect(await nothingLeft(lab)).toBe(true);
});

test('another vLLM than planned is refused with a sentence', async () => {
  await using lab = await engineLab({ conduct: { claims: '0.33.0' } });
  const ran = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('this run was planned with vLLM 0.32.0, and the one that would serve it is 0.33.0');
  expect(await nothingLeft(lab)).toBe(true);
});

test('weights that changed since the plan are refused before anything is started', async () => {
  await using lab = await engineLab({ conduct: slow });
  const run = lab.begin(['run', 'sweep.yaml', '--json']);
  await served(lab, 4);
  await writeFile(join(lab.dir, 'model', 'model.safetensors'), 'others');
  process.kill(lab.vllm.starts()[0]?.pid ?? 0, 'SIGKILL');
  const ran = await run.done;
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('holds other weights than this run was planned with');
  expect(lab.vllm.starts().length).toBe(1);
});

test('a server that does not come up fails the run with the last lines of its log', async () => {
  await using lab = await engineLab();
  await lab.config({ models: [{ serve: 'model', args: ['--enforce-eagre'] }] });
  const ran = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/the vLLM of model ended with code 2 while it was starting[^]*--enforce-eagre/);
});

test('a cancelled run ends its server', async () => {
  await using lab = await engineLab({ items: 96, conduct: { fake: { latencyMs: 5_000 } } });
  const run = lab.begin(['run', 'sweep.yaml', '--json']);
  await served(lab, 1);
  const [id = ''] = (await lab.store.list('runs/')).map((folder) => folder.replace(/\/$/, ''));
  const cancelled = await lab.run(['cancel', id]);
  expect([cancelled.code, cancelled.stderr]).toEqual([0, expect.stringContaining('is cancelled')]);
  await run.done;
  expect(await nothingLeft(lab)).toBe(true);
});

test('while a server starts, status says so, and cancelling the run ends it', async () => {
  await using lab = await engineLab({ conduct: { readyMs: 3_600_000 } });
  const run = lab.begin(['run', 'sweep.yaml', '--json']);
  await until(() => lab.vllm.starts().length > 0, 60_000);
  const [id = ''] = (await lab.store.list('runs/')).map((folder) => folder.replace(/\/$/, ''));
  const waiting = async () => (await lab.run<Standing>(['status', id, '--json'])).json?.waiting;
  expect(await until(async () => (await waiting())?.[0]?.why === 'its engine is starting', 60_000)).toBe(true);
  expect((await lab.run(['cancel', id])).code).toBe(0);
  await run.done;
  expect(await nothingLeft(lab)).toBe(true);
});

test('engines that do not fit beside each other are served one after the other', async () => {
  await using lab = await engineLab();
  await lab.config({ models: [{ serve: 'model' }, { serve: 'model', id: 'eager', args: ['--enforce-eager'] }] });
  const ran = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(ran.code).toBe(0);
  const eager = lab.vllm.starts().map(({ args }) => args.includes('--enforce-eager'));
  expect(eager.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
  expect(await nothingLeft(lab)).toBe(true);
});

test('workers of one role each share a run; the one that serves ends its server when it is told to stop', async () => {
  await using lab = await engineLab({ items: 48, conduct: slow });
  const roles = ['control', 'inference', 'gpu'];
  const workers = roles.map((role) => lab.begin(['worker', '--role', role], { limitMs: 200_000 }));
  const stop = (some: typeof workers) => {
    for (const { process: command } of some) command.kill('SIGTERM');
  };
  // A command passes it on to its worker, which a kill -9 of the command would leave behind.
  await using _ended = {
    async [Symbol.asyncDispose]() {
      stop(workers);
      await Promise.all(workers.map(({ done }) => done));
    },
  };
  const run = lab.begin(['run', 'sweep.yaml', '--json', '--no-worker']);
  await served(lab, 20);
  const [first] = lab.vllm.starts();
  stop(workers.slice(2));
  expect(await until(() => [first?.pid, first?.child].every((pid) => identify(pid ?? 0) === null), 30_000)).toBe(true);
  workers.push(lab.begin(['worker', '--role', 'gpu'], { limitMs: 200_000 }));
  const ran = await run.done;
  expect([ran.code, ran.json?.totals?.errors]).toEqual([0, 0]);
  expect(lab.vllm.starts().length).toBe(2);
  expect(await nothingLeft(lab)).toBe(true);
});

test('two runs share one server, and a model with an adapter is another model on it', async () => {
  await using lab = await engineLab({ items: 32, conduct: slow });
  const models = [{ serve: 'model' }, { serve: 'model', lora: 'adapter' }];
  await lab.config({ name: 'one', models }, 'one.yaml');
  await lab.config({ name: 'two', models, temperatures: [0.3] }, 'two.yaml');
  const runs = ['one.yaml', 'two.yaml'].map((file) => lab.begin(['run', file, '--json']));
  const [one, two] = await Promise.all(runs.map(({ done }) => done));
  expect([one?.code, two?.code]).toEqual([0, 0]);
  expect(lab.vllm.starts().length).toBe(1);
  const turns = await lab.records<{ text: string }>(one?.json.run ?? '', 'assistant_turn');
  expect(new Set(turns.map(({ result }) => result.key)).size).toBe(2);
  expect(await nothingLeft(lab)).toBe(true);
});
