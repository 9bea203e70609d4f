// An OTLP collector that keeps the spans it is sent, over HTTP as JSON.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const value = z.looseObject({});
const attribute = z.object({ key: z.string(), value });
const spanShape = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attribute).default([]),
  events: z.array(z.object({ name: z.string(), attributes: z.array(attribute).default([]) })).default([]),
  status: z.looseObject({ code: z.number().optional() }),
});
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanShape) })),
    }),
  ),
});

export type SeenSpan = z.output<typeof spanShape> & { service: string };
export type Collector = { url: string; spans: SeenSpan[]; raw: string[] } & AsyncDisposable;

export async function startCollector(): Promise<Collector> {
  const spans: SeenSpan[] = [];
  const raw: string[] = [];
  const server = createServer((request, response) => {
    json(request)
      .then((body) => {
        raw.push(JSON.stringify(body));
        for (const { resource, scopeSpans } of sent.parse(body).resourceSpans) {
          const service = resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'];
          for (const scope of scopeSpans)
            spans.push(...scope.spans.map((span) => ({ ...span, service: String(service) })));
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      })
      .catch((problem: unknown) => response.writeHead(400).end(String(problem)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    spans,
    raw,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** An attribute's value, whatever its kind. */
export function attributeOf(span: SeenSpan, key: string): unknown {
  const found = span.attributes.find((one) => one.key === key)?.value;
  return found === undefined ? undefined : Object.values(found)[0];
}
