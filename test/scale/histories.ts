// What a run's workflows put into their histories: events, and the largest payload of any.
import type { Client } from '@temporalio/client';

export type Histories = { executions: number; events: number; mostEvents: number; largestPayload: number };

/** Of every execution that Temporal knows, those that continued as new among them. */
export async function historiesOf(client: Client): Promise<Histories> {
  const found = { executions: 0, events: 0, mostEvents: 0, largestPayload: 0 };
  for await (const { workflowId, runId } of client.workflow.list()) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const count = events?.length ?? 0;
    found.executions += 1;
    found.events += count;
    found.mostEvents = Math.max(found.mostEvents, count);
    found.largestPayload = Math.max(found.largestPayload, largestIn(events ?? []));
  }
  return found;
}

/** Payloads are objects with data and metadata, however deep in an event. */
function largestIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 0;
  const own = 'data' in value && value.data instanceof Uint8Array ? value.data.byteLength : 0;
  return Object.values(value).reduce<number>((most, one) => Math.max(most, largestIn(one)), own);
}
