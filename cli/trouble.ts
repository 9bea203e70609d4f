// Failures as Temporal keeps them, in plain words.
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ChildWorkflowFailure, TerminatedFailure } from '@temporalio/common';

/** As much of Temporal's failure message as is read here. */
export type Failure = {
  message?: string | null;
  cause?: Failure | null;
  timeoutFailureInfo?: object | null;
};

/** Why a try of an activity failed. */
export function plainWords(failure: Failure): string {
  if (failure.timeoutFailureInfo) return 'a worker stopped answering; its shard is being taken over';
  return failure.message || 'it failed without saying why';
}

/** What a workflow that is closed failed with; null where it did not. */
export async function failureIn(client: Client, workflow: string): Promise<string | null> {
  try {
    await client.withDeadline(Date.now() + 3_000, () => client.workflow.getHandle(workflow).result());
    return null;
  } catch (error) {
    return error instanceof WorkflowFailedError ? messageOf(error.cause) : null;
  }
}

function messageOf(failure: unknown): string {
  if (failure instanceof TerminatedFailure) return 'its workflow was terminated';
  if ((failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure) && failure.cause)
    return messageOf(failure.cause);
  return failure instanceof Error ? failure.message : 'its workflow failed';
}
