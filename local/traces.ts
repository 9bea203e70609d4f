// Traces for OpenTelemetry: from the command through workflows to the phases of shards. Only where an endpoint is set, and only
// then is any of it loaded.
import type { AttributeValue } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import { tracesEndpoint } from './telemetry.ts';

export type Traces = {
  /** For clients that start workflows or send them signals. */
  client: WorkflowClientInterceptor[];
  activity: ActivityInterceptorsFactory;
  /** Takes the spans that workflows made. */
  sinks: NonNullable<WorkerOptions['sinks']>;
  /** Runs the work as a span below the one at work. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Says more of the span at work. */
  mark(attributes: Record<string, unknown>): void;
  /** Sends what is left, for a few seconds at most. */
  stop(): Promise<void>;
};

const stopMs = 5_000;

/** Everything else about it, sampling and headers, is in OpenTelemetry's own variables. Null where no endpoint is set. */
export async function openTraces(env: NodeJS.ProcessEnv = process.env): Promise<Traces | null> {
  if (tracesEndpoint(env) === null || env['OTEL_SDK_DISABLED'] === 'true') return null;
  const { trace } = await import('@opentelemetry/api');
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { envDetectorSync, Resource } = await import('@opentelemetry/resources');
  const temporal = await import('@temporalio/interceptors-opentelemetry');

  const resource = new Resource({ 'service.name': 'uturn' }).merge(envDetectorSync.detect());
  const processor = new BatchSpanProcessor(withoutTexts(new OTLPTraceExporter()));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  const tracer = trace.getTracer('uturn');
  const client = new temporal.OpenTelemetryWorkflowClientInterceptor({ tracer });

  return {
    client: [
      {
        startWithDetails: (input, next) => client.startWithDetails(input, next),
        signal: (input, next) => client.signal(input, next),
      },
    ],
    activity: (context) => ({ inbound: new temporal.OpenTelemetryActivityInboundInterceptor(context, { tracer }) }),
    sinks: { exporter: temporal.makeWorkflowExporter(processor, resource) },
    span: (name, work) =>
      tracer.startActiveSpan(name, async (span) => {
        try {
          return await work();
        } finally {
          span.end();
        }
      }),
    mark(attributes) {
      trace.getActiveSpan()?.setAttributes(ours(attributes));
    },
    async stop() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise((done) => setTimeout(done, stopMs).unref()),
      ]);
    },
  };
}

/** What spans may say beside their names. The SDK would add all that it knows of a workflow, a failure's message included. */
const told = new Set([
  'temporalWorkflowId',
  'temporalActivityId',
  'run_id',
  'workflowId',
  'runId',
  'workflowType',
  'taskQueue',
]);

function isTold(name: string): boolean {
  return told.has(name) || name.startsWith('uturn.');
}

/** Passes spans on with the attributes that are told, and of failures their kind. Questions that somebody polls with are left out. */
function withoutTexts(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans.filter(({ name }) => !name.startsWith('HandleQuery')).map(plain), done),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}

function plain(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => isTold(name)));
  const events = span.events.map((event) => {
    const type = event.attributes?.['exception.type'];
    return { ...event, attributes: type === undefined ? {} : { 'exception.type': type } };
  });
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: events },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

function ours(attributes: Record<string, unknown>): Record<string, AttributeValue> {
  const known = Object.entries(attributes).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[`uturn.${name}`, value] as const] : [],
  );
  return Object.fromEntries(known);
}
