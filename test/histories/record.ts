// Records the golden histories anew: `node test/histories/record.ts`. Only for a change that replaces what runs did.
// Names of scenes after it record those alone, and leave the others as they are.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { placeless } from '../../activities/run/kept.ts';
import { type CampaignProgress, campaignId, names, queues } from '../../domain/plan/boundary.ts';
import { nothing } from '../../domain/plan/budget.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { order } from '../nights/order.ts';
import { engineRef, epochs } from '../workflows/served.ts';
import { groupsOf, openStage, type Script } from '../workflows/stage.ts';

const folder = join(import.meta.dirname, 'golden');

/** `along` does to the open run what a person would. */
type Scene = {
  name: string;
  script: () => Script;
  along?(run: string): Promise<void>;
  engine?: string;
  begins?: 'a sweep' | 'a night';
};

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
  {
    name: 'cut',
    script: () => ({
      models: ['a'],
      groups: groupsOf({ temperatures: [0], blocks: 12 }),
      lanes: 1,
      events: 45,
      node: () => sleep(100),
    }),
    along: async (run) => {
      await until(async () => (await stage.progressOf(run, 'a'))?.trees.done === 3, 30_000);
      await stage.client.workflow.getHandle(run).cancel();
    },
  },
  {
    name: 'again',
    script: () => {
      let refused = true;
      const node: Script['node'] = async ({ model }) => {
        await sleep(model === 'b' ? 200 : 20);
        if (model !== 'a' || !refused) return;
        refused = false;
        throw new ConfigProblem('the key was refused');
      };
      const groups = groupsOf({ temperatures: [0], blocks: 4 });
      return { models: ['a', 'b'], groups, lanes: 1, node, lanesAt: () => ({ a: 1, b: 2 }) };
    },
    along: async (run) => {
      const handle = stage.client.workflow.getHandle(run);
      await state(run, 'failed');
      await handle.signal(names.pause, { models: ['b'] });
      await handle.signal(names.concurrency, { models: { b: 2 } });
      await handle.signal(names.resume, { errors: 'retry', models: ['a'] });
      await state(run, 'complete');
      await handle.signal(names.resume, { models: ['b'] });
    },
  },
  {
    name: 'budget',
    script: () => ({
      models: ['a', 'b'],
      groups: groupsOf({ temperatures: [0], blocks: 4 }),
      events: 60,
      budget: { limits: { tokens: 16 * 16 * 30, usd: 1e6 }, before: nothing },
    }),
    along: async (run) => {
      await state(run, 'paused');
      await stage.client.workflow.getHandle(run).signal(names.budget, { tokens: 1e6 });
    },
  },
  {
    name: 'hours',
    engine: 'engine/hours',
    script: () => ({
      models: ['a'],
      groups: groupsOf({ temperatures: [0], blocks: 3 }),
      lanes: 1,
      engine: engineRef('hours'),
      serve: epochs().serve,
      budget: { limits: { gpu_hours: 1 / 3_600 }, before: nothing },
      node: async (ref) => {
        if (ref.stage !== 'assistant_turn' && ref.stage !== 'user_turn') return;
        if (ref.engine === undefined) throw new WorldProblem('engine_gone', 'not served yet');
        await sleep(400);
      },
    }),
    along: async (run) => {
      await state(run, 'paused');
      await stage.client.workflow.getHandle(run).signal(names.budget, { gpu_hours: 1 });
    },
  },
  {
    name: 'served',
    engine: 'engine/served',
    script: () => {
      const server = epochs();
      let alive = 1;
      const node: Script['node'] = async (ref) => {
        if (ref.stage !== 'assistant_turn' && ref.stage !== 'user_turn') return;
        if (ref.engine === undefined) throw new WorldProblem('engine_gone', 'not served yet');
        if (ref.stage === 'user_turn' && alive === 1) {
          alive = 2;
          server.end(1, new WorldProblem('engine_died', 'the server was killed'));
        }
        if (ref.engine.epoch < alive) throw new WorldProblem('engine_gone', 'nobody answers');
      };
      const groups = groupsOf({ temperatures: [0], blocks: 3 });
      return { models: ['a', 'b'], groups, attempts: 1, engine: engineRef('served'), serve: server.serve, node };
    },
  },
  {
    name: 'refused',
    engine: 'engine/refused',
    script: () => ({
      models: ['a'],
      groups: groupsOf({ temperatures: [0], blocks: 2 }),
      engine: engineRef('refused'),
      serve: () => Promise.reject(new ConfigProblem('it holds other weights')),
      node: () => Promise.reject(new WorldProblem('engine_gone', 'not served yet')),
    }),
  },
];

scenes.push(
  {
    name: 'night',
    begins: 'a night',
    script: () => ({ models: ['a'], groups: groupsOf({ temperatures: [0], blocks: 1 }) }),
  },
  {
    name: 'unplanned',
    begins: 'a night',
    script: () => ({
      models: ['a'],
      groups: [],
      openNight: () => Promise.reject(new ConfigProblem('the data is gone')),
    }),
  },
);

const wanted = process.argv.slice(2);
if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  await using _played = await stage.play(scene.script());
  const isNight = scene.begins === 'a night';
  const handle = await stage.client.workflow.start(isNight ? 'nightly' : 'sweep', {
    workflowId: scene.name,
    taskQueue: queues.control,
    args: [isNight ? order(scene.name) : { run: scene.name, execution: 1 }],
  });
  await scene.along?.(scene.name);
  await handle.result().catch(() => undefined);
  await save(scene.name, scene.name);
  if (scene.engine === undefined) continue;
  await stage.client.workflow.getHandle(scene.engine).result();
  await save(scene.engine, `${scene.name}-by`);
}

/** Every execution of a run and its campaigns, or of an engine and its epochs, oldest first. */
async function save(id: string, name: string): Promise<void> {
  const found = [];
  for await (const info of stage.client.workflow.list({ query: `WorkflowId STARTS_WITH "${id}"` })) found.push(info);
  found.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
  for (const [n, info] of found.entries()) {
    const history = await stage.client.workflow.getHandle(info.workflowId, info.runId).fetchHistory();
    await writeFile(join(folder, `${name}-${n}-${info.type}.json`), `${placeless(historyToJSON(history), 1)}\n`);
  }
}
