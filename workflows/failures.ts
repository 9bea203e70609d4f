// Reading failures that came across from activities and children.
import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure } from '@temporalio/workflow';

/** The sentence of a problem that somebody has to fix, or null where the failure is the world's. */
export function configProblem(failure: unknown): string | null {
  const cause = root(failure);
  return cause instanceof ApplicationFailure && cause.type === 'ConfigProblem' ? cause.message : null;
}

/** The world's failure in a sentence short enough for a history. */
export function worldProblem(failure: unknown): string {
  const cause = root(failure);
  return cause instanceof Error ? cause.message.slice(0, 200) : String(cause).slice(0, 200);
}

/** The shard's engine does not answer any more, or there is none yet. */
export function engineGone(failure: unknown): boolean {
  const cause = root(failure);
  return cause instanceof ApplicationFailure && cause.type === 'EngineGone';
}

/** What went wrong in the first place. */
export function root(failure: unknown): unknown {
  if (failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure)
    return failure.cause ? root(failure.cause) : failure;
  return failure;
}
