// Our two kinds of error in Temporal's terms: ours are never retried, the world's carry what it asked us to wait.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { ConfigProblem, sentence, WorldProblem } from '../domain/problems.ts';

type Activity = (...args: never[]) => Promise<unknown>;

/** The same activities, throwing what the retry policies of `workflows/nodes.ts` understand. */
export function withFailures<T extends Record<string, Activity>>(activities: T): T {
  const wrapped = Object.entries(activities).map(([name, activity]) => [name, guarded(activity)]);
  return Object.fromEntries(wrapped) as T;
}

function guarded(activity: Activity): Activity {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      throw asFailure(error);
    }
  };
}

function asFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof ConfigProblem) {
    return ApplicationFailure.create({ message: sentence(error), type: 'ConfigProblem', nonRetryable: true });
  }
  if (error instanceof WorldProblem && error.kind === 'engine_gone') {
    // Nothing comes of asking there again: its campaign waits for another place to ask.
    return ApplicationFailure.create({ message: error.message, type: 'EngineGone', nonRetryable: true });
  }
  if (error instanceof WorldProblem) {
    return ApplicationFailure.create({
      message: error.message,
      type: 'WorldProblem',
      details: [error.kind],
      ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
    });
  }
  return error;
}
