// Word from a campaign to its run, one after another. An activity passes it on: a signal of the workflow's own would stand before or
// after activities that other lanes begin at the same moment, by how many steps each takes, and whoever makes traces adds steps.
import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { TellActivities } from '../activities/run/tell.ts';
import { queues, type RunWord } from '../domain/plan/boundary.ts';

const control = proxyActivities<TellActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

export type Telling = {
  tell(word: RunWord): void;
  /** Returns when all of it was passed on. */
  told(): Promise<void>;
};

export function tellRun(run: string): Telling {
  let last = Promise.resolve();
  return {
    tell(word) {
      const pass = () => CancellationScope.nonCancellable(() => control.tellRun({ run, word }));
      last = last.then(pass).catch(() => undefined);
    },
    told: () => last,
  };
}
