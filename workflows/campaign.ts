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
import { showProgress } from './board.ts';
import { controllable, lanes } from './control.ts';
import { type Desk, openDesk, type Work } from './desk.ts';
import { configProblem, worldProblem } from './failures.ts';
import { type Gate, openGate } from './gate.ts';
import { holdEngine } from './holding.ts';
import { inLanes } from './lanes.ts';
import { meterEngine } from './metering.ts';
import { nodeRunner, type RunNode } from './nodes.ts';
import { openPurse } from './purse.ts';
import { tellRun } from './telling.ts';
import { runTree } from './tree.ts';

export const progress = defineQuery<CampaignProgress>(names.progress);

const pinsPerBatch = 32;
/** With so many trees given up on, the world is away: the others would only lose their patience too. */
const mostParked = 8;

const records = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

export async function campaign(input: CampaignInput): Promise<CampaignProgress> {
  const pace = { ...input.pace };
  setHandler(lanes, (now) => {
    pace.lanes = now;
  });
  let show = () => {};
  const control = controllable({ paused: input.carried.paused, onChange: () => show() });
  const groups = await records.openCampaign({ run: input.run, model: input.model });
  const telling = tellRun(input.run);
  const purse = openPurse(input, telling, () => desk.carried.tally);
  const metering = meterEngine(input, telling, purse.isMetered);
  const holding = holdEngine(input, metering.used);
  const desk: Desk = openDesk(input, {
    control,
    isShut: purse.isShut,
    groups,
    save: async (batch) => {
      show();
      // A batch that is cut off would leave a gap.
      await CancellationScope.nonCancellable(() => records.savePins(batch));
    },
    engine: holding.state,
    hours: metering.hours,
  });
  setHandler(progress, desk.progress);
  show = () => showProgress(input, desk.progress(), { groups, position: desk.carried.position });
  show();
  purse.listen(metering.look);

  try {
    const gate = openGate({ control, purse }, async () => {
      await desk.flush();
      await holding.release();
    });
    const at = { gate, desk, show, width: () => pace.lanes, run: nodeRunner(input.pace, holding) };
    await walk(input, at);
    while (!historyFull(input) && desk.parked() > 0) {
      const seen = control.resumed;
      purse.leave('rests');
      await desk.rest(async () => {
        await holding.release(); // others may need the machine meanwhile
        await condition(() => control.resumed > seen);
      });
      await walk(input, at);
    }
    if (desk.unfinished()) {
      await desk.flush();
      await telling.told();
      await unlessCancelled();
    }
  } catch (failure) {
    desk.end(isCancellation(failure) ? 'cancelled' : 'failed');
    purse.leave('ended');
    await CancellationScope.nonCancellable(desk.flush);
    await holding.release();
    await telling.told();
    throw failure;
  }
  if (desk.unfinished()) {
    return continueAsNew<typeof campaign>({
      ...input,
      pace,
      carried: {
        ...desk.carried,
        paused: control.paused,
        engine: holding.carried(),
        ...purse.carried(),
        ...metering.hours(),
      },
    });
  }
  desk.end('complete');
  await desk.flush();
  await holding.release();
  await telling.told();
  return desk.progress();
}

/** What is begun anew hears nothing of a cancellation that came before. */
async function unlessCancelled(): Promise<void> {
  const scope = CancellationScope.current();
  if (scope.consideredCancelled) await scope.cancelRequested;
}

type At = { gate: Gate; desk: Desk; width(): number; show(): void; run: RunNode };

/** Works through what is on the desk until nothing is left, too much is parked, or the history is full. */
async function walk(input: CampaignInput, at: At): Promise<void> {
  const { gate, desk } = at;
  await inLanes<Work>({
    width: at.width,
    next: async () => {
      await gate.open();
      return historyFull(input) || desk.parked() >= mostParked ? null : desk.next();
    },
    work: (work) => onTree(input, { ...at, work }),
  });
}

/** A tree is done, or parked when the world's patience with it ran out; our own problems end the campaign. */
async function onTree(input: CampaignInput, at: At & { work: Work }): Promise<void> {
  const { work, gate, desk, show, run } = at;
  try {
    await runTree(
      input,
      { tree: work.tree, group: desk.groupOf(work.tree) },
      {
        before: gate.enter,
        run,
        done: (pin, counts) => {
          desk.pin(work, pin, counts);
          show();
        },
      },
    );
    desk.done();
  } catch (failure) {
    if (isCancellation(failure) || configProblem(failure) !== null) throw failure;
    desk.park(work, worldProblem(failure));
  }
  show();
  if (desk.pins() >= pinsPerBatch) await desk.flush();
}

function historyFull({ pace }: CampaignInput): boolean {
  return workflowInfo().historyLength >= pace.events || workflowInfo().continueAsNewSuggested;
}
