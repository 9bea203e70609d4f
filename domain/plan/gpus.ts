// GPUs of an engine. No hashing: workflows import this.
import type { EngineOrder } from './engine.ts';

/** GPUs that its server takes. */
export function gpusOf({ tensor_parallel, args }: Pick<EngineOrder, 'tensor_parallel' | 'args'>): number {
  const replicas = ['--pipeline-parallel-size', '-pp', '--data-parallel-size', '-dp'].map((name) =>
    numberAfter(name, args),
  );
  return replicas.reduce((product, count) => product * count, tensor_parallel);
}

/** vLLM takes `_` for `-`, and a value after `=` or as the next argument; 1 where it is not given. */
function numberAfter(name: string, args: string[]): number {
  const parts = args.flatMap((arg) => arg.split('='));
  const at = parts.findLastIndex((part) => part.replaceAll('_', '-') === name);
  const count = Number(parts[at + 1]);
  return at >= 0 && Number.isInteger(count) && count >= 1 ? count : 1;
}
