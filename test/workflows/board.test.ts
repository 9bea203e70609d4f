// What Temporal's own page and lists show of runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaignId, names, queues, type RunEnd } from '../../domain/plan/boundary.ts';
import { nothing } from '../../domain/plan/budget.ts';
import { knowsSearchAttributes } from '../../local/search.ts';
import { until } from '../../local/until.ts';
import { groupsOf, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

/** Ids of the workflows that a query of Temporal's lists finds. */
async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of stage.client.workflow.list({ query })) ids.push(workflowId);
  return ids.sort();
}

/** Lists come a moment after what they show. */
const lists = (query: string, ids: string[]) =>
  until(async () => JSON.stringify(await found(query)) === JSON.stringify(ids), 20_000);

async function start(run: string, searchable: boolean) {
  const handle = await stage.client.workflow.start('sweep', {
    workflowId: run,
    taskQueue: queues.control,
    args: [{ run, execution: 1, searchable }],
  });
  return { handle, end: handle.result() as Promise<RunEnd> };
}

test('a dev server of ours knows the attributes from its start on', async () => {
  expect(await knowsSearchAttributes(stage.connection, 'default')).toBe(true);
});

test('runs and campaigns are found by run, model and state, and details say how far they are', async () => {
  let open = false;
  await using _played = await stage.play({
    models: ['a', 'b'],
    groups: groupsOf({ temperatures: [0, 0.7], blocks: 3 }),
    budget: { limits: {}, before: nothing },
    node: async (ref) => {
      while (ref.temperature > 0 && !open) {
        Context.current().heartbeat();
        await sleep(50);
      }
    },
  });
  // Whatever fails below: nothing is to wait for it.
  await using _opened = { [Symbol.asyncDispose]: async () => void (open = true) };
  const run = 'shown';
  const { handle, end } = await start(run, true);
  const campaigns = ['a', 'b'].map((model) => campaignId(run, model));
  expect(await lists(`uturnRun = "${run}"`, campaigns)).toBe(true);
  expect(await lists(`uturnModel = "b" AND uturnState = "running"`, [campaignId(run, 'b')])).toBe(true);

  const details = async () => {
    const metadata = await stage.client.workflow
      .getHandle(campaignId(run, 'a'))
      .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails;
  };
  const half = 'cell 2/2 (sums, T 0.7)\n\nuser turns 48/96, blocks 3/6';
  expect(await until(async () => (await details()) === half, 20_000)).toBe(true);

  await handle.signal(names.pause);
  expect(await lists(`uturnState = "paused"`, [run, ...campaigns].sort())).toBe(true);
  open = true;
  await handle.signal(names.resume);
  expect((await end).state).toBe('complete');
  expect(await lists(`uturnState = "complete"`, [run, ...campaigns].sort())).toBe(true);
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toBe('models done: 2/2 (a, b)');

  // A state is an event; how far a campaign is, none.
  const { events } = await stage.client.workflow.getHandle(campaigns[0] ?? '').fetchHistory();
  const states = events?.filter(({ upsertWorkflowSearchAttributesEventAttributes: at }) => at);
  expect(states?.length).toBeLessThanOrEqual(4);
  const summaries = events?.flatMap(({ activityTaskScheduledEventAttributes: at, userMetadata }) =>
    at ? [Buffer.from(userMetadata?.summary?.data ?? []).toString()] : [],
  );
  expect(summaries).toContain('"sums, T 0.7, sample 0, block 2"');
});

test('on a server that does not know them a run goes on without', async () => {
  await using played = await stage.play({ models: ['a'], groups: groupsOf({ temperatures: [0], blocks: 2 }) });
  const run = 'unsearched';
  const { handle, end } = await start(run, false);
  await handle.signal(names.pause);
  await handle.signal(names.resume);
  expect((await end).state).toBe('complete');
  await played.stop();
  expect(await found(`uturnRun = "${run}"`)).toEqual([]);
});
