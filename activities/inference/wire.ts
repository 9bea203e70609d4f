// One HTTP exchange with a model server: kept-alive connections, one time limit, no redirects followed.
import { type Dispatcher, Pool } from 'undici';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import type { Fault } from './retry.ts';

/** A `body` that is a text is sent as it stands: it is JSON already. */
export type Call =
  | { method: 'GET'; path: string }
  | { method: 'POST'; path: string; body: Record<string, unknown> | string };

/** `text` is null where the body is not UTF-8. */
export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; text: string | null };

export type Wire = {
  /** One exchange. Throws the signal's reason, a WorldProblem `timeout`, or the transport's own error. */
  send(call: Call, signal: AbortSignal): Promise<Reply>;
};

export type WireOptions = { url: string; apiKey: string | null; timeoutMs: number };

const LARGEST_REPLY = 64 * 2 ** 20;

/** @throws ConfigProblem  the address is none, or holds a password or a query; the key cannot be sent */
export function openWire({ url, apiKey, timeoutMs }: WireOptions): Wire {
  const { origin, root } = addressOf(url);
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ConfigProblem(
      `the key for ${url} is empty or holds white space or other characters that no header takes`,
      {
        advice: 'Look for a line break at its end.',
      },
    );
  }
  const pool = new Pool(origin, {
    // A connection for each exchange in flight: how many those may be is up to whoever asks.
    connections: null,
    // Otherwise an https server that offers HTTP/2 would get all requests over one connection.
    allowH2: false,
    maxResponseSize: LARGEST_REPLY,
    // One limit for the whole exchange, below, in place of undici's for its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  };
  const late = () => new WorldProblem('timeout', `${url} did not answer within ${timeoutMs / 1_000} s`);
  return {
    async send(call, signal) {
      signal.throwIfAborted();
      const body = call.method === 'POST' ? bodyOf(call.body) : null;
      return exchange(
        pool,
        { method: call.method, path: root + call.path, headers, body },
        { signal, late, timeoutMs },
      );
    },
  };
}

type Limits = { signal: AbortSignal; timeoutMs: number; late(): WorldProblem };

/** By undici's own dispatch: its request and fetch make streams and signals that one short reply has no use for. */
function exchange(pool: Pool, request: Dispatcher.DispatchOptions, limits: Limits): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const chunks: Buffer[] = [];
  const head: Pick<Reply, 'status' | 'headers'> = { status: 0, headers: {} };
  let sending: Dispatcher.DispatchController | null = null;
  let over = false;

  const end = () => {
    over = true;
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', stop);
  };
  const cut = (reason: unknown) => {
    if (over) return;
    end();
    reject(reason);
    sending?.abort(givenUp);
  };
  const stop = () => cut(limits.signal.reason);
  const timer = setTimeout(() => cut(limits.late()), limits.timeoutMs);
  limits.signal.addEventListener('abort', stop, { once: true });

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      sending = controller;
      if (over) controller.abort(givenUp);
    },
    onResponseStart(_, status, headers) {
      Object.assign(head, { status, headers });
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      if (over) return;
      end();
      resolve({ ...head, text: decode(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)) });
    },
    onResponseError(_, error) {
      if (over) return;
      end();
      reject(error);
    },
  };
  try {
    pool.dispatch(request, handler);
  } catch (error) {
    end();
    throw error;
  }
  return promise;
}

const givenUp = new Error('nobody waits for this reply any more');

function bodyOf(body: Record<string, unknown> | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Nobody listens there, or whoever does went away: said by the code, for messages may hold anything. */
const NOBODY = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/;

/** @throws ConfigProblem  the server's certificate is not trusted, or it does not speak TLS */
export function transportFault(error: unknown, url: string): Fault {
  const fault = (problem: WorldProblem, reached: Fault['reached'] = 'server'): Fault => {
    return { error: problem, askedMs: null, reached, next: 'another_try' };
  };
  if (error instanceof WorldProblem) return fault(error);
  const code = codeOf(error);
  if (NOBODY.has(code)) return fault(new WorldProblem('unreachable', `nobody answers at ${url} (${code})`), 'nobody');
  if (UNTRUSTED.test(code)) {
    throw new ConfigProblem(`no trusted connection to ${url} (${code})`, {
      advice:
        'Check http against https in the address; a private authority is trusted with NODE_EXTRA_CA_CERTS=ca.pem.',
    });
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return fault(new WorldProblem('bad_reply', `${url} sent more than ${LARGEST_REPLY / 2 ** 20} MiB`));
  }
  return fault(new WorldProblem('cut', `the connection to ${url} was cut (${code})`));
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Paths are given from the server's root: an address may end in `/v1` or not. */
function addressOf(url: string): { origin: string; root: string } {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new ConfigProblem(`${JSON.stringify(url)} is not the address of a model server`, {
      advice: 'Give one like http://127.0.0.1:8000.',
    });
  }
  if (address.username !== '' || address.password !== '' || address.search !== '') {
    throw new ConfigProblem(`the address of the model server at ${address.host} holds a name, a password or a query`, {
      advice: 'Give the address alone; a key goes into an environment variable.',
    });
  }
  return { origin: address.origin, root: address.pathname.replace(/(\/v1)?\/*$/, '') };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
