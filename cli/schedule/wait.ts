// Waiting for the night that was just triggered.
import { readVerdict } from '../../activities/nights/read.ts';
import type { NightEnd, NightVerdict } from '../../domain/nights/night.ts';
import { WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { say } from '../finish.ts';
import type { Session } from '../session.ts';
import { findSchedule } from './temporal.ts';

const startsWithinMs = 60_000;

/** @throws WorldProblem  it did not start, or came to no verdict */
export async function waitForNight(
  { client, store }: Session,
  { name, before }: { name: string; before: Date },
): Promise<NightVerdict> {
  const { handle } = await findSchedule(client, name);
  let id: string | null = null;
  const begun = async () => {
    const { recentActions } = (await handle.describe()).info;
    const action = recentActions.findLast(({ takenAt }) => takenAt.getTime() >= before.getTime() - 1_000)?.action;
    id = action?.type === 'startWorkflow' ? action.workflow.workflowId : null;
    return id !== null;
  };
  if (!(await until(begun, startsWithinMs, { everyMs: 500 })) || id === null)
    throw new WorldProblem(
      'timeout',
      `${name} did not start a night; is another one open? uturn schedule show ${name}`,
    );
  const end = (await client.workflow.getHandle(id).result()) as NightEnd;
  const verdict = await readVerdict(store, { schedule: name, run: end.run });
  if (end.untold !== undefined) say(`Nobody could be told: ${end.untold}`);
  if (verdict === null) throw new WorldProblem('store', `there is no verdict on ${end.run} in ${store.uri}`);
  return verdict;
}
