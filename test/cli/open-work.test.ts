import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { workIn } from '../../cli/open-work.ts';

const now = 1_700_000_000_000;
const seconds = (ago: number) => ({ seconds: (now / 1_000 - ago) as never, nanos: 0 });
const unreachable = { message: 'nobody answers at http://127.0.0.1:8000/v1 (ECONNREFUSED)' };

type Activity = NonNullable<Parameters<typeof workIn>[0]['pendingActivities']>[number];

/** A shard at work: taken up five seconds ago, its last heartbeat a second ago. */
function shard(over: Partial<Activity> & { beat?: unknown } = {}): Activity {
  const { beat = { done: 3, total: 16, tokens: 90 }, ...fields } = over;
  return {
    activityType: { name: 'userTurns' },
    state: 2,
    attempt: 1,
    scheduledTime: seconds(5),
    lastStartedTime: seconds(5),
    lastHeartbeatTime: seconds(1),
    heartbeatDetails: beat === null ? null : { payloads: [defaultPayloadConverter.toPayload(beat)] },
    ...fields,
  };
}

describe('what a shard waits for', () => {
  const failed = { attempt: 4, lastFailure: unreachable };
  test.each([
    ['nothing while it is at work', shard(), []],
    ['the next try', shard({ ...failed, state: 1 }), [{ why: unreachable.message, tries: 4 }]],
    [
      'the try under way, until it has come as far as a heartbeat',
      shard({ ...failed, lastHeartbeatTime: seconds(9) }),
      [{ why: unreachable.message, tries: 4 }],
    ],
    ['nothing once the next try is at work', shard(failed), []],
    [
      'another worker, in words',
      shard({ attempt: 2, state: 1, lastFailure: { message: 'activity Heartbeat timeout', timeoutFailureInfo: {} } }),
      [{ why: 'a worker stopped answering; its shard is being taken over', tries: 2 }],
    ],
    [
      'a worker at all',
      shard({ state: 1, scheduledTime: seconds(16) }),
      [{ why: 'no worker takes up the work', tries: 0 }],
    ],
    ['nothing yet in its first seconds', shard({ state: 1, scheduledTime: seconds(14) }), []],
  ])('%s', (_, activity, waiting) => {
    expect(workIn({ pendingActivities: [activity] }, now).waiting).toEqual(waiting);
  });
});

test('open shards are added up by stage', () => {
  const pendingActivities = [
    shard(),
    shard({ beat: { done: 5, total: 8, tokens: 10 } }),
    shard({ activityType: { name: 'assistantTurns' }, beat: { done: 1, total: 16, tokens: 7 } }),
    shard({ beat: null }),
    shard({ activityType: { name: 'savePins' }, beat: null }),
  ];
  expect(workIn({ pendingActivities }, now).inFlight).toEqual({
    user_turn: { done: 8, total: 24, tokens: 100 },
    assistant_turn: { done: 1, total: 16, tokens: 7 },
  });
});

test('one reason is said once, with the most tries; the longest wait comes first', () => {
  const trying = (attempt: number, message: string) => shard({ attempt, state: 1, lastFailure: { message } });
  const pendingActivities = [trying(2, 'a'), trying(3, 'b'), trying(7, 'a'), trying(5, 'a')];
  expect(workIn({ pendingActivities }, now).waiting).toEqual([
    { why: 'a', tries: 7 },
    { why: 'b', tries: 3 },
  ]);
});

test('a workflow that no worker takes up says so', () => {
  const task = (ago: number) => ({ pendingWorkflowTask: { state: 1, scheduledTime: seconds(ago) } });
  expect(workIn(task(5), now).waiting).toEqual([]);
  expect(workIn(task(20), now).waiting).toEqual([{ why: 'no worker takes up the work', tries: 0 }]);
});

test('a workflow that stays with one build says which worker it wants', () => {
  const pendingWorkflowTask = { state: 1, scheduledTime: seconds(20) };
  const deploymentVersion = { deploymentName: 'lab', buildId: '0.1.0-3f9a2c1b' };
  const at = (behavior: number) => ({
    pendingWorkflowTask,
    workflowExecutionInfo: { versioningInfo: { behavior, deploymentVersion } },
  });
  const [pinned, upgraded] = [1, 2].map((behavior) => workIn(at(behavior), now).waiting.map(({ why }) => why));
  expect(pinned).toEqual([
    'no worker of build 0.1.0-3f9a2c1b of lab takes up the work, and this run stays with that one',
  ]);
  expect(upgraded).toEqual(['no worker takes up the work']);
});
