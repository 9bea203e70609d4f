// One night of a schedule: its run, made and measured anew, held against the nights before, and told of.
import { CancellationScope, isCancellation, proxyActivities, startChild, workflowInfo } from '@temporalio/workflow';
import type { NightActivities } from '../activities/nights/nights.ts';
import { type NightEnd, type NightOrder, nightRun } from '../domain/nights/night.ts';
import { queues, type RunInput } from '../domain/plan/boundary.ts';
import { configProblem, worldProblem } from './failures.ts';
import type { sweep } from './sweep.ts';

/** Planning asks servers, which may be away for an hour, and reads data. */
const opening = proxyActivities<NightActivities>({
  taskQueue: queues.control,
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '1 minute',
  retry: { maximumInterval: '5 minutes', maximumAttempts: 40 },
});
const judging = proxyActivities<NightActivities>({
  taskQueue: queues.control,
  startToCloseTimeout: '4 hours',
  heartbeatTimeout: '1 minute',
});
const telling = proxyActivities<NightActivities>({
  taskQueue: queues.control,
  startToCloseTimeout: '1 minute',
  retry: { maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** The time a night stands for: without jitter, and right where it is made up for later. */
const scheduled = { name: 'TemporalScheduledStartTime', type: 'DATETIME' as const };

/** Ends with a verdict also where the night came to nothing; fails only where not even that could be written down. */
export async function nightly(order: NightOrder): Promise<NightEnd> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const nominal = (typedSearchAttributes.get(scheduled) ?? startTime).toISOString();
  const run = nightRun(order.schedule, nominal);
  const problem = await measured(order, { run, nominal });
  const end = await CancellationScope.nonCancellable(() => judging.judgeNight({ order, run, nominal, problem }));
  const untold = await telling.tellOfNight({ order, run }).then(() => null, sentenceOf);
  return untold === null ? end : { ...end, untold };
}

/** The sentence of what kept the night's run from its end, or null. */
async function measured(order: NightOrder, { run, nominal }: { run: string; nominal: string }): Promise<string | null> {
  try {
    const { execution } = await opening.openNight({ order, nominal });
    if (execution === null) return null;
    const args: [RunInput] = [{ run, execution }];
    const handle = await startChild<typeof sweep>('sweep', { workflowId: run, args, staticSummary: run });
    await handle.result();
    return null;
  } catch (failure) {
    return sentenceOf(failure);
  }
}

function sentenceOf(failure: unknown): string {
  return isCancellation(failure) ? 'it was cancelled' : (configProblem(failure) ?? worldProblem(failure));
}
