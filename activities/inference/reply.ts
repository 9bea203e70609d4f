// What a model server's reply means: a value, a fault worth another try, or the end of it.
import { z } from 'zod';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { fieldName, shown as shownValue, valueAt } from '../../domain/spec/field.ts';
import { type Completion, RequestRefused, type ServedModel } from './completion.ts';
import { type Fault, retryAfterMs, type Tried } from './retry.ts';
import type { Reply } from './wire.ts';

/** Who was asked. The key is known here only to be kept out of messages. */
export type Asked = { url: string; model: string; apiKey: string | null };

/** Thousands in a reply: looked at in one go, for zod takes a microsecond for each. */
const tokenIds = z.custom<number[]>((value) => Array.isArray(value) && value.every(isTokenId));
const isTokenId = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const ids = tokenIds.nullish();
const counts = z.object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() });

const completionReply = z.object({
  choices: z
    .array(z.object({ text: z.string(), finish_reason: z.string(), token_ids: ids, prompt_token_ids: ids }))
    .min(1),
  prompt_token_ids: ids,
  usage: counts.nullish(),
});

const uturnBlock = z.object({
  weights: z.string(),
  dtype: z.string(),
  engine: z.object({ name: z.string(), version: z.string() }),
  template: z.string(),
  bos_token: z.string(),
  eos_token: z.string(),
});

export const modelsReply = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      owned_by: z.string().nullish().catch(null),
      max_model_len: z.int().positive().nullish().catch(null),
      uturn: uturnBlock.nullish().catch(null),
    }),
  ),
});

/** Null: llama.cpp's own `/tokenize`, which reads another field and answers with no tokens and no count. */
export const tokensReply = z.union([
  z.object({ count: z.int(), tokens: tokenIds }).transform(({ tokens }) => tokens),
  z.object({ tokens: z.array(z.unknown()), count: z.undefined().optional() }).transform(() => null),
]);

/** vLLM says `prompt`, SGLang `text`. */
export const textReply = z.union([
  z.object({ prompt: z.string() }).transform(({ prompt }) => prompt),
  z.object({ text: z.string() }).transform(({ text }) => text),
]);

/** Words for the end of a turn that servers use beside `stop`. */
const STOPPED = new Set(['stop', 'eos', 'eos_token', 'stop_sequence']);

/** Characters of the longest token that a vocabulary might have; those known stop at a few hundred. */
const LONGEST_TOKEN = 1_000;

/**
 * The completion, or the item's fault where it is shorter than its limit and yet was cut off.
 * @throws RequestRefused  the server filtered the completion
 */
export function completionOf(reply: Reply, at: { asked: Asked; maxTokens: number }): Tried<Completion> {
  const { asked, maxTokens } = at;
  const read = readReply(completionReply, reply, asked);
  if ('fault' in read) return read;
  const { choices, usage, prompt_token_ids } = read.value;
  const choice = choices[0];
  if (choice === undefined) return foreignReply(asked, 'choices[0] is missing');
  if (choice.finish_reason === 'content_filter')
    throw new RequestRefused('refused', `${asked.url} filtered this completion`);
  // `abort`, `error` …: the server gave up half-way, and what it has so far is no turn.
  const finish = STOPPED.has(choice.finish_reason) ? 'stop' : choice.finish_reason;
  if (finish !== 'stop' && finish !== 'length')
    return badReply(asked, `a completion that ended with ${shownValue(choice.finish_reason)}`);
  if (choice.text.length > LONGEST_TOKEN * maxTokens)
    return badReply(asked, `${choice.text.length} characters for at most ${maxTokens} tokens`);

  const generated = choice.token_ids ?? null;
  const promptIds = choice.prompt_token_ids ?? prompt_token_ids ?? null;
  const prompt = usage?.prompt_tokens ?? promptIds?.length;
  const completion = usage?.completion_tokens ?? generated?.length;
  if (prompt === undefined || completion === undefined) return foreignReply(asked, 'usage is missing');
  if (finish === 'length' && completion < maxTokens) return cutShort(asked, { completion, maxTokens });
  return { value: { text: choice.text, finish, ids: generated, promptIds, usage: { prompt, completion } } };
}

/** vLLM lowers `max_tokens` to what its context has left, and says nothing of it. */
function cutShort({ url }: Asked, { completion, maxTokens }: { completion: number; maxTokens: number }) {
  const message = `${url} cut the completion off after ${completion} of ${maxTokens} tokens: its context is full, or it has a limit of its own`;
  const error = new RequestRefused('context_length', message);
  return { fault: { error, askedMs: null, reached: 'server', next: 'give_up' } } as const;
}

export type ModelEntry = z.infer<typeof modelsReply>['data'][number];

export const versionReply = z.object({ version: z.string().min(1) });

/** A flag is true or 1, as the version of vLLM has it. */
export const serverInfoReply = z.object({
  vllm_env: z.object({
    VLLM_BATCH_INVARIANT: z
      .union([z.boolean(), z.int(), z.string()])
      .transform((flag) => /^(true|1)$/i.test(`${flag}`)),
  }),
});

export function servedModel(entry: ModelEntry, vllm: string | null): ServedModel {
  const uturn = entry.uturn ?? null;
  const engine = uturn?.engine ?? (vllm === null ? null : { name: 'vllm', version: vllm });
  return { id: entry.id, max_model_len: entry.max_model_len ?? null, engine, uturn };
}

/** A reply of the expected shape, or the server's fault: what was cut off, or sent in place of a reply, may be whole next time. */
export function readReply<T>(schema: z.ZodType<T>, reply: Reply, asked: Asked): Tried<T> {
  if (reply.text === null) return badReply(asked, 'bytes that are no UTF-8');
  const value = json(reply.text);
  if (value === undefined) return badReply(asked, `${reply.text.length} characters that are no JSON`);
  return readValue(schema, value, asked);
}

/** The same, of a reply's JSON. */
export function readValue<T>(schema: z.ZodType<T>, value: unknown, asked: Asked): Tried<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  if (!errorShape.safeParse(value).success) return foreignReply(asked, lackIn(parsed.error, value));
  const words = said({ status: 200, headers: {}, text: JSON.stringify(value) }, asked);
  return tryAgain(new WorldProblem('server_error', `${asked.url} answered 200 with an error: ${words}`));
}

/** The first field that is not as it should be. */
function lackIn({ issues }: z.ZodError, value: unknown): string {
  const path = issues[0]?.path ?? [];
  if (path.length === 0) return `it is ${shownValue(value)}`;
  const found = valueAt(value, path);
  return found === undefined ? `${fieldName(path)} is missing` : `${fieldName(path)} is ${shownValue(found)}`;
}

/**
 * What a reply without success means. 404 is the caller's to explain. A fault's error is a RequestRefused for any other
 * 4xx, for the same request would be refused again.
 * @throws ConfigProblem  refused key, redirect
 */
export function failureOf(reply: Reply, asked: Asked): { fault: Fault } {
  const { status, headers } = reply;
  if (status < 400) throw redirected(reply, asked);
  if (status === 401 || status === 403) throw keyRefused(status, asked);
  const next = retriable(reply) ? 'another_try' : 'give_up';
  const error = errorOf(reply, asked);
  return { fault: { error, askedMs: retryAfterMs(headers, Date.now()), reached: 'server', next } };
}

export function succeeded(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

/** Characters of an error's body that are looked at. */
const LONGEST_READ = 100_000;

/** Some gateways say so with a status of 200. */
const errorShape = z.object({ error: z.union([z.string().min(1), z.looseObject({ message: z.string() })]) });

/** What the server said, shortened, without control characters and without our key. */
export function said(reply: Reply, asked: Asked): string {
  const shapes = z.union([
    z.object({ error: z.object({ message: z.string() }) }).transform((it) => it.error.message),
    z.object({ error: z.string() }).transform((it) => it.error),
    z.object({ message: z.string() }).transform((it) => it.message),
    z
      .object({ detail: z.unknown() })
      .transform((it) => (typeof it.detail === 'string' ? it.detail : JSON.stringify(it.detail))),
  ]);
  const parsed = shapes.safeParse(json(reply.text));
  const text = parsed.success ? parsed.data : (reply.text ?? '').slice(0, LONGEST_READ);
  const open = asked.apiKey ? text.replaceAll(asked.apiKey, '***') : text;
  return shown(open);
}

/** Whether the server says that it has no such model, rather than no such path. */
export function saysNoModel(reply: Reply, asked: Asked): boolean {
  return /model\b.*\bdoes not exist|model_not_found/i.test(said(reply, asked));
}

/** A server's words as a person may see them: on one line, not too long, nothing a terminal would obey. */
export function shown(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return clean.length > 300 ? `${clean.slice(0, 300).toWellFormed()}…` : clean;
}

function retriable({ status, headers }: Reply): boolean {
  const wish = headers['x-should-retry'];
  if (wish === 'true') return true;
  if (wish === 'false') return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function errorOf(reply: Reply, asked: Asked): Fault['error'] {
  const { status } = reply;
  const message = `${asked.url} answered ${status}: ${said(reply, asked) || 'nothing more'}`;
  if (status === 429) return new WorldProblem('overloaded', message);
  if (status === 408 || status === 409 || status >= 500) return new WorldProblem('server_error', message);
  return new RequestRefused(tooLong(reply) ? 'context_length' : 'refused', message);
}

function tooLong(reply: Reply): boolean {
  // The last one is vLLM's where the prompt fills the context to the last token.
  return /context.?(length|window)|max_model_len|maximum (model|prompt|input) length|prompt.{0,40}too long|max_tokens must be at least 1, got 0/i.test(
    (reply.text ?? '').slice(0, LONGEST_READ),
  );
}

/** Sent by a server that may do better next time. */
export function badReply(asked: Asked, what: string): { fault: Fault } {
  return tryAgain(new WorldProblem('bad_reply', `${asked.url} answered with ${what}`));
}

/** Whole, but another API's, or another version's: it names the field, for whoever runs the server. */
function foreignReply(asked: Asked, lack: string): { fault: Fault } {
  const what = asked.apiKey === null ? lack : lack.replaceAll(asked.apiKey, '***');
  return tryAgain(
    new WorldProblem('foreign_reply', `${asked.url} answers, but not as an OpenAI-compatible server does: ${what}`),
  );
}

function tryAgain(error: WorldProblem): { fault: Fault } {
  return { fault: { error, askedMs: null, reached: 'server', next: 'another_try' } };
}

// A server's own words are left out here: some repeat the key, or most of it.
function keyRefused(status: number, asked: Asked): ConfigProblem {
  const key = asked.apiKey === null ? 'asks for a key, and none is given' : 'refused the key';
  return new ConfigProblem(`the model server at ${asked.url} ${key} (${status})`, {
    advice:
      'Name the environment variable that holds its key beside the address (`api_key_env`), and set it where the worker starts.',
  });
}

function redirected(reply: Reply, asked: Asked): ConfigProblem {
  const { location } = reply.headers;
  const target = typeof location === 'string' ? URL.parse(location, asked.url) : null;
  const where = target === null ? 'elsewhere' : `to ${target.origin}${target.pathname}`;
  return new ConfigProblem(`${asked.url} redirects ${where} (${reply.status}), where the key is not sent after it`, {
    advice: 'Give the final address in the config.',
  });
}

function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
