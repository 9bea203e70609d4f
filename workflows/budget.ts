// The run's side of its budget: what campaigns draw from, and what somebody raises.
import {
  CancellationScope,
  defineSignal,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { RunActivities } from '../activities/run/run.ts';
import {
  type CampaignProgress,
  campaignId,
  names,
  type OpenedRun,
  queues,
  type RunInput,
} from '../domain/plan/boundary.ts';
import { type Budget, limited, nothing, spentOf } from '../domain/plan/budget.ts';
import {
  type Allowance,
  allowanceOf,
  enter,
  isUsedUp,
  type Ledger,
  openLedger,
  reopen,
  settle,
} from '../domain/plan/ledger.ts';
import { gpusAtWork, hoursOf, type Meter, note, without } from '../domain/plan/meter.ts';
import { use } from './metering.ts';
import { allowance, draw } from './purse.ts';

export const budget = defineSignal<[Budget]>(names.budget);

const records = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

export type BudgetKeeper = {
  /** What a campaign begins with; undefined where the run has no budget. */
  first(model: string): Allowance | undefined;
  /** A campaign has ended, with this progress if it says any: what it did not spend is others'. */
  ended(model: string, progress: CampaignProgress | null): void;
  /** A campaign that had ended is begun again, and needs a share of what is left. */
  again(model: string): void;
  /** Returns when what was raised is written down. */
  saved(): Promise<void>;
  /** Of this execution; nothing where they are not limited. */
  hours(): { gpu_hours?: number };
};

/** Listens to draws and to new limits. `onChange` hears whether all is used up. */
export function keepBudget({ run }: RunInput, opened: OpenedRun, onChange: (usedUp: boolean) => void): BudgetKeeper {
  const models = opened.campaigns.map(({ model }) => model);
  const before = opened.budget?.before ?? nothing;
  const open = (limits: Budget) => openLedger({ limits, before, models });
  let ledger: Ledger | null =
    limited(opened.budget?.limits ?? {}).length === 0 ? null : open(opened.budget?.limits ?? {});
  let saving = Promise.resolve();

  const meter: Meter = new Map();
  let clock: CancellationScope | null = null;
  const hours = () => hoursOf(meter, Date.now());

  const share = () => {
    if (ledger === null) return;
    ledger.used = { ...nothing, gpu_hours: hours() };
    for (const model of settle(ledger))
      void getExternalWorkflowHandle(campaignId(run, model))
        .signal(allowance, allowanceOf(ledger, model))
        .catch(() => undefined);
    onChange(isUsedUp(ledger));
  };

  /** When hours will be used up as things are: nobody else would look. */
  const wind = () => {
    clock?.cancel();
    clock = null;
    const [limit, gpus] = [ledger?.limits.gpu_hours, gpusAtWork(meter)];
    const left = (limit ?? 0) - before.gpu_hours - hours();
    if (limit === undefined || gpus === 0 || left <= 0) return;
    const scope = new CancellationScope();
    clock = scope;
    void scope
      .run(() => sleep(Math.ceil((left / gpus) * 3_600_000) + 1))
      .then(share)
      .catch(() => undefined);
  };

  setHandler(use, (said) => {
    note(meter, said, Date.now());
    share();
    wind();
  });
  setHandler(draw, (said) => {
    if (ledger === null) return;
    enter(ledger, said);
    share();
  });
  setHandler(budget, (limits) => {
    ledger ??= open({});
    ledger.limits = { ...ledger.limits, ...limits };
    share();
    wind();
    const all = ledger.limits;
    const save = () => CancellationScope.nonCancellable(() => records.saveBudget({ run, budget: all }));
    saving = saving.then(save).catch(() => undefined);
  });

  // Campaigns are told of these as they are started.
  if (ledger !== null) settle(ledger);
  return {
    first: (model) => (ledger === null ? undefined : allowanceOf(ledger, model)),
    ended(model, progress) {
      const account = ledger?.accounts.get(model);
      if (ledger === null || account === undefined) return;
      const prices = opened.campaigns.find((one) => one.model === model)?.spending?.prices;
      const spent = progress === null || prices === undefined ? account.spent : spentOf(progress.tally, prices);
      enter(ledger, { model, standing: 'ended', spent, open: nothing, grants: account.grants });
      without(meter, model, Date.now());
      share();
      wind();
    },
    again(model) {
      if (ledger === null) return;
      reopen(ledger, model);
      share();
    },
    saved: () => saving,
    hours: () => (ledger?.limits.gpu_hours === undefined ? {} : { gpu_hours: hours() }),
  };
}
