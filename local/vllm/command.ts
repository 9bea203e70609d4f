// How uturn starts vLLM: nothing that decides a result is left to its defaults or to the model's own files.
import { type EngineOrder, servedName } from '../../domain/plan/engine.ts';

/** Arguments for the Python that has vLLM. The `vllm` program itself needs package metadata that some builds lack. */
export function vllmArgs(order: EngineOrder, at: { host: string; port: number }): string[] {
  const { model, revision, dtype, tensor_parallel, max_model_len, adapters, args } = order;
  return [
    ...['-m', 'vllm.entrypoints.openai.api_server', '--model', model],
    ...['--served-model-name', servedName(order), '--host', at.host, '--port', String(at.port)],
    ...(revision === null ? [] : ['--revision', revision, '--tokenizer-revision', revision]),
    // Sampling defaults of the model's generation_config.json stay out.
    ...['--generation-config', 'vllm', '--dtype', dtype, '--seed', '0'],
    ...['--tensor-parallel-size', String(tensor_parallel), '--enable-prefix-caching'],
    ...(max_model_len === null ? [] : ['--max-model-len', String(max_model_len)]),
    ...adapterArgs(adapters),
    ...args,
  ];
}

/** Ranks that vLLM has room for. */
const ranks = [8, 16, 32, 64, 128, 256, 320, 512];

function adapterArgs(adapters: EngineOrder['adapters']): string[] {
  if (adapters.length === 0) return [];
  const largest = Math.max(...adapters.map(({ rank }) => rank));
  const room = ranks.find((rank) => rank >= largest) ?? largest;
  const modules = adapters.map(({ name, path }) => JSON.stringify({ name, path }));
  return [
    ...['--enable-lora', '--max-loras', String(adapters.length), '--max-lora-rank', String(room)],
    ...['--lora-modules', ...modules],
  ];
}

/** The worker's own environment, with what keeps vLLM from the net where a folder has all it needs. */
export function vllmEnvironment(order: EngineOrder, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const offline = order.revision === null ? { HF_HUB_OFFLINE: '1' } : {};
  return { VLLM_NO_USAGE_STATS: '1', ...offline, ...env };
}
