// How hard a run drives its servers, as somebody sets it anew: written down first, then told to its campaigns.
import {
  CancellationScope,
  defineSignal,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { RunActivities } from '../activities/run/run.ts';
import { campaignId, names, queues, type RunInput } from '../domain/plan/boundary.ts';
import type { Concurrency } from '../domain/plan/concurrency.ts';
import { lanes } from './control.ts';

export const concurrency = defineSignal<[Concurrency]>(names.concurrency);

const records = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

export type Speed = {
  /** Lanes of a model's campaign as they were last set; null where nobody did. */
  lanesOf(model: string): number | null;
  /** Returns when what was set is written down. */
  saved(): Promise<void>;
};

/** Workers read what is written down; a campaign hears of its lanes, if it is there. */
export function keepSpeed({ run }: RunInput): Speed {
  let now: Record<string, number> = {};
  let saving = Promise.resolve();
  const set = async (word: Concurrency) => {
    now = await records.setConcurrency({ run, word });
    for (const [model, width] of Object.entries(now))
      void getExternalWorkflowHandle(campaignId(run, model))
        .signal(lanes, width)
        .catch(() => undefined);
  };
  setHandler(concurrency, (word) => {
    const save = () => CancellationScope.nonCancellable(() => set(word));
    saving = saving.then(save).catch(() => undefined);
  });
  return { lanesOf: (model) => now[model] ?? null, saved: () => saving };
}
