// A server that answers each request as a test says, byte for byte.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown; at: number };

/** `cut`: the connection is closed without a word; `hang`: it stays open, silent. A `body` that is no text is sent as JSON. */
export type Scripted = 'cut' | 'hang' | { status?: number; headers?: Record<string, string>; body?: unknown };

export type ScriptedServer = { url: string; seen: Seen[]; [Symbol.asyncDispose](): Promise<void> };

/** `script` is asked for every request, with its number from 1. */
export async function startScriptedServer(
  script: (request: Seen, number: number) => Scripted,
): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await read(request);
    seen.push(one);
    const reply = script(one, seen.length);
    if (reply === 'hang') return;
    if (reply === 'cut') {
      response.destroy();
      return;
    }
    const { status = 200, headers = {}, body = {} } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
  };
  // A script that throws fails the test as an unhandled rejection.
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, seen, [Symbol.asyncDispose]: stop };
}

async function read(request: IncomingMessage): Promise<Seen> {
  const at = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: text === '' ? null : JSON.parse(text), at };
}
