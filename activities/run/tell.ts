// Word from a campaign to its run.
import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { names, type RunWord } from '../../domain/plan/boundary.ts';

export function tellActivities() {
  return {
    /** Passes it on. The same word again changes nothing there, and a run that is over needs none. */
    async tellRun({ run, word }: { run: string; word: RunWord }): Promise<void> {
      const handle = Context.current().client.workflow.getHandle(run);
      try {
        if ('draw' in word) await handle.signal(names.draw, word.draw);
        else await handle.signal(names.use, word.use);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}

export type TellActivities = ReturnType<typeof tellActivities>;
