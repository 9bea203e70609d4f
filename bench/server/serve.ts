// The bench's model server, a process of its own: `node bench/server/serve.ts`. Prints its address when it listens.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chat, completion, models, plainCompletion, text, tokens, version } from './bodies.ts';
import type { Served } from './server.ts';

/** Paths that stand for a generation: these take their time, and only these. */
const generations: Record<string, (body: string) => string> = {
  '/v1/completions': completion,
  // The same model on a server that knows nothing of tokens.
  '/plain/v1/completions': plainCompletion,
  '/v1/chat/completions': chat,
};
const others: Record<string, (body: string) => string> = {
  '/v1/models': () => models,
  '/plain/v1/models': () => models,
  '/version': () => version,
  '/plain/version': () => version,
  '/health': () => '{}',
  '/tokenize': tokens,
  '/detokenize': text,
  '/__served': () => JSON.stringify(served),
  '/__begin': begin,
  '/__mark': mark,
};

let latencyMs = 0;
let served: Served = fresh();
let marked = false;

function fresh(): Served {
  return { paths: {}, received: 0, first: null, last: null, since_mark: null, in_flight: 0, max_in_flight: 0 };
}

/** Counts start anew, with this latency. */
function begin(body: string): string {
  latencyMs = (JSON.parse(body) as { latency_ms: number }).latency_ms;
  served = fresh();
  marked = false;
  return '{}';
}

/** From here on somebody waits for the next generation. */
function mark(): string {
  marked = true;
  served.since_mark = null;
  return '{}';
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function answer(path: string, body: string, response: ServerResponse): void {
  const generation = generations[path];
  if (generation === undefined) {
    const made = others[path]?.(body);
    if (!path.startsWith('/__')) served.paths[path] = (served.paths[path] ?? 0) + 1;
    return send(response, made === undefined ? 404 : 200, made ?? '{"detail":"Not Found"}');
  }
  served.received += 1;
  served.first ??= now();
  if (marked) served.since_mark ??= now();
  served.in_flight += 1;
  served.max_in_flight = Math.max(served.max_in_flight, served.in_flight);
  const end = () => {
    served.in_flight -= 1;
    if (response.destroyed) return;
    served.paths[path] = (served.paths[path] ?? 0) + 1;
    send(response, 200, generation(body));
    served.last = now();
  };
  if (latencyMs === 0) end();
  else setTimeout(end, latencyMs);
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString();
    answer((request.url ?? '').split('?', 1)[0] ?? '', body, response);
  });
}

const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, handle);
server.listen({ port: Number(process.argv[2] ?? 0), host: '127.0.0.1', backlog: 4_096 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
