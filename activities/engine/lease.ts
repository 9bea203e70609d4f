// What workflows cannot do themselves about engines: start one that may be there already, and look who is still open.
import { Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { queues } from '../../domain/plan/boundary.ts';
import { type EngineRef, engineNames, freshLease } from '../../domain/plan/lease.ts';

export function engineActivities() {
  return {
    /** Adds a holder to the engine; starts its workflow where nobody holds it yet. Asked again, changes nothing. */
    async acquireEngine({ id, order, holder }: EngineRef & { holder: string }): Promise<void> {
      await Context.current().client.workflow.signalWithStart('engine', {
        workflowId: id,
        taskQueue: queues.control,
        args: [freshLease({ id, order })],
        signal: engineNames.acquire,
        signalArgs: [holder],
      });
    },

    /** Which of these workflows are open. */
    async lookAtEngine(at: { holders: string[]; epoch: string }): Promise<{ holders: string[]; open: boolean }> {
      const { client } = Context.current();
      const open = await Promise.all(at.holders.map((holder) => isOpen(client, holder)));
      return { holders: at.holders.filter((_, index) => open[index]), open: await isOpen(client, at.epoch) };
    },
  };
}

export type EngineActivities = ReturnType<typeof engineActivities>;

async function isOpen(client: Client, workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
