// A vLLM that is up, for tests that only ask it: the same flags each time, ended with its whole tree.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineOrder, servedName } from '../../domain/plan/engine.ts';
import { freePort } from '../../local/ports.ts';
import { supervise } from '../../local/supervised.ts';
import { until } from '../../local/until.ts';
import { vllmArgs } from '../../local/vllm/command.ts';
import { adapter, smollm2, vllmPython } from './environment.ts';

export type Served = { url: string; base: string; adapter: string; stop(): Promise<void> };

/**
 * What suits two cores and no GPU, and decides nothing about what is said. Whole prompts only: a seeded request whose prompt is cut
 * into chunks ends vLLM on a CPU (`CPU Generator does not use offset`).
 */
export const forCpu = [
  '--max-num-seqs=16',
  '--enforce-eager',
  '--block-size=32',
  '--no-enable-chunked-prefill',
  '--max-num-batched-tokens=4096',
];

/** Starting takes a minute on a quiet machine and five on a busy one. */
const patience = 600_000;

export async function startVllm(): Promise<Served> {
  const python = await vllmPython();
  const port = await freePort(null);
  const order: EngineOrder = {
    model: await smollm2(),
    revision: null,
    weights: '',
    dtype: 'float32',
    tensor_parallel: 1,
    max_model_len: 2_048,
    adapters: [{ name: 'noise', path: await adapter(), weights: '', rank: 4 }],
    mixes: false,
    args: forCpu,
    version: '',
  };
  const names = { base: servedName(order), adapter: 'noise' };
  const log = join(await mkdtemp(join(tmpdir(), 'uturn-vllm-')), 'vllm.log');
  const env = { ...process.env, HF_HUB_OFFLINE: '1', VLLM_CPU_KVCACHE_SPACE: '1' };
  const server = await supervise(python, vllmArgs(order, { host: '127.0.0.1', port }), { logFile: log, env });
  let gone = false;
  void server.ended.then(() => {
    gone = true;
  });

  const url = `http://127.0.0.1:${port}`;
  const completes = async () => {
    const body = JSON.stringify({ model: names.base, prompt: 'a', max_tokens: 1 });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return fetch(`${url}/v1/completions`, init).then(
      (reply) => reply.ok,
      () => false,
    );
  };
  await until(async () => gone || (await completes()), patience, { everyMs: 500 });
  if (gone) throw new Error(`vLLM did not start:\n${(await readFile(log, 'utf8')).slice(-2_000)}`);
  return { url, ...names, stop: server.stop };
}
