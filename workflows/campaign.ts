// One model through all its trees. Continues as new before its history grows past what a replay should read.
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunActivities } from '../activities/run/run.ts';
import { type CampaignInput, type CampaignProgress, names, queues } from '../domain/plan/boundary.ts';
import { type Group, type Pin, type Tree, treeAt, treeCount } from '../domain/plan/graph.ts';
import { type Control, controllable } from './control.ts';
import { configProblem, worldProblem } from './failures.ts';
import { inLanes } from './lanes.ts';
import { nodeRunner } from './nodes.ts';
import { addCounts, runTree } from './tree.ts';

export const progress = defineQuery<CampaignProgress>(names.progress);

const historyLimit = 1_500;
const pinsPerBatch = 32;

const records = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

export async function campaign(input: CampaignInput): Promise<CampaignProgress> {
  const control = controllable({ paused: input.carried.paused });
  const groups = await records.openCampaign({ run: input.run, model: input.model });
  const desk = openDesk(input, { control, groups });
  setHandler(progress, desk.progress);

  try {
    await walk(input, control, desk);
    while (desk.unfinished() === false && desk.carried.parked.length > 0) {
      await desk.flush();
      const seen = control.resumed;
      await condition(() => control.resumed > seen);
      await retryParked(input, control, desk);
    }
  } catch (failure) {
    desk.end(isCancellation(failure) ? 'cancelled' : 'failed');
    await CancellationScope.nonCancellable(desk.flush);
    throw failure;
  }
  if (desk.unfinished()) {
    await desk.flush();
    return continueAsNew<typeof campaign>({ ...input, carried: { ...desk.carried, paused: control.paused } });
  }
  desk.end('complete');
  await desk.flush();
  return desk.progress();
}

type Desk = ReturnType<typeof openDesk>;

async function walk(input: CampaignInput, control: Control, desk: Desk): Promise<void> {
  await inLanes<Tree>({
    width: input.pace.lanes,
    next: async () => {
      await control.open();
      if (historyFull()) return null;
      const tree = treeAt(desk.groups, desk.carried.position);
      if (tree !== null) desk.carried.position += 1;
      return tree;
    },
    work: (tree) => work(input, desk, { tree, control }),
  });
}

async function retryParked(input: CampaignInput, control: Control, desk: Desk): Promise<void> {
  const again = desk.carried.parked.splice(0);
  await inLanes<Tree>({
    width: input.pace.lanes,
    next: async () => {
      await control.open();
      return again.shift()?.tree ?? null;
    },
    work: (tree) => work(input, desk, { tree, control }),
  });
}

/** A tree is done, or parked when the world's patience with it ran out; our own problems end the campaign. */
async function work(input: CampaignInput, desk: Desk, at: { tree: Tree; control: Control }): Promise<void> {
  const node = nodeRunner(input.pace);
  try {
    await runTree(input, { group: groupOf(desk, at.tree), tree: at.tree }, { before: at.control.open, run: node, done: desk.done });
    desk.carried.trees += 1;
  } catch (failure) {
    if (isCancellation(failure) || configProblem(failure) !== null) throw failure;
    desk.carried.parked.push({ tree: at.tree, reason: worldProblem(failure) });
  }
  if (desk.pins() >= pinsPerBatch) await desk.flush();
}

/** Keeps count, and hands finished nodes to the store in batches small enough for a history. */
function openDesk(input: CampaignInput, { control, groups }: { control: Control; groups: Group[] }) {
  const carried = { ...input.carried, tally: { ...input.carried.tally }, parked: [...input.carried.parked] };
  const total = treeCount(groups);
  const waiting: Pin[] = [];
  let ended: 'complete' | 'cancelled' | 'failed' | null = null;

  const progressNow = (): CampaignProgress => {
    const open = control.paused ? 'paused' : carried.trees + carried.parked.length === total && carried.parked.length > 0 ? 'parked' : 'running';
    return {
      model: input.model,
      state: ended ?? open,
      trees: { done: carried.trees, total },
      tally: carried.tally,
      parked: carried.parked,
    };
  };
  const flush = async () => {
    const pins = waiting.splice(0);
    const n = carried.pins;
    carried.pins += 1;
    await records.savePins({ run: input.run, execution: input.execution, model: input.model, n, pins, progress: progressNow() });
  };
  return {
    groups,
    carried,
    flush,
    progress: progressNow,
    pins: () => waiting.length,
    unfinished: () => carried.position < total && ended === null,
    end: (state: 'complete' | 'cancelled' | 'failed') => {
      ended = state;
    },
    done: (pin: Pin, counts: Parameters<typeof addCounts>[1]) => {
      waiting.push(pin);
      addCounts(carried.tally, counts);
    },
  };
}

function groupOf(desk: Desk, tree: Tree): Group {
  const group = desk.groups[tree.group];
  if (group === undefined) throw new RangeError(`no group ${tree.group}`);
  return group;
}

function historyFull(): boolean {
  return workflowInfo().historyLength >= historyLimit || workflowInfo().continueAsNewSuggested;
}
