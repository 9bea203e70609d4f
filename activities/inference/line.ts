// A line to one server: calls with their retries, and what to say where it lacks the model or the path.
import { ConfigProblem } from '../../domain/problems.ts';
import type { Metrics } from '../metrics.ts';
import { measuredWire } from './measured.ts';
import { type Asked, failureOf, modelsReply, readReply, said, saysNoModel, shown, succeeded } from './reply.ts';
import { type Done, defaultPolicy, type RetryPolicy, type Tried, withRetries } from './retry.ts';
import type { Room } from './room.ts';
import { type Call, openWire, type Reply, transportFault, type Wire } from './wire.ts';

export type LineOptions = {
  /** With or without `/v1` at its end. */
  url: string;
  model: string;
  apiKey: string | null;
  /** For one request, from sending to the last byte. */
  timeoutMs: number;
  /** Hears how every try to generate ended. */
  room?: Room;
  policy?: RetryPolicy;
  /** Told of every exchange. */
  metrics?: Metrics | undefined;
  /** 0 ≤ x < 1: spreads the waits. */
  random: () => number;
};

export type Line = {
  readonly asked: Asked;
  readonly wire: Wire;
  /** Tells the room, where there is one, how a try to generate ended; returns it. */
  heard<T>(tried: Tried<T>): Tried<T>;
  /** Tries as often as the policy says; counts the tries that reached the server. */
  tries<T>(once: () => Promise<Tried<T>>, signal: AbortSignal): Promise<Done<T>>;
  /** One call with its retries. `read` sees every reply that is no transport fault. */
  ask<T>(call: Call, read: (reply: Reply) => Promise<Tried<T>> | Tried<T>, signal?: AbortSignal): Promise<Done<T>>;
  /** What `/v1/models` lists; null where there is no such path. */
  listed(signal?: AbortSignal): Promise<Served[] | null>;
  /** The same. @throws ConfigProblem  there is no such path */
  served(signal?: AbortSignal): Promise<Served[]>;
  /** Why this path was answered 404: the model is not served there, or the path is not. */
  notFound(path: string, reply: Reply, signal?: AbortSignal): Promise<ConfigProblem>;
};

type Served = ReturnType<typeof modelsReply.parse>['data'][number];

const never = new AbortController().signal;

/** @throws ConfigProblem  the address is none, or holds a password or a query */
export function openLine(opts: LineOptions): Line {
  const wire = measuredWire(openWire(opts), opts);
  const asked: Asked = { url: opts.url.replace(/\/+$/, ''), model: opts.model, apiKey: opts.apiKey };
  const { random, policy = defaultPolicy } = opts;

  const tries: Line['tries'] = (once, signal) => withRetries(once, { policy, random, signal });

  const ask: Line['ask'] = (call, read, signal = never) =>
    tries(async () => {
      const reply = await wire.send(call, signal).catch((error: unknown) => {
        if (signal.aborted) throw signal.reason;
        return transportFault(error, asked.url);
      });
      return 'error' in reply ? { fault: reply } : read(reply);
    }, signal);

  const listed: Line['listed'] = async (signal) => {
    const read = (reply: Reply): Tried<{ data: Served[] } | null> => {
      if (succeeded(reply)) return readReply(modelsReply, reply, asked);
      return reply.status === 404 ? { value: null } : failureOf(reply, asked);
    };
    const { value } = await ask({ method: 'GET', path: '/v1/models' }, read, signal);
    return value?.data ?? null;
  };

  const served: Line['served'] = async (signal) => {
    const models = await listed(signal);
    if (models === null) throw notOpenAi(asked);
    return models;
  };

  return {
    asked,
    heard: (tried) => opts.room?.heard(tried) ?? tried,
    wire,
    tries,
    ask,
    listed,
    served,
    async notFound(path, reply, signal) {
      const models = (await served(signal)).map((entry) => entry.id);
      if (!models.includes(asked.model)) return notServed(asked, models);
      return saysNoModel(reply, asked) ? notOpenToUs(asked, reply) : noSuchPath(asked, path);
    },
  };
}

export function notServed(asked: Asked, models: string[]): ConfigProblem {
  const named = models.slice(0, 10).map(shown).join(', ') || 'nothing';
  const more = models.length > 10 ? ` and ${models.length - 10} more` : '';
  return new ConfigProblem(`the server at ${asked.url} does not serve ${asked.model}; it serves ${named}${more}`, {
    advice: 'Name one of its models in the config, or start the server with this one.',
  });
}

function notOpenToUs(asked: Asked, reply: Reply): ConfigProblem {
  return new ConfigProblem(`${asked.url} lists ${asked.model}, but says: ${said(reply, asked)}`, {
    advice: 'Ask for access to it, or name another of its models.',
  });
}

function noSuchPath(asked: Asked, path: string): ConfigProblem {
  const advice = path.endsWith('/chat/completions')
    ? 'A judge is asked by the chat API, as vLLM and hosted models have it.'
    : 'A server that only chats cannot be asked for a user turn: it needs raw completions, as vLLM and llama.cpp have them.';
  return new ConfigProblem(`the server at ${asked.url} serves ${asked.model}, but has no ${path}`, { advice });
}

function notOpenAi(asked: Asked): ConfigProblem {
  return new ConfigProblem(`${asked.url} has no /v1/models, so it is no OpenAI-compatible server`, {
    advice: 'Give its address up to, or with, /v1.',
  });
}
