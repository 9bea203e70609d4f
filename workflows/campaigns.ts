// The campaigns of a run, one a model: begun, followed to their ends, and begun again where what failed is to be tried again.
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  type ChildWorkflowHandle,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  patched,
  proxyActivities,
  startChild,
} from '@temporalio/workflow';
import type { RunActivities } from '../activities/run/run.ts';
import {
  type CampaignInput,
  type CampaignProgress,
  campaignId,
  type OpenedCampaign,
  type OpenedRun,
  queues,
  type ReopenedCampaign,
  type RunInput,
} from '../domain/plan/boundary.ts';
import { campaignAttributes } from './board.ts';
import type { BudgetKeeper } from './budget.ts';
import type { campaign } from './campaign.ts';
import type { Held } from './held.ts';
import type { Speed } from './speed.ts';

const records = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

type Handle = ChildWorkflowHandle<typeof campaign>;
type End = PromiseSettledResult<CampaignProgress>;
type Of = { opened: OpenedRun; budget: BudgetKeeper; held: Held; speed: Speed };

export type Campaigns = {
  begin(one: OpenedCampaign): Promise<Handle>;
  /**
   * How each of them ended at last, in the order of their models. One that has ended is begun again while others are still at
   * work, where that is wanted and may mend something. `onChange` hears how many are at work.
   */
  follow(handles: Handle[], onChange: (open: number) => void): Promise<End[]>;
};

export function campaignsOf(input: RunInput, { opened, budget, held, speed }: Of): Campaigns {
  const begin = (one: OpenedCampaign, reopened: ReopenedCampaign | null) => {
    const lanes = speed.lanesOf(one.model) ?? one.pace.lanes;
    const at = { plan: opened.plan, one: { ...one, pace: { ...one.pace, lanes } }, reopened };
    return startCampaign(input, { ...at, budget, paused: held.isPaused(one.model) });
  };
  const again = async (one: OpenedCampaign) => {
    held.settled(one.model);
    const { run, execution } = input;
    const reopened = await records.reopenCampaign({ run, execution, model: one.model });
    budget.again(one.model);
    return begin(one, reopened);
  };

  return {
    begin: (one) => begin(one, null),
    async follow(handles, onChange) {
      void CancellationScope.current().cancelRequested.catch(() => reachAll(handles));
      let open = handles.length;
      const change = (by: number) => {
        open += by;
        onChange(open);
      };
      const wanted = (model: string) =>
        condition(() => held.isWanted(model) || open === 0).then(() => held.isWanted(model));

      const course = async (one: OpenedCampaign, first: Handle): Promise<CampaignProgress> => {
        for (let handle = first; ; ) {
          const end = await endOf(handle);
          budget.ended(one.model, end.status === 'fulfilled' ? end.value : null);
          change(-1);
          // Cancelled while it waits, it has ended as it has.
          if (!mayBeMended(end) || !(await wanted(one.model).catch(() => false))) return valueOf(end);
          change(+1);
          handle = await again(one);
        }
      };
      return Promise.allSettled(
        handles.map((handle, index) => {
          const one = opened.campaigns[index];
          if (one === undefined) throw new RangeError(`no campaign ${index}`);
          return course(one, handle);
        }),
      );
    },
  };
}

/** Temporal cancels the execution that a child began with, which one that has continued as new does not hear of. */
function reachAll(campaigns: Handle[]): void {
  if (!patched('cancel-campaigns-by-name')) return;
  for (const { workflowId } of campaigns)
    void CancellationScope.nonCancellable(() => getExternalWorkflowHandle(workflowId).cancel()).catch(() => undefined);
}

/** It failed, or some of what it made is errors. */
function mayBeMended(end: End): boolean {
  if (end.status === 'rejected') return !isCancellation(end.reason);
  return Object.values(end.value.tally).some(({ errors }) => errors > 0);
}

async function endOf(handle: Handle): Promise<End> {
  const [end] = await Promise.allSettled([handle.result()]);
  return end;
}

function valueOf(end: End): CampaignProgress {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

type Beginning = {
  plan: string;
  one: OpenedCampaign;
  budget: BudgetKeeper;
  paused: boolean;
  /** What it goes on from that has ended in this execution before. */
  reopened: ReopenedCampaign | null;
};

function startCampaign(input: RunInput, { plan, one, budget, paused, reopened }: Beginning): Promise<Handle> {
  const allowance = budget.first(one.model);
  const first: CampaignInput = {
    run: input.run,
    execution: input.execution,
    ...(input.searchable && { searchable: true }),
    plan,
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
      ...reopened,
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
