// Client of one model server: OpenAI-compatible completions in vLLM's dialect, with its tokenizer endpoints.
import pLimit from 'p-limit';
import type { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import { type Completion, type CompletionRequest, type ModelServer, RequestRefused } from './completion.ts';
import { type LineOptions, notServed, openLine } from './line.ts';
import {
  completionOf,
  failureOf,
  readReply,
  saysNoModel,
  servedModel,
  serverInfoReply,
  succeeded,
  textReply,
  tokensReply,
  versionReply,
} from './reply.ts';
import type { Tried } from './retry.ts';
import type { Call, Reply } from './wire.ts';

/** Questions about tokens in flight, which do not wait until a completion is through. */
const tokensAtOnce = 32;

/**
 * A client for the server; nothing is sent yet. Beside what `ModelServer` says: an aborted call throws its signal's
 * reason, and a text that the tokenizer refuses is a RequestRefused, like a prompt.
 * @throws ConfigProblem  the address is none, or holds a password or a query
 */
export function modelServer(opts: LineOptions): ModelServer {
  const { asked, ask, served, notFound, heard } = openLine(opts);
  const atOnce = pLimit(tokensAtOnce);

  /** A question to one of vLLM's own endpoints; null, from then on, where the server has no such thing. */
  const optional = <T>(path: string, schema: z.ZodType<T | null>) => {
    const known = { missing: false };
    return async (body: Record<string, unknown>): Promise<T | null> => {
      if (known.missing) return null;
      const read = async (reply: Reply) => {
        if (succeeded(reply)) return readReply(schema, reply, asked);
        if (reply.status === 404 && saysNoModel(reply, asked)) throw await notFound(path, reply);
        return NO_SUCH_PATH.has(reply.status) ? { value: null } : failureOf(reply, asked);
      };
      const call: Call = { method: 'POST', path, body: { model: asked.model, ...body } };
      const { value } = await atOnce(() => ask<T | null>(call, read));
      known.missing ||= value === null;
      return value;
    };
  };
  /** vLLM's own version; null where it keeps that to itself. */
  const vllmVersion = async (): Promise<string | null> => {
    const read = (reply: Reply): Tried<string | null> => {
      if (!succeeded(reply)) return { value: null };
      const said = readReply(versionReply, reply, asked);
      return 'fault' in said ? said : { value: said.value.version };
    };
    return (await ask<string | null>({ method: 'GET', path: '/version' }, read)).value;
  };

  /** What vLLM was started with, which it tells in its development mode alone. */
  const batchInvariant = async (): Promise<boolean | null> => {
    const read = (reply: Reply): Tried<boolean | null> => {
      const said = succeeded(reply) ? readReply(serverInfoReply, reply, asked) : { fault: null };
      return { value: 'fault' in said ? null : said.value.vllm_env.VLLM_BATCH_INVARIANT };
    };
    return (await ask<boolean | null>({ method: 'GET', path: '/server_info' }, read)).value;
  };

  const tokens = optional('/tokenize', tokensReply);
  const text = optional('/detokenize', textReply);

  return {
    url: asked.url,
    async complete(request, signal) {
      const call: Call = { method: 'POST', path: '/v1/completions', body: completionBody(asked.model, request) };
      const read = async (reply: Reply): Promise<Tried<Completion>> => {
        if (succeeded(reply)) return heard(completionOf(reply, { asked, maxTokens: request.max_tokens }));
        if (reply.status === 404 || reply.status === 405) throw await notFound(call.path, reply, signal);
        return heard(failureOf(reply, asked));
      };
      const { value, requests, away } = await ask(call, read, signal);
      return { completion: value, requests, away };
    },
    async tokenize(prompt) {
      return tokens({ prompt, add_special_tokens: false });
    },
    async detokenize(ids) {
      return text({ tokens: ids });
    },
    async renderChat(messages, { generation, kwargs }) {
      try {
        const rendered = await tokens({
          messages,
          add_generation_prompt: generation === 'assistant',
          continue_final_message: false,
          add_special_tokens: false,
          chat_template_kwargs: kwargs,
        });
        return rendered && (await text({ tokens: rendered }));
      } catch (problem) {
        if (problem instanceof RequestRefused) return noRendering(problem);
        throw problem;
      }
    },
    async describe() {
      const models = await served();
      const found = models.find((entry) => entry.id === asked.model);
      if (found) return servedModel(found, found.owned_by === 'vllm' ? await vllmVersion() : null);
      const names = models.map((entry) => entry.id);
      throw notServed(asked, names);
    },
    batchInvariant,
  };
}

const NO_SUCH_PATH = new Set([404, 405, 501]);

/** Everything that decides a sample is said, so that no server's or model's default can. */
function completionBody(model: string, request: CompletionRequest): Record<string, unknown> {
  const { prompt, max_tokens, temperature, seed, stop_token_ids, stop, sampling } = request;
  return {
    model,
    prompt,
    max_tokens,
    temperature,
    seed,
    stop_token_ids,
    stop,
    ...sampling,
    n: 1,
    stream: false,
    return_token_ids: true,
    skip_special_tokens: false,
    spaces_between_special_tokens: false,
    // vLLM puts a BOS before text prompts unless told not to; ours hold what the template put there.
    add_special_tokens: false,
    // Left out, it is the server's own setting.
    watermarking: false,
  };
}

const NO_TEMPLATE =
  /must provide a chat template|no chat templates?|chat template is not|prompt.{0,30}(required|missing)/i;

/** Null for a server without a template (or without `messages`); any other refusal is about these messages. */
function noRendering(refused: RequestRefused): null {
  if (NO_TEMPLATE.test(refused.message)) return null;
  throw new ConfigProblem(`the chat template cannot be applied: ${refused.message}`, {
    advice: 'Some templates refuse a system message, or two turns of one side in a row.',
    cause: refused,
  });
}
