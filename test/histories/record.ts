// Records the golden histories anew: `node test/histories/record.ts`. Only for a change that replaces what runs did.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { type CampaignProgress, campaignId, names, queues } from '../../domain/plan/boundary.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { groupsOf, openStage, type Script } from '../workflows/stage.ts';

const folder = join(import.meta.dirname, 'golden');

/** `along` does to the open run what a person would. */
type Scene = { name: string; script: () => Script; along?(run: string): Promise<void> };

await using stage = await openStage();
const state = (run: string, wanted: CampaignProgress['state']) =>
  until(async () => {
    const handle = stage.client.workflow.getHandle(campaignId(run, 'a'));
    return (await handle.query<CampaignProgress>(names.progress).catch(() => null))?.state === wanted;
  }, 30_000);
const signal = (run: string, name: string) => stage.client.workflow.getHandle(run).signal(name);

const scenes: Scene[] = [
  { name: 'plain', script: () => ({ models: ['a', 'b'], groups: groupsOf({ temperatures: [0, 0.7], blocks: 1 }) }) },
  {
    name: 'continued',
    script: () => ({ models: ['a'], groups: groupsOf({ temperatures: [0], blocks: 6 }), events: 45 }),
  },
  {
    name: 'parked',
    script: () => {
      let tries = 0;
      const node: Script['node'] = async (ref) => {
        if (ref.stage !== 'user_turn' || ref.block !== 1 || ++tries > 2) return;
        throw new WorldProblem('unreachable', 'nobody answers');
      };
      return { models: ['a'], groups: groupsOf({ temperatures: [0], blocks: 2 }), attempts: 2, node };
    },
    along: async (run) => {
      await state(run, 'parked');
      await signal(run, names.resume);
    },
  },
  {
    name: 'paused',
    script: () => ({
      models: ['a'],
      groups: groupsOf({ temperatures: [0], blocks: 4 }),
      lanes: 1,
      node: () => sleep(150),
    }),
    along: async (run) => {
      await state(run, 'running');
      await signal(run, names.pause);
      await state(run, 'paused');
      await sleep(500);
      await signal(run, names.resume);
    },
  },
  {
    name: 'cancelled',
    script: () => ({
      models: ['a'],
      groups: groupsOf({ temperatures: [0], blocks: 4 }),
      lanes: 1,
      node: () => sleep(300),
    }),
    along: async (run) => {
      await state(run, 'running');
      await sleep(400);
      await stage.client.workflow.getHandle(run).cancel();
    },
  },
  {
    name: 'failed',
    script: () => ({
      models: ['a'],
      groups: groupsOf({ temperatures: [0], blocks: 2 }),
      node: () => Promise.reject(new ConfigProblem('the key was refused')),
    }),
  },
];

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const scene of scenes) {
  await using _played = await stage.play(scene.script());
  const handle = await stage.client.workflow.start('sweep', {
    workflowId: scene.name,
    taskQueue: queues.control,
    args: [{ run: scene.name, execution: 1 }],
  });
  await scene.along?.(scene.name);
  await handle.result().catch(() => undefined);
  await save(scene.name);
}

/** Every execution of a run and its campaigns, oldest first. */
async function save(run: string): Promise<void> {
  const found = [];
  for await (const info of stage.client.workflow.list({ query: `WorkflowId STARTS_WITH "${run}"` })) found.push(info);
  found.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
  for (const [n, info] of found.entries()) {
    const history = await stage.client.workflow.getHandle(info.workflowId, info.runId).fetchHistory();
    await writeFile(join(folder, `${run}-${n}-${info.type}.json`), `${placeless(historyToJSON(history))}\n`);
  }
}

/** Stacks and identities name the machine that recorded them, which says nothing about the workflow. */
function placeless(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => {
      if (key === 'stackTrace') return '';
      if (key === 'identity') return 'worker';
      return key === 'name' && typeof value === 'string' && /^\d+@/.test(value) ? 'worker-sticky' : value;
    }),
    null,
    1,
  );
}
