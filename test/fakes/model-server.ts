// A model server that is none: vLLM's completions API over made-up replies, for tests and benchmarks.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ServedModel } from '../../activities/inference/completion.ts';
import { completionRequest, type Dialect, type Generation, generate, promptIdsOf } from './completions.ts';
import { detokenizeReply, type ModelCard, modelsReply, tokenizeReply } from './endpoints.ts';
import { type FaultRuleInput, faultOf, faultRule } from './faults.ts';
import { badRequest, bodyOf, notFound, outOfContext, type Refusal, refuse, send, sendFault } from './replies.ts';
import { countIn, countServed, freshStats, type Stats } from './stats.ts';
import { plainWorld, type World } from './world.ts';

export type FakeOptions = {
  /** 0: any free one. */
  port?: number;
  model?: string;
  adapters?: string[];
  /** What `/version` says; without it there is no such path. */
  version?: string;
  /** What `/server_info` says of the mode, as vLLM's development mode does; without it there is no such path. */
  batchInvariant?: boolean;
  dialect?: Dialect;
  latencyMs?: number;
  /** Null: as fast as latency allows. */
  tokensPerSecond?: number | null;
  /** Asked for on every path but `/health` and the control paths. */
  apiKey?: string | null;
  contextLength?: number;
  world?: {
    answers?: Partial<World['answers']>;
    user?: Partial<World['user']>;
    key?: World['key'];
    said?: World['said'];
  };
  faults?: FaultRuleInput[];
  /** Of the faults' rates. */
  seed?: number;
  /** What `/v1/models` says as our own local server would. */
  uturn?: ServedModel['uturn'];
};

export type FakeServer = {
  url: string;
  port: number;
  model: string;
  /** A copy, as of now. */
  stats(): Stats;
  /** From the next request on; numbers in `at` count from the start, or from the last `reset`. */
  setFaults(faults: FaultRuleInput[]): void;
  /** Counts and request numbers start anew; what is in flight is counted no more. */
  reset(): void;
  /** Cuts what is in flight. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts a server on 127.0.0.1. Its replies depend on nothing but the request, so a repeated one gets the same answer. */
export async function startFakeServer(opts: FakeOptions = {}): Promise<FakeServer> {
  const fake = fakeModel(opts);
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, fake.handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: opts.port ?? 0, host: '127.0.0.1', backlog: 4_096 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const { model, stats, setFaults, reset } = fake;
  return { url: `http://127.0.0.1:${port}`, port, model, stats, setFaults, reset, stop, [Symbol.asyncDispose]: stop };
}

function fakeModel(opts: FakeOptions) {
  const card: ModelCard = {
    model: opts.model ?? 'fake-chat',
    adapters: opts.adapters ?? [],
    dialect: opts.dialect ?? 'vllm',
    contextLength: opts.contextLength ?? 32_768,
    uturn: opts.uturn ?? null,
  };
  const timing = { latencyMs: opts.latencyMs ?? 0, tokensPerSecond: opts.tokensPerSecond ?? null };
  const world = worldOf(opts.world);
  const state = { rules: z.array(faultRule).parse(opts.faults ?? []), stats: freshStats() };

  const setFaults = (faults: unknown) => {
    state.rules = z.array(faultRule).parse(faults);
  };
  const reset = () => {
    state.stats = freshStats();
  };

  const complete = async (request: IncomingMessage, response: ServerResponse) => {
    const counted = arrived(state.stats, response);
    const number = counted.stats.received;
    const made = completion(await bodyOf(request), card, world);
    const question = 'question' in made ? made.question : '';
    if ('request' in made) countIn(counted.stats.tries, made.request);
    const inFlight = counted.stats.in_flight;
    const rule = faultOf({ number, question, inFlight }, state.rules, opts.seed ?? 0);
    if (rule === null || !('over' in rule.when)) await wait(delayMs(made, timing));
    if (response.closed) return;
    if (rule) {
      counted.as('fault');
      countIn(counted.stats.faults, rule.fault);
      sendFault(response, rule, 'body' in made ? made.body : {});
      return;
    }
    if (!('body' in made)) {
      counted.as('refused');
      return refuse(response, made);
    }
    response.once('finish', () => {
      counted.as('served');
      countServed(counted.stats, made);
    });
    send(response, 200, made.body);
  };

  const paths: Record<string, (body: unknown) => unknown> = {
    'GET /health': () => ({}),
    'GET /v1/models': () => modelsReply(card),
    ...(opts.version !== undefined && { 'GET /version': () => ({ version: opts.version }) }),
    ...(opts.batchInvariant !== undefined && {
      'GET /server_info': () => ({ vllm_config: '', vllm_env: { VLLM_BATCH_INVARIANT: opts.batchInvariant } }),
    }),
    'GET /__stats': () => state.stats,
    'POST /__faults': (body) => setFaults(body),
    'POST /__reset': () => reset(),
    ...(card.dialect === 'vllm' && {
      'POST /tokenize': (body: unknown) => tokenizeReply(body, card),
      'POST /detokenize': (body: unknown) => detokenizeReply(body),
    }),
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const open = path === '/health' || path.startsWith('/__');
    if (!open) countIn(state.stats.calls, path);
    if (!open && opts.apiKey && request.headers.authorization !== `Bearer ${opts.apiKey}`) {
      return send(response, 401, { error: 'Unauthorized' });
    }
    const route = `${request.method} ${path}`;
    if (route === 'POST /v1/completions') return complete(request, response);
    const answer = paths[route];
    if (answer === undefined) return send(response, 404, { detail: 'Not Found' });
    try {
      send(response, 200, answer(request.method === 'POST' ? await bodyOf(request) : null) ?? {});
    } catch (error) {
      refuse(response, badRequest(error));
    }
  };

  return {
    model: card.model,
    // A client that leaves while its request is read is no failure of ours.
    handle: (request: IncomingMessage, response: ServerResponse) =>
      void handle(request, response).catch(() => response.destroy()),
    stats: () => structuredClone(state.stats),
    setFaults,
    reset,
  };
}

/** Counts a request in, and, when its connection has ended, out under the outcome it was given. */
function arrived(stats: Stats, response: ServerResponse) {
  stats.received += 1;
  stats.in_flight += 1;
  stats.max_in_flight = Math.max(stats.max_in_flight, stats.in_flight);
  let outcome: 'abandoned' | 'refused' | 'fault' | 'served' = 'abandoned';
  response.once('close', () => {
    stats.in_flight -= 1;
    if (outcome === 'abandoned' || outcome === 'refused') stats[outcome] += 1;
  });
  const as = (known: typeof outcome) => {
    outcome = known;
  };
  return { stats, as };
}

function completion(body: unknown, card: ModelCard, world: World): Generation | Refusal {
  const parsed = completionRequest.safeParse(body);
  if (!parsed.success) return badRequest(parsed.error);
  const asked = parsed.data;
  if (asked.model !== card.model && !card.adapters.includes(asked.model)) return notFound(asked.model);
  const promptIds = promptIdsOf(asked, card.dialect);
  const prompt = promptIds.length;
  const refusal = outOfContext(card.contextLength, { prompt, maxTokens: asked.max_tokens });
  if (refusal !== null) return refusal;
  // As vLLM: a limit that does not fit is lowered, and nobody is told.
  const room = Math.min(asked.max_tokens, card.contextLength - prompt);
  return generate({ ...asked, max_tokens: room }, { promptIds, world, dialect: card.dialect });
}

function delayMs(made: Generation | Refusal, timing: { latencyMs: number; tokensPerSecond: number | null }): number {
  if (timing.tokensPerSecond === null || !('ids' in made)) return timing.latencyMs;
  return timing.latencyMs + (made.ids.length / timing.tokensPerSecond) * 1_000;
}

function worldOf(opts: FakeOptions['world'] = {}): World {
  return {
    answers: { ...plainWorld.answers, ...opts.answers },
    user: { ...plainWorld.user, ...opts.user },
    key: opts.key ?? plainWorld.key,
    said: opts.said ?? plainWorld.said,
  };
}
