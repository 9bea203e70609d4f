// One entry of `models:`: a server that is up, or a model that uturn runs on this machine.
import { z } from 'zod';
import { address, apiKeyEnv, concurrency, prices, timeout } from './server.ts';
import { noneOfOurs } from './vllm-args.ts';
import { digest, maybe, shortName, text, unique } from './words.ts';

const id = maybe(shortName()).describe(
  "Short name in tables, unique in the file. Default: the last part of the model's name.",
);

const template = maybe(text()).describe(
  'Path of a chat template (Jinja), or of a folder with the files of a tokenizer, relative to this file. Default: the template that comes with the model.',
);

const templateKwargs = z
  .record(z.string(), z.json())
  .default({})
  .describe('Switches of the chat template, such as enable_thinking.');

const reasoning = z
  .enum(['keep', 'strip', 'template'])
  .default('keep')
  .describe(
    'What of an answer stands before the user turn: all of it, as it was generated (keep); or, as an ablation, the ' +
      'answer rendered anew without its reasoning (strip), or with what the chat template makes of it (template).',
  );

const localModel = z
  .strictObject({
    local: text().describe(
      'A model uturn fetches and runs on this machine, such as smollm2-135m, or the path of a .gguf file.',
    ),
    id,
    template,
    template_kwargs: templateKwargs,
    reasoning,
    concurrency: concurrency.default(4),
    timeout_s: timeout,
    prices,
  })
  .transform((model) => ({ ...model, id: model.id ?? idFrom(model.local) }));

const urlModel = z
  .strictObject({
    url: address.describe(
      'Base address of an OpenAI-compatible server, /v1 included. It must offer completions, not only chat.',
    ),
    model: text().describe("The model's name on that server."),
    id,
    weights: maybe(digest()).describe(
      'SHA-256 that stands for the weights. With it results are shared by all runs on the same weights, wherever served.',
    ),
    dtype: maybe(text()).describe('Number format of the weights, such as bfloat16, where the server does not say.'),
    template,
    template_kwargs: templateKwargs,
    reasoning,
    api_key_env: apiKeyEnv,
    concurrency: concurrency.default(32),
    timeout_s: timeout,
    prices,
  })
  .transform((model) => ({ ...model, id: model.id ?? idFrom(model.model) }));

const servedModel = z
  .strictObject({
    serve: text().describe(
      'A model that uturn serves with vLLM: the folder of its files, or its name on the hub with its `revision`.',
    ),
    revision: maybe(text()).describe(
      'With a name on the hub: the full hash of a commit, 40 characters of 0-9 and a-f.',
    ),
    lora: maybe(text()).describe(
      'Folder of a LoRA adapter: the model is measured with it. Entries that differ in nothing else share one server.',
    ),
    id,
    dtype: maybe(text()).describe(
      'Number format to compute in, such as bfloat16. Default: the one in the config.json of the model.',
    ),
    tensor_parallel: z.int().min(1).max(64).default(1).describe('GPUs that share the weights of the model.'),
    max_model_len: maybe(z.int().min(1)).describe(
      'Most tokens of prompt and turn together. Default: what the model can.',
    ),
    batch_invariant: z
      .boolean()
      .default(false)
      .describe(
        'Starts vLLM in its batch-invariant mode: turns do not depend on what else it works on, at a price in speed. Part of the results’ identity.',
      ),
    args: z
      .array(text())
      .check(noneOfOurs)
      .default([])
      .describe(
        'Further options of vLLM, one per element, such as "--gpu-memory-utilization=0.8". They are part of the results’ identity.',
      ),
    template,
    template_kwargs: templateKwargs,
    reasoning,
    concurrency: concurrency.default(64),
    timeout_s: timeout,
    prices,
  })
  .transform((model) => ({ ...model, id: model.id ?? idFrom(model.lora ?? model.serve) }));

export const models = z
  .array(
    z.union([localModel, urlModel, servedModel]).describe('Either `local:`, or `url:` with `model:`, or `serve:`.'),
  )
  .min(1)
  .check(
    unique(
      (model: { id?: unknown }) => model.id,
      (name, first) => ({
        message: `a second model with the id ${name}; the first is models[${first}].`,
        advice: 'Give one of them another `id`.',
      }),
    ),
  )
  .describe('Models to measure, such as `- local: smollm2-135m`.');

export type ModelSpec = z.output<typeof models>[number];
export type ServedSpec = Extract<ModelSpec, { serve: string }>;
export type ReachableSpec = Exclude<ModelSpec, ServedSpec>;

function idFrom(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const plain = last
    .replace(/\.gguf$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 64);
  return plain === '' ? 'model' : plain;
}
