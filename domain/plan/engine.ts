// An engine: one model as uturn serves it, and its name, which all runs that need just this share.
import { shortHashOf } from '../records/canonical.ts';

/** What a vLLM server is started with. Everything in it must be the same for two runs to share the server. */
export type EngineOrder = {
  /** Folder of the model's files, or its name on the hub. */
  model: string;
  /** Full commit of a model on the hub; null for a folder. */
  revision: string | null;
  /** Digest of the files, or of name and commit. */
  weights: string;
  dtype: string;
  tensor_parallel: number;
  max_model_len: number | null;
  adapters: Adapter[];
  /**
   * Whether it may be asked for the model and for its adapters at once. vLLM without a GPU gives the model's own requests the
   * adapter of others in the same batch (`lora/ops/torch_ops` takes their index, -1, for the last adapter).
   */
  mixes: boolean;
  /** Further options, as they stand in the config. */
  args: string[];
  /** Started so that a turn does not depend on what else it works on; absent where it is not. */
  batch_invariant?: true;
  /** Of vLLM. */
  version: string;
};

/** vLLM's switch of that mode: a variable and no option. In the plan it stands among the engine's options. */
export const invariantMode = { name: 'VLLM_BATCH_INVARIANT', value: '1' };

/** What decides results of the options that an engine is started with. */
export function engineArgs({ args, batch_invariant }: EngineOrder): string[] {
  return batch_invariant ? [...args, `${invariantMode.name}=${invariantMode.value}`] : args;
}

/** A LoRA adapter, asked for by its name in place of the model's. */
export type Adapter = { name: string; path: string; weights: string; rank: number };

/** Workflow id of the engine. Run names hold no `/`, and campaigns begin with a run's. */
export function engineId(order: EngineOrder): string {
  return `engine/${shortHashOf(order).slice(0, 16)}`;
}

/** The name requests ask for: `model` itself, or one of its adapters. */
export function servedName(order: Pick<EngineOrder, 'model'>): string {
  return order.model.split(/[\\/]/).findLast((part) => part !== '') ?? 'model';
}

/** One order for all that differ in nothing but their adapters; where these do not mix, the model alone has one of its own. */
export function together(orders: EngineOrder[]): EngineOrder[] {
  const served = (order: EngineOrder) => shortHashOf({ ...order, adapters: !order.mixes && order.adapters.length > 0 });
  const alike = Map.groupBy(orders, served);
  return orders.map((order) => {
    const all = (alike.get(served(order)) ?? []).flatMap((one) => one.adapters);
    const byName = new Map(all.map((adapter) => [adapter.name, adapter]));
    return { ...order, adapters: [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  });
}
