// Histories of a run's workflows, as long as Temporal has them.
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { z } from 'zod';
import { campaignId } from '../../domain/plan/boundary.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';

/** One execution of a workflow; `history` as JSON, as Temporal's own tools write it. `begun`: when, or '' where it does not say. */
export type WorkflowHistory = {
  workflow: string;
  execution: string;
  type: string;
  events: number;
  begun: string;
  history: unknown;
};

/** Workflows by their ids, and the engines whose executions, and their epochs', count from a time on (ms since 1970). */
export type RunWorkflows = { workflows: string[]; engines: string[]; since: number };

/** `events`: how many there are by now. `isOpen`: more may come. */
export type Execution = { workflow: string; execution: string; events: number; isOpen: boolean };

/** Its own, its campaigns, and what served its models meanwhile: an engine may have been another run's before, or at the same time. */
export function workflowsOf({ run, engines, created }: RunDoc, plan: Plan): RunWorkflows {
  const served = Object.values(engines).flatMap((location) => (location.kind === 'serve' ? [location.id] : []));
  return {
    workflows: [run, ...plan.models.map(({ id }) => campaignId(run, id))],
    engines: [...new Set(served)],
    since: Date.parse(created),
  };
}

/** Every execution that Temporal still knows, of each workflow the oldest first. */
export async function* executionsIn(client: Client, of: RunWorkflows): AsyncGenerator<Execution> {
  for (const workflow of of.workflows) yield* known(client, `WorkflowId = ${quoted(workflow)}`, workflow);
  for (const engine of of.engines) {
    const isOurs = ({ closeTime }: Found) => closeTime === undefined || closeTime.getTime() >= of.since;
    yield* known(client, `WorkflowId = ${quoted(engine)}`, engine, isOurs);
    yield* known(client, `WorkflowId STARTS_WITH ${quoted(`${engine}/`)}`, null, isOurs);
  }
}

type Found = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'historyLength' | 'startTime' | 'closeTime'>;

/** Lists lag behind: the latest is asked for too, and of one that seems open whether it still is. */
async function* known(
  client: Client,
  query: string,
  workflow: string | null,
  isWanted: (found: Found) => boolean = () => true,
): AsyncGenerator<Execution> {
  const found = new Map<string, Found>();
  for await (const info of client.workflow.list({ query })) found.set(info.runId, info);
  const latest = workflow === null ? null : await described(client, workflow);
  if (latest !== null) found.set(latest.runId, latest);
  const inOrder = [...found.values()].sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
  for (const one of inOrder) {
    const now = one.closeTime === undefined ? await described(client, one.workflowId, one.runId) : one;
    if (now === null || !isWanted(now)) continue;
    const { workflowId, runId, historyLength, closeTime } = now;
    yield { workflow: workflowId, execution: runId, events: historyLength, isOpen: closeTime === undefined };
  }
}

/** Null where Temporal knows none. */
async function described(client: Client, workflow: string, execution?: string): Promise<Found | null> {
  return client.workflow
    .getHandle(workflow, execution)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    });
}

/** Null where it was forgotten in between. */
export async function historyOf(
  client: Client,
  { workflow, execution }: Pick<Execution, 'workflow' | 'execution'>,
): Promise<WorkflowHistory | null> {
  try {
    const history = await client.workflow.getHandle(workflow, execution).fetchHistory();
    return historyIn(historyToJSON(history), { workflow, execution });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** All of them, one at a time in memory. */
export async function* historiesIn(client: Client, of: RunWorkflows): AsyncGenerator<WorkflowHistory> {
  for await (const one of executionsIn(client, of)) {
    const found = await historyOf(client, one);
    if (found !== null) yield found;
  }
}

const schema = z.looseObject({
  events: z.tuple(
    [
      z.looseObject({
        eventTime: z.string().optional(),
        workflowExecutionStartedEventAttributes: z.looseObject({
          workflowType: z.looseObject({ name: z.string() }),
          workflowId: z.string().optional(),
          originalExecutionRunId: z.string().optional(),
        }),
      }),
    ],
    z.looseObject({}),
  ),
});

/** Null of a text that holds no history. What the history says of itself counts before `from`. */
export function historyIn(text: string, from: Pick<WorkflowHistory, 'workflow' | 'execution'>): WorkflowHistory | null {
  const history = jsonIn(text);
  const read = schema.safeParse(history);
  if (!read.success) return null;
  const [first] = read.data.events;
  const started = first.workflowExecutionStartedEventAttributes;
  return {
    workflow: started.workflowId || from.workflow,
    execution: from.execution || started.originalExecutionRunId || '',
    type: started.workflowType.name,
    events: read.data.events.length,
    begun: first.eventTime ?? '',
    history,
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
