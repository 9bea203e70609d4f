// Client of one model behind OpenAI's chat API: the API's own client for shapes, our wire for everything on the way.
import OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { Message } from '../../domain/data/item.ts';
import type { ConfigProblem } from '../../domain/problems.ts';
import { type LineOptions, notServed, openLine } from '../inference/line.ts';
import { badReply, failureOf, succeeded } from '../inference/reply.ts';
import type { Tried } from '../inference/retry.ts';
import { transportFault, type Wire } from '../inference/wire.ts';
import { type ChatReply, type Counted, chatReplyOf, countTokens, refusedSetting } from './reply.ts';

/** Null: not sent, for models that refuse it. */
export type ChatSettings = {
  temperature: number | null;
  max_tokens: number;
  /** The name under which the limit goes: newer hosted models refuse the older one, some servers know only that. */
  max_tokens_as: 'max_completion_tokens' | 'max_tokens';
  reasoning_effort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  /** Further fields of the request, as they stand, such as vLLM's `chat_template_kwargs`. */
  extra_body: Record<string, unknown>;
};

/** `json_schema`: the server holds the reply to this schema, where it can. */
export type ReplyFormat =
  | { type: 'json_schema'; name: string; schema: Record<string, unknown> }
  | { type: 'json_object' }
  | { type: 'text' };

export type ChatRequest = ChatSettings & { messages: Message[]; seed: number | null; format: ReplyFormat };

/** A model reached by chat. Calls throw WorldProblem, ConfigProblem, RequestRefused, or their signal's reason. */
export type ChatModel = {
  readonly url: string;
  /**
   * One reply; retries inside, as for completions.
   * @throws WorldProblem   what the last try met: `unreachable`, `overloaded`, `server_error`, `timeout`, `cut`, `bad_reply`
   * @throws ConfigProblem  refused key, unknown model, no chat API, a setting the model refuses, a used-up account
   * @throws RequestRefused these messages are refused (`context_length`, `refused`)
   */
  chat(request: ChatRequest, signal: AbortSignal, counted?: Counted): Promise<{ reply: ChatReply; requests: number }>;
  /** Asks for the model without generating anything. @throws ConfigProblem as above; @throws WorldProblem nobody answers */
  look(): Promise<void>;
};

const path = '/v1/chat/completions';

/** @throws ConfigProblem  the address is none, or holds a password or a query */
export function chatModel(opts: LineOptions): ChatModel {
  const line = openLine(opts);
  const { asked } = line;
  const client = clientOver(line.wire, opts.timeoutMs);

  /** What the client met: our own wire's news, or a body that is no JSON. */
  const failed = async <T>(error: unknown, signal: AbortSignal): Promise<Tried<T>> => {
    if (signal.aborted) throw signal.reason;
    if (error instanceof SyntaxError) return badReply(asked, 'something that is no JSON');
    const news = error instanceof Error ? error.cause : null;
    if (!(news instanceof WireNews)) throw error;
    const { reply } = news;
    if (reply === null) return { fault: transportFault(news.cause, asked.url) };
    if (reply.status === 404 || reply.status === 405) throw await line.notFound(path, reply, signal);
    throwIfOurs(refusedSetting(reply, asked));
    return failureOf(reply, asked);
  };

  return {
    url: asked.url,
    async chat(request, signal, counted = () => {}) {
      const once = async (): Promise<Tried<ChatReply>> => {
        let body: unknown;
        try {
          body = await client.chat.completions.create(requestBody(asked.model, request), { signal });
        } catch (error) {
          return failed(error, signal);
        }
        countTokens(body, counted);
        return chatReplyOf(body, asked);
      };
      const { value, requests } = await line.tries(async () => line.heard(await once()), signal);
      return { reply: value, requests };
    },
    async look() {
      const models = await line.listed();
      // A chat API need not list what it has.
      if (models === null || models.some(({ id }) => id === asked.model)) return;
      // Other names for a model are not listed, but known.
      const one = `/v1/models/${asked.model.split('/').map(encodeURIComponent).join('/')}`;
      const known = await line.ask({ method: 'GET', path: one }, (reply) =>
        [404, 405, 501].includes(reply.status) || succeeded(reply)
          ? { value: succeeded(reply) }
          : failureOf(reply, asked),
      );
      const ids = models.map(({ id }) => id);
      if (!known.value) throw notServed(asked, ids);
    },
  };
}

/** Everything that decides a reply is said, except what the model does not take. */
function requestBody(model: string, request: ChatRequest): ChatCompletionCreateParamsNonStreaming {
  const { messages, temperature, max_tokens, max_tokens_as, seed, reasoning_effort, format, extra_body } = request;
  const known: ChatCompletionCreateParamsNonStreaming = {
    ...extra_body,
    model,
    messages,
    stream: false,
    [max_tokens_as]: max_tokens,
    ...(temperature !== null && { temperature }),
    ...(seed !== null && { seed }),
    ...(reasoning_effort !== null && { reasoning_effort }),
  };
  if (format.type === 'text') return known;
  if (format.type === 'json_object') return { ...known, response_format: { type: 'json_object' } };
  const { name, schema } = format;
  return { ...known, response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } };
}

/** Carries what our wire met through the client: a reply without success, or (null) the transport's error as its cause. */
class WireNews extends Error {
  readonly reply: Awaited<ReturnType<Wire['send']>> | null;
  constructor(reply: WireNews['reply'], cause?: unknown) {
    super('news from the wire', { cause });
    this.reply = reply;
  }
}

/** The key goes out with our wire and is unknown to the client, as are all settings that its environment could hold. */
function clientOver(wire: Wire, timeoutMs: number): OpenAI {
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    if (typeof init.body !== 'string') throw new TypeError('a chat request has a text as its body');
    const call = { method: 'POST' as const, path: pathname, body: init.body };
    const signal = init.signal ?? new AbortController().signal;
    const reply = await wire.send(call, signal).catch((error: unknown) => {
      throw new WireNews(null, error);
    });
    if (!succeeded(reply)) throw new WireNews(reply);
    return new Response(reply.text, { status: 200, headers: { 'content-type': 'application/json' } });
  };
  return new OpenAI({
    apiKey: 'kept by the wire',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: 'http://wire.invalid/v1',
    maxRetries: 0,
    logLevel: 'off',
    // The wire's own limit comes first.
    timeout: timeoutMs + 60_000,
    fetch,
  });
}

function throwIfOurs(problem: ConfigProblem | null): void {
  if (problem !== null) throw problem;
}
