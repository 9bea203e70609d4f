// What the server is asked, checked: bodies of vLLM's shape. What it cannot do it refuses, never leaves out silently.
import { z } from 'zod';
import type { Order } from './generate.ts';
import type { LlamaModel } from './library.ts';

/** Answered in vLLM's error shape. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Served = { id: string; model: LlamaModel; contextSize: number };

// What some client may send by habit, and the only values at which leaving it alone is right. Null always is.
const ONLY_NEUTRAL: Record<string, unknown[]> = {
  n: [1],
  best_of: [1],
  stream: [false],
  stream_options: [],
  echo: [false],
  suffix: [''],
  logprobs: [],
  prompt_logprobs: [],
  logit_bias: [],
  min_tokens: [0],
  use_beam_search: [false],
  length_penalty: [1],
  bad_words: [],
  allowed_token_ids: [],
  truncate_prompt_tokens: [],
  include_stop_str_in_output: [false],
  response_format: [],
  watermarking: [false],
};
// Says nothing about the text that comes back.
const IGNORED = new Set(['user', 'request_id', 'priority', 'spaces_between_special_tokens', 'cache_salt']);

const ids = z.array(z.int().min(0));

const completionSchema = z.strictObject({
  model: z.string().optional(),
  prompt: z.union([z.string(), ids], 'one text or one list of token ids is expected'),
  max_tokens: z.int().min(1).default(16),
  temperature: z.number().min(0).default(1),
  // Whoever leaves the seed out wants another text each time.
  seed: z.int().default(() => Math.floor(Math.random() * 2 ** 31)),
  top_p: z.number().gt(0).max(1).default(1),
  top_k: z.int().min(-1).default(0),
  min_p: z.number().min(0).max(1).default(0),
  presence_penalty: z.number().min(-2).max(2).default(0),
  frequency_penalty: z.number().min(-2).max(2).default(0),
  repetition_penalty: z.number().gt(0).max(2).default(1),
  stop: z.union([z.string(), z.array(z.string())]).default([]),
  stop_token_ids: ids.default([]),
  ignore_eos: z.boolean().default(false),
  skip_special_tokens: z.boolean().default(true),
  add_special_tokens: z.boolean().default(true),
  return_token_ids: z.boolean().default(false),
});

const tokenizeSchema = z.strictObject({
  model: z.string().optional(),
  prompt: z.string(),
  add_special_tokens: z.boolean().default(true),
  return_token_strs: z.literal(false).optional(),
});

const detokenizeSchema = z.strictObject({ model: z.string().optional(), tokens: ids });

/** @throws Refusal  a field that is wrong or cannot be done, another model, or a prompt that does not fit */
export function completionOrder(body: unknown, served: Served): { order: Order; returnIds: boolean } {
  const asked = parse(completionSchema, withoutNeutral(body), served);
  const prompt = tokensOf(asked.prompt, asked.add_special_tokens, served);
  const room = served.contextSize - prompt.length;
  if (asked.max_tokens > room) {
    throw new Refusal(
      400,
      `The prompt has ${prompt.length} tokens and max_tokens is ${asked.max_tokens}; together they exceed this model's ` +
        `maximum context length of ${served.contextSize} tokens. Shorten the prompt or lower max_tokens.`,
    );
  }
  if (asked.repetition_penalty !== 1 && (asked.presence_penalty !== 0 || asked.frequency_penalty !== 0)) {
    throw new Refusal(
      400,
      'repetition_penalty: this server cannot combine it with presence_penalty or frequency_penalty (llama.cpp applies ' +
        'all three to the same tokens, but repetition counts the prompt and the others do not).',
    );
  }
  const order: Order = {
    prompt,
    maxTokens: asked.max_tokens,
    // vLLM's line below which a temperature means greedy; dividing by less overflows.
    temperature: asked.temperature < 1e-5 ? 0 : asked.temperature,
    seed: asked.seed,
    topP: asked.top_p,
    topK: Math.max(0, asked.top_k),
    minP: asked.min_p,
    presencePenalty: asked.presence_penalty,
    frequencyPenalty: asked.frequency_penalty,
    repetitionPenalty: asked.repetition_penalty,
    stop: [asked.stop].flat().filter((stop) => stop !== ''),
    stopTokens: asked.stop_token_ids,
    ignoreEnd: asked.ignore_eos,
    skipSpecialTokens: asked.skip_special_tokens,
  };
  return { order, returnIds: asked.return_token_ids };
}

/** @throws Refusal */
export function textToTokenize(body: unknown, served: Served): { text: string; addSpecial: boolean } {
  if (isObject(body) && 'messages' in body) {
    throw new Refusal(400, 'messages: this server applies no chat templates; send the finished text as prompt.');
  }
  const asked = parse(tokenizeSchema, withoutNeutral(body), served);
  return { text: asked.prompt, addSpecial: asked.add_special_tokens };
}

/** @throws Refusal */
export function tokensToDetokenize(body: unknown, served: Served): number[] {
  const { tokens } = parse(detokenizeSchema, withoutNeutral(body), served);
  return known(tokens, served);
}

/** Token ids of a text; special tokens written in it are recognised. `addSpecial`: with what the model wants around it. */
export function tokenize(model: LlamaModel, text: string, addSpecial: boolean): number[] {
  const tokens = model.tokenize(text, true);
  if (!addSpecial) return tokens;
  const { bos, eos, shouldPrependBosToken, shouldAppendEosToken } = model.tokens;
  if (shouldPrependBosToken && bos !== null) tokens.unshift(bos);
  if (shouldAppendEosToken && eos !== null) tokens.push(eos);
  return tokens;
}

function tokensOf(prompt: string | number[], addSpecial: boolean, served: Served): number[] {
  const tokens = typeof prompt === 'string' ? tokenize(served.model, prompt, addSpecial) : known(prompt, served);
  if (tokens.length === 0) throw new Refusal(400, 'prompt: it has no tokens; there is nothing to continue.');
  return tokens;
}

// The engine reads past its tables on an id it does not have.
function known(tokens: number[], { model }: Served): number[] {
  const size = model.fileInfo.metadata.tokenizer?.ggml.tokens.length ?? 0;
  const strange = tokens.find((token) => token >= size);
  if (strange !== undefined) throw new Refusal(400, `token ${strange} is not in the vocabulary of ${size} tokens.`);
  return tokens;
}

function parse<T extends { model?: string | undefined }>(schema: z.ZodType<T>, body: unknown, served: Served): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join('.');
    throw new Refusal(400, `${at ? `${at}: ` : ''}${issue?.message ?? 'the request is malformed'}`);
  }
  const asked = parsed.data.model;
  if (asked !== undefined && asked !== served.id) {
    throw new Refusal(404, `There is no model ${JSON.stringify(asked)} here, only ${JSON.stringify(served.id)}.`);
  }
  return parsed.data;
}

function withoutNeutral(body: unknown): unknown {
  if (!isObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([field, value]) => !canBeLeftOut(field, value)));
}

function canBeLeftOut(field: string, value: unknown): boolean {
  if (value === null || IGNORED.has(field)) return true;
  const neutral = Object.hasOwn(ONLY_NEUTRAL, field) ? ONLY_NEUTRAL[field] : undefined;
  if (!neutral) return false;
  if (neutral.includes(value) || isEmpty(value)) return true;
  throw new Refusal(400, `${field}: this server cannot do ${JSON.stringify(value)?.slice(0, 80)}; leave it out.`);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
