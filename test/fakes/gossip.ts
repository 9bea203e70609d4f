// A model server's front that, before it passes requests on, refuses some of them in words that give everything away:
// what it was asked, and the key.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type Gossip = { url: string; told(): number } & AsyncDisposable;

/** `refuse` says with what status the nth completion (from 1) is refused, or null. `words` is told besides. */
export async function startGossip(
  behind: string,
  opts: { refuse(n: number): number | null; words: string },
): Promise<Gossip> {
  let completions = 0;
  let told = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const status = request.url === '/v1/completions' ? opts.refuse((completions += 1)) : null;
    if (status !== null) {
      told += 1;
      const message = `${opts.words} ${request.headers.authorization} ${body.toString()}`;
      const headers = { 'content-type': 'application/json', 'retry-after-ms': '10' };
      response.writeHead(status, headers).end(JSON.stringify({ error: { message } }));
      return;
    }
    const { 'content-type': type = 'application/json', authorization = '' } = request.headers;
    const reply = await fetch(`${behind}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': type, authorization },
      ...(request.method === 'POST' && { body: new Uint8Array(body) }),
    });
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(Buffer.from(await reply.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    // A client that leaves is no failure of ours.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    told: () => told,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
