// A model that uturn serves, frozen without starting it: everything a plan needs is in its files.
import { resolve } from 'node:path';
import { type Adapter, type EngineOrder, engineArgs, engineId, servedName } from '../../domain/plan/engine.ts';
import type { PlannedModel } from '../../domain/plan/plan.ts';
import type { ServedLocation } from '../../domain/plan/run-doc.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { ServedSpec } from '../../domain/spec/model.ts';
import { findVllm } from '../../local/vllm/environment.ts';
import { type DigestDeps, folderDigest, weightsOf } from '../engine/digest.ts';
import { adapterRank, modelFiles, statedDtype } from '../engine/files.ts';
import { templateFromFiles } from '../template/files.ts';
import { plannedRenderer } from '../template/planned.ts';
import type { FoundModel, ModelDeps } from './model.ts';
import { jinjaTemplate, templateFile } from './template.ts';

/**
 * Reads and checksums the model's files; asks vLLM for its version, and starts nothing.
 * @throws ConfigProblem  no vLLM here, files that are missing or say too little, a template that cannot be had
 */
export async function findServed(spec: ServedSpec, deps: ModelDeps): Promise<FoundModel> {
  const vllm = await findVllm();
  const files = await modelFiles(spec, { baseDir: deps.baseDir, python: vllm.python });
  const adapter = spec.lora === null ? null : await adapterAt(resolve(deps.baseDir, spec.lora), deps);
  const order: EngineOrder = {
    model: files.model,
    revision: files.revision,
    weights: await weightsOf(files, deps),
    dtype: spec.dtype ?? (await statedDtype(files.folder)) ?? unknownDtype(files.folder),
    tensor_parallel: spec.tensor_parallel,
    max_model_len: spec.max_model_len,
    adapters: adapter === null ? [] : [adapter],
    mixes: vllm.gpu,
    args: spec.args,
    ...(spec.batch_invariant && { batch_invariant: true as const }),
    version: vllm.version,
  };
  const decisive = engineArgs(order);
  const own = spec.template === null ? null : await templateFile(resolve(deps.baseDir, spec.template));
  const { template, bos_token, eos_token } = await templateFromFiles(files.folder, { given: own?.template ?? null });
  const planned: PlannedModel = {
    id: spec.id,
    identity: { weights: order.weights },
    ...(adapter !== null && { adapter: adapter.weights }),
    dtype: order.dtype,
    engine: { name: 'vllm', version: order.version },
    ...(decisive.length > 0 && { engine_args: decisive }),
    template: await jinjaTemplate({ text: template, bos_token, eos_token, kwargs: spec.template_kwargs }, deps),
    prompt_form: 'ids',
    ...(spec.reasoning !== 'keep' && { reasoning: spec.reasoning }),
  };
  const renderer = await plannedRenderer(planned.template, { store: deps.store, server: null, report: deps.report });
  const location = locationOf(order, { served: adapter?.name ?? servedName(order), spec });
  return { planned, location, server: noTokenizer, renderer, context: spec.max_model_len };
}

/** Markers are looked for as text while planning, and as tokens once the model is up. */
const noTokenizer: FoundModel['server'] = { tokenize: async () => null, detokenize: async () => null };

function locationOf(
  order: EngineOrder,
  { served, spec }: { served: string; spec: Pick<ServedSpec, 'concurrency' | 'timeout_s'> },
): ServedLocation {
  const { concurrency, timeout_s } = spec;
  return { kind: 'serve', id: engineId(order), order, served, concurrency, timeout_s };
}

/** Named by its content: the same adapter in two configs is the same engine. */
async function adapterAt(path: string, deps: DigestDeps): Promise<Adapter> {
  const rank = await adapterRank(path);
  const weights = await folderDigest(path, deps);
  return { name: `lora-${weights.slice(0, 12)}`, path, weights, rank };
}

function unknownDtype(folder: string): never {
  throw new ConfigProblem(`the config.json in ${folder} names no number format`, {
    advice: 'State it: `dtype: bfloat16`, say.',
  });
}
