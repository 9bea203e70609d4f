import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../activities/engine/server.ts';
import type { EngineOrder } from '../../../domain/plan/engine.ts';
import { openHome } from '../../../local/home.ts';
import { identify } from '../../../local/process.ts';
import { listServices, stopAll } from '../../../local/services.ts';
import { until } from '../../../local/until.ts';
import type { Conduct } from '../../fakes/vllm.ts';
import { servedModel } from '../../lab/served.ts';

async function place(conduct: Partial<Conduct> = {}, env: NodeJS.ProcessEnv = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-engine-'));
  const home = await openHome({ UTURN_HOME: join(dir, 'home') });
  const model = servedModel(dir, conduct);
  const stop = new AbortController();
  const order: EngineOrder = {
    model: join(dir, 'model'),
    revision: null,
    weights: 'a'.repeat(64),
    dtype: 'float32',
    tensor_parallel: 2,
    max_model_len: 4096,
    adapters: [],
    mixes: true,
    args: [],
    version: '0.32.0',
  };
  onTestFinished(async () => {
    await stopAll(home, { begin: () => undefined });
    await rm(dir, { recursive: true, force: true });
  });
  const open = (more: Partial<EngineOrder> = {}) =>
    openServer(
      {
        name: 'engine/1234',
        order: { ...order, ...more },
        python: String(model.env['UTURN_VLLM_PYTHON']),
        signal: stop.signal,
      },
      { home, env: { ...process.env, ...env } },
    );
  const left = () => model.starts().flatMap(({ pid, child }) => [pid, child].filter((one) => identify(one) !== null));
  return { dir, home, model, stop, open, left };
}

const complete = (address: string, model: string) =>
  fetch(`${address}/completions`, {
    method: 'POST',
    body: JSON.stringify({ model, prompt: 'Hello', max_tokens: 4, temperature: 0 }),
  });

test('a server is up when it completes a request, on loopback, with what the order says, and ends whole', async () => {
  const at = await place({ readyMs: 1_500 });
  const adapters = ['lora-a', 'lora-b'].map((name) => ({ name, path: `/adapters/${name}`, weights: '', rank: 5 }));
  const server = await at.open({ adapters, args: ['--enforce-eager'] });
  expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(server.version).toBe('0.32.0');
  for (const name of ['model', 'lora-a', 'lora-b']) expect((await complete(server.address, name)).status).toBe(200);

  const args = at.model.starts()[0]?.args ?? [];
  const valueOf = (option: string) => args[args.indexOf(option) + 1];
  expect(valueOf('--generation-config')).toBe('vllm');
  expect(valueOf('--model')).toBe(join(at.dir, 'model'));
  expect(['--dtype', '--seed', '--tensor-parallel-size', '--max-model-len', '--max-lora-rank'].map(valueOf)).toEqual([
    'float32',
    '0',
    '2',
    '4096',
    '8',
  ]);
  expect(args).toEqual(expect.arrayContaining(['--enforce-eager', '--enable-prefix-caching', '--enable-lora']));

  expect((await listServices(at.home)).map(({ name, alive }) => [name, alive])).toEqual([['engine-1234', true]]);
  expect(at.left().length).toBe(2);
  await server.stop();
  expect(await until(() => at.left().length === 0, 10_000)).toBe(true);
});

test('one that ends while it starts says why with the last lines of its log, and without keys', async () => {
  const says = 'x\u001b[31my\nERROR no room for the weights, token hf_abcdefghijklmnopqrst1234, key very-secret-value';
  const at = await place({ says }, { SOME_API_KEY: 'very-secret-value' });
  const failure: unknown = await at.open().catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'engine_start' });
  const message = failure instanceof Error ? failure.message : '';
  expect(message).toMatchInlineSnapshot(`
    "the vLLM of model ended with code 1 while it was starting; its log ends:
        INFO vLLM API server version 0.32.0
        x [31my
        ERROR no room for the weights, token …, key …"
  `);
  expect(at.left()).toEqual([]);
});

test('an option that vLLM does not know is in the error', async () => {
  const at = await place();
  await expect(at.open({ args: ['--enforce-eagre'] })).rejects.toThrow(
    /code 2 while it was starting[^]*--enforce-eagre/,
  );
});

test('one that dies is told, and nothing of it is left', async () => {
  const at = await place();
  const server = await at.open();
  const watched = server.watch(at.stop.signal);
  process.kill(at.model.starts()[0]?.pid ?? 0, 'SIGKILL');
  await expect(watched).rejects.toMatchObject({ kind: 'engine_died', message: expect.stringContaining('SIGKILL') });
  expect(await until(() => at.left().length === 0, 10_000)).toBe(true);
});

test('one that is not wanted any more ends in the middle of its start', async () => {
  const at = await place({ readyMs: 600_000 });
  const opened = at.open();
  await until(() => at.model.starts().length > 0, 20_000);
  at.stop.abort(new Error('cancelled'));
  await expect(opened).rejects.toThrow('cancelled');
  expect(await until(() => at.left().length === 0, 10_000)).toBe(true);
});

test('one that an earlier worker left is ended first', async () => {
  const at = await place();
  await at.open();
  const [first] = at.model.starts();
  await at.open();
  expect(identify(first?.pid ?? 0)).toBeNull();
});

test('an address that is not this machine’s is a sentence', async () => {
  const at = await place({}, { UTURN_ADVERTISE: '192.0.2.1' });
  await expect(at.open()).rejects.toThrow('nothing can listen at 192.0.2.1');
});

test('a port that somebody takes first is replaced by another', async () => {
  const at = await place({ takenOnce: true });
  const server = await at.open();
  expect(at.model.starts().length).toBe(2);
  expect((await complete(server.address, 'model')).status).toBe(200);
});
