// Schedules as Temporal keeps them.
import {
  type Client,
  type Connection,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { type NightOrder, scheduleId } from '../../domain/nights/night.ts';
import { milliseconds } from '../../domain/nights/span.ts';
import { queues } from '../../domain/plan/boundary.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { When } from './order.ts';

/** @throws ConfigProblem  there is one of this name, or Temporal does not understand when */
export async function createSchedule(client: Client, order: NightOrder, when: When): Promise<void> {
  const id = scheduleId(order.schedule);
  try {
    await client.schedule.create({
      scheduleId: id,
      spec: {
        ...(when.cron !== null && { cronExpressions: [when.cron] }),
        ...(when.every !== null && { intervals: [{ every: milliseconds(when.every) }] }),
        timezone: when.timezone,
        ...(when.jitter !== null && { jitter: milliseconds(when.jitter) }),
      },
      action: {
        type: 'startWorkflow',
        workflowType: 'nightly',
        workflowId: id,
        taskQueue: queues.control,
        args: [order],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: milliseconds(when.catch_up) },
      memo: { schedule: order.schedule, experiment: order.experiment.file },
    });
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning)
      throw new ConfigProblem(`there is a schedule ${order.schedule} already`, {
        advice: `Remove it first (uturn schedule remove ${order.schedule}; its nights stay), or give another --name.`,
      });
    throw notUnderstood(error, when);
  }
}

function notUnderstood(error: unknown, when: When): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const said = cause instanceof Error ? cause.message : String(cause);
  const isAboutWhen = /invalid|cron|time ?zone|schedule spec|not in range/i.test(said);
  if (!isAboutWhen) return error;
  return new ConfigProblem(`Temporal does not understand this time: ${said.replace(/^\d+ [A-Z_]+: /, '')}`, {
    place: { field: 'when' },
    advice:
      `Given: ${when.cron ?? when.every}, time zone ${when.timezone}. ${when.cron === null ? '' : 'A cron has five fields: minute, hour, day of the month, month, day of the week.'}`.trim(),
  });
}

/** @throws ConfigProblem  there is none of this name, which says which there are */
export async function findSchedule(
  client: Client,
  name: string,
): Promise<{ handle: ScheduleHandle; is: ScheduleDescription }> {
  const handle = client.schedule.getHandle(scheduleId(name));
  try {
    return { handle, is: await handle.describe() };
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const names = await scheduleNames(client);
    throw new ConfigProblem(`there is no schedule ${name}`, {
      advice: names.length > 0 ? `There is: ${names.join(', ')}.` : 'Make one: uturn schedule add <config>',
    });
  }
}

/** Of uturn's schedules, sorted. */
export async function scheduleNames(client: Client): Promise<string[]> {
  const above = scheduleId('');
  const names: string[] = [];
  for await (const { scheduleId: id } of client.schedule.list())
    if (id.startsWith(above)) names.push(id.slice(above.length));
  return names.sort();
}

/** The times at which it should have started between the two, jitter included; at most a thousand. */
export async function expectedTimes(client: Client, name: string, span: { from: Date; to: Date }): Promise<Date[]> {
  const connection = client.connection as Connection;
  const { startTime } = await connection.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId: scheduleId(name),
    startTime: timestamp(span.from),
    endTime: timestamp(span.to),
  });
  return (startTime ?? [])
    .slice(0, 1_000)
    .map(({ seconds, nanos }) => new Date(Number(seconds) * 1_000 + Number(nanos ?? 0) / 1e6));
}

function timestamp(at: Date) {
  return { seconds: Math.floor(at.getTime() / 1_000) as never, nanos: (at.getTime() % 1_000) * 1e6 };
}
