// Stands in front of a real S3 server and spoils what a test says: answers in its place, or takes an answer away.
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Bucket, type BucketServer, bucketEnvironment } from '../bucket/server.ts';
import { uniform } from './faults.ts';

/** What a request is for. */
export type Site = 'read' | 'head' | 'list' | 'create' | 'segment' | 'begin' | 'part' | 'complete' | 'abort';

/**
 * A status with its code; `hang`: no answer; `cut`: the connection is closed before the request goes on; `half`: it is closed in
 * the middle of the answer; `lost`: the request is carried out and the connection closed without an answer.
 */
export type BucketFault =
  | 'hang'
  | 'cut'
  | 'half'
  | 'lost'
  | { status: number; code: string; headers?: Record<string, string> };

/** `number` counts the requests of its site from 1. */
export type Asked = { site: Site; number: number; key: string; headers: IncomingMessage['headers'] };

/** The server's bucket, through the proxy. */
export type BucketProxy = Bucket & {
  seen: Asked[];
  /** Decides about every request from now on. */
  spoil(rule: Spoiler): void;
  count(site: Site): number;
} & AsyncDisposable;

export type Spoiler = (asked: Asked) => BucketFault | null;

export const slowDown: BucketFault = { status: 503, code: 'SlowDown' };
export const serverError: BucketFault = { status: 500, code: 'InternalError' };
export const conflict: BucketFault = { status: 409, code: 'ConditionalRequestConflict' };
export const thereAlready: BucketFault = { status: 412, code: 'PreconditionFailed' };
export const noRoom: BucketFault = { status: 507, code: 'InsufficientStorage' };
export const overQuota: BucketFault = { status: 403, code: 'QuotaExceeded' };

/** A share of all requests, the same ones each time; each meets the next of the faults. */
export function share(rate: number, faults: BucketFault[]): Spoiler {
  let number = 0;
  let met = 0;
  return () => {
    number += 1;
    if (uniform(`bucket/${number}`) >= rate) return null;
    met += 1;
    return faults[met % faults.length] ?? null;
  };
}

export async function startBucketProxy(server: BucketServer, first: Spoiler = () => null): Promise<BucketProxy> {
  let rule = first;
  const seen: Asked[] = [];
  const count = (site: Site) => seen.filter((one) => one.site === site).length;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const site = siteOf(request);
    const key = decodeURIComponent(new URL(request.url ?? '/', server.url).pathname).slice(server.bucket.length + 2);
    const asked = { site, number: count(site) + 1, key, headers: request.headers };
    seen.push(asked);
    const fault = rule(asked);
    if (fault === 'hang') return;
    if (fault === 'cut') return void request.socket.destroy();
    if (fault !== null && typeof fault === 'object') return refuse(response, fault);
    const reply = await sent(server.url, request, body);
    if (fault === 'lost') return void request.socket.destroy();
    response.writeHead(reply.status, reply.headers);
    if (fault === 'half') {
      response.write(reply.body.subarray(0, reply.body.length / 2));
      setImmediate(() => request.socket.destroy());
    } else response.end(reply.body);
  };
  const proxy = createServer(
    (request, response) => void answer(request, response).catch(() => request.socket.destroy()),
  );
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const { port } = proxy.address() as AddressInfo;
  return {
    env: bucketEnvironment(`http://127.0.0.1:${port}`),
    bucket: server.bucket,
    seen,
    count,
    spoil(next) {
      rule = next;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => proxy.close(done));
      proxy.closeAllConnections();
      await closed;
    },
  };
}

function siteOf({ method = '', url = '' }: IncomingMessage): Site {
  const { pathname, searchParams } = new URL(url, 'http://bucket');
  if (method === 'HEAD') return 'head';
  if (method === 'GET') return searchParams.has('list-type') ? 'list' : 'read';
  if (method === 'POST') return searchParams.has('uploads') ? 'begin' : 'complete';
  if (method === 'DELETE') return 'abort';
  if (searchParams.has('partNumber')) return 'part';
  return pathname.endsWith('.jsonl') ? 'segment' : 'create';
}

function refuse(response: ServerResponse, fault: Exclude<BucketFault, string>): void {
  response.writeHead(fault.status, { 'content-type': 'application/xml', ...fault.headers });
  response.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>as the test wants it</Message></Error>`);
}

type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer };

/** The headers go on as they are, `host` too: they are signed. */
async function sent(base: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Reply> {
  const onward = forward(new URL(url ?? '/', base), { method, headers });
  onward.end(body);
  const [reply] = (await once(onward, 'response')) as [IncomingMessage];
  const { 'transfer-encoding': _, ...kept } = reply.headers;
  return { status: reply.statusCode ?? 0, headers: kept, body: await buffer(reply) };
}
