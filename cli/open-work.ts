// What a workflow has open right now: records finished inside its shards, and what its activities wait for.
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Stage } from '../domain/records/record.ts';
import { plainWords } from './trouble.ts';
import { notTakenUp } from './versions.ts';

/** Records finished inside shards that are still open. */
export type InFlight = { done: number; total: number; tokens: number };
export type StagesInFlight = Partial<Record<Stage, InFlight>>;

/** `tries`: the one under way or to come, 0 where nothing was tried yet. */
export type Waiting = { why: string; tries: number };

export type OpenWork = { inFlight: StagesInFlight; waiting: Waiting[] };

type Description = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>['raw'];
type Described = Pick<Description, 'pendingActivities' | 'pendingWorkflowTask' | 'workflowExecutionInfo'>;
type Activity = NonNullable<Description['pendingActivities']>[number];
type Timestamp = Activity['scheduledTime'];

// As temporal.api.enums.v1.PendingActivityState and PendingWorkflowTaskState number them.
const scheduled = 1;
const started = 2;

const patienceMs = 15_000;

const stages: Record<string, Stage> = {
  assistantTurns: 'assistant_turn',
  userTurns: 'user_turn',
  judgeTurns: 'judgement',
  judgeReferences: 'reference_judgement',
  scoreAnswers: 'score',
};

/** The open work of one workflow; none where it is not there, or Temporal does not answer. */
export async function openWork(client: Client, workflow: string): Promise<OpenWork> {
  const description = await client.workflow
    .getHandle(workflow)
    .describe()
    .catch(() => null);
  return description === null ? { inFlight: {}, waiting: [] } : workIn(description.raw, Date.now());
}

/** The same of a description. `now` in milliseconds. */
export function workIn(description: Described, now: number): OpenWork {
  const { pendingActivities, pendingWorkflowTask: task } = description;
  const left = notTakenUp(description);
  const isLeft = task?.state === scheduled && isOld(task.scheduledTime, now);
  return together([
    { inFlight: {}, waiting: isLeft ? [{ why: left, tries: 0 }] : [] },
    ...(pendingActivities ?? []).map((activity) => ({
      inFlight: progressOf(activity),
      waiting: waitingOf(activity, { now, left }),
    })),
  ]);
}

/** The same reason is said once, with the most tries. */
export function together(parts: OpenWork[]): OpenWork {
  const inFlight: StagesInFlight = {};
  const waiting = new Map<string, Waiting>();
  for (const part of parts) {
    for (const stage of Object.values(stages)) {
      const more = part.inFlight[stage];
      if (more !== undefined) inFlight[stage] = addInFlight(inFlight[stage], more);
    }
    for (const one of part.waiting) {
      const before = waiting.get(one.why);
      if (before === undefined || before.tries < one.tries) waiting.set(one.why, one);
    }
  }
  return { inFlight, waiting: [...waiting.values()].toSorted((a, b) => b.tries - a.tries) };
}

function addInFlight(before: InFlight | undefined, more: InFlight): InFlight {
  const { done, total, tokens } = before ?? { done: 0, total: 0, tokens: 0 };
  return { done: done + more.done, total: total + more.total, tokens: tokens + more.tokens };
}

function progressOf(activity: Activity): StagesInFlight {
  const stage = stages[activity.activityType?.name ?? ''];
  const beat = activity.heartbeatDetails?.payloads?.[0];
  return stage === undefined || !beat ? {} : { [stage]: defaultPayloadConverter.fromPayload<InFlight>(beat) };
}

function waitingOf(activity: Activity, { now, left }: { now: number; left: string }): Waiting[] {
  const tries = activity.attempt ?? 1;
  if (activity.lastFailure && tries > 1 && !goesOn(activity)) return [{ why: plainWords(activity.lastFailure), tries }];
  const isLeft = activity.state === scheduled && tries === 1 && isOld(activity.scheduledTime, now);
  return isLeft ? [{ why: left, tries: 0 }] : [];
}

/** A try that has come as far as a heartbeat: what ended the one before is over. */
function goesOn(activity: Activity): boolean {
  return (
    activity.state === started && milliseconds(activity.lastHeartbeatTime) > milliseconds(activity.lastStartedTime)
  );
}

function isOld(time: Timestamp, now: number): boolean {
  return now - milliseconds(time) > patienceMs;
}

function milliseconds(time: Timestamp): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;
}
