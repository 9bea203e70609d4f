// How uturn starts vLLM: nothing that decides a result is left to its defaults or to the model's own files.
import { type EngineOrder, invariantMode, servedName } from '../../domain/plan/engine.ts';

/** Arguments for the Python that has vLLM. The `vllm` program itself needs package metadata that some builds lack. */
export function vllmArgs(order: EngineOrder, at: { host: string; port: number }): string[] {
  const { revision, max_model_len, adapters } = order;
  const options: [string, string][] = [
    ['--model', order.model],
    ['--served-model-name', servedName(order)],
    ['--host', at.host],
    ['--port', String(at.port)],
    // Sampling defaults of the model's generation_config.json stay out.
    ['--generation-config', 'vllm'],
    ['--dtype', order.dtype],
    ['--seed', '0'],
    ['--tensor-parallel-size', String(order.tensor_parallel)],
  ];
  if (revision !== null) options.push(['--revision', revision], ['--tokenizer-revision', revision]);
  if (max_model_len !== null) options.push(['--max-model-len', String(max_model_len)]);
  const server = ['-m', 'vllm.entrypoints.openai.api_server', ...options.flat(), '--enable-prefix-caching'];
  return [...server, ...adapterArgs(adapters), ...order.args];
}

/** Ranks that vLLM has room for. */
const ranks = [8, 16, 32, 64, 128, 256, 320, 512];

function adapterArgs(adapters: EngineOrder['adapters']): string[] {
  if (adapters.length === 0) return [];
  const largest = Math.max(...adapters.map(({ rank }) => rank));
  const room = ranks.find((rank) => rank >= largest) ?? largest;
  const modules = adapters.map(({ name, path }) => JSON.stringify({ name, path }));
  const sizes = ['--max-loras', String(adapters.length), '--max-lora-rank', String(room)];
  return ['--enable-lora', ...sizes, '--lora-modules', ...modules];
}

/** The worker's own environment, with what keeps vLLM from the net where a folder has all it needs, and the mode that the order says. */
export function vllmEnvironment(order: EngineOrder, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const offline = order.revision === null ? { HF_HUB_OFFLINE: '1' } : {};
  const { [invariantMode.name]: _, ...others } = env;
  const mode = order.batch_invariant ? { [invariantMode.name]: invariantMode.value } : {};
  return { VLLM_NO_USAGE_STATS: '1', ...offline, ...others, ...mode };
}
