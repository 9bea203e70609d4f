// How attempts are named: by the run they work for, and by nothing else that was ever there.
import type { Context } from '@temporalio/activity';
import type { ShardRef } from '../../domain/plan/boundary.ts';

type Of = Pick<ShardRef, 'run' | 'execution'>;

/** Segments are named by their writer, so no two attempts may share a name. */
export function attemptName({ info }: Context, ref: Of): string {
  return `${activityOf(info, ref)}${info.attempt}`;
}

/** What the names of an execution's attempts begin with. */
export function executionPrefix({ run, execution }: Of): string {
  return `${run}.${execution}.`;
}

/**
 * What the names begin with of all attempts whose records are this activity's to count: those of its execution, which
 * goes through every shard once. What all cells share is counted by who made it.
 */
export function countedPrefix({ info }: Context, ref: Of & Pick<ShardRef, 'stage'>): string {
  return ref.stage === 'reference_judgement' ? activityOf(info, ref) : executionPrefix(ref);
}

function activityOf({ workflowExecution, activityId }: Context['info'], ref: Of): string {
  return `${executionPrefix(ref)}${workflowExecution?.runId ?? 'none'}.${activityId}.`;
}
