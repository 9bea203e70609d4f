// A temperature sweep: every model's campaign side by side, then the tables.
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  type ChildWorkflowHandle,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  startChild,
} from '@temporalio/workflow';
import type { RunActivities } from '../activities/run/run.ts';
import {
  type CampaignInput,
  campaignId,
  type OpenedCampaign,
  type OpenedRun,
  queues,
  type RunEnd,
  type RunInput,
} from '../domain/plan/boundary.ts';
import { campaignAttributes, showRun, showState } from './board.ts';
import { type BudgetKeeper, keepBudget } from './budget.ts';
import type { campaign } from './campaign.ts';
import { controllable, pause, resume } from './control.ts';
import { configProblem, worldProblem } from './failures.ts';

const run = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '10 minutes' });
/** Reads all that the run has made. */
const closing = proxyActivities<RunActivities>({
  taskQueue: queues.control,
  startToCloseTimeout: '4 hours',
  heartbeatTimeout: '1 minute',
});

/** Never continues as new: its campaigns do, and tell it only how they ended. */
export async function sweep(input: RunInput): Promise<RunEnd> {
  const children: string[] = [];
  const seen = { paused: false, used_up: false, models: [] as string[], ended: 0 };
  const show = () => showRun(input, seen);
  const control = controllable({
    paused: false,
    onChange: (signal) => {
      seen.paused = signal === 'pause';
      tell(children, signal);
      show();
    },
  });

  const opened = await run.openRun(input);
  const begunPaused = control.paused;
  seen.models = opened.campaigns.map(({ model }) => model);
  const budget = keepBudget(input, opened, (usedUp) => {
    seen.used_up = usedUp;
    show();
  });
  show();
  const handles = await Promise.all(
    opened.campaigns.map((one) => startCampaign(input, { opened, one, budget, paused: begunPaused })),
  );
  children.push(...handles.map((handle) => handle.workflowId));
  if (control.paused !== begunPaused) tell(children, control.paused ? 'pause' : 'resume');

  const ends = await Promise.allSettled(
    handles.map((handle, index) =>
      ending(handle, { model: opened.campaigns[index]?.model ?? '', budget }).finally(() => {
        seen.ended += 1;
        show();
      }),
    ),
  );
  await budget.saved();
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const cancelled = failures.find(isCancellation);
  const problems = failures
    .filter((failure) => !isCancellation(failure))
    .map((failure) => configProblem(failure) ?? worldProblem(failure));

  const end = await CancellationScope.nonCancellable(() =>
    closing.closeRun({ ...input, ...budget.hours(), problems, cancelled: cancelled !== undefined }),
  );
  showState(input, end.state);
  if (cancelled !== undefined) throw cancelled;
  return end;
}

/** A campaign that has ended cannot hear it, and need not. */
function tell(campaigns: string[], signal: 'pause' | 'resume'): void {
  const signals = { pause, resume };
  for (const id of campaigns)
    void getExternalWorkflowHandle(id)
      .signal(signals[signal])
      .catch(() => undefined);
}

type Of = { model: string; budget: BudgetKeeper };

/** How a campaign ends; what it left of its allowance goes to the others. */
async function ending(handle: ChildWorkflowHandle<typeof campaign>, { model, budget }: Of): Promise<void> {
  try {
    budget.ended(model, await handle.result());
  } catch (failure) {
    budget.ended(model, null);
    throw failure;
  }
}

type Beginning = { opened: OpenedRun; one: OpenedCampaign; budget: BudgetKeeper; paused: boolean };

function startCampaign(
  input: RunInput,
  { opened, one, budget, paused }: Beginning,
): Promise<ChildWorkflowHandle<typeof campaign>> {
  const allowance = budget.first(one.model);
  const first: CampaignInput = {
    run: input.run,
    execution: input.execution,
    ...(input.searchable && { searchable: true }),
    plan: opened.plan,
    model: one.model,
    pace: one.pace,
    ...(one.spending && { spending: one.spending }),
    ...(one.engine && { engine: one.engine }),
    carried: {
      position: 0,
      trees: 0,
      pins: 0,
      paused,
      tally: {},
      parked: [],
      again: [],
      ...(allowance && { allowance }),
    },
  };
  return startChild<typeof campaign>('campaign', {
    workflowId: campaignId(input.run, one.model),
    args: [first],
    staticSummary: `${one.model} · ${input.run}`,
    ...(input.searchable && { typedSearchAttributes: campaignAttributes(input, one.model, paused) }),
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
  });
}
