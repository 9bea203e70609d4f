// One node = one activity: which activity does which stage, on which queue, with what patience.
import { ActivityCancellationType, type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type { InferenceActivities } from '../activities/inference/turns.ts';
import type { JudgeActivities } from '../activities/judge/judge.ts';
import type { ScoringActivities } from '../activities/scoring/score.ts';
import { type Pace, queues, type ShardCounts, type ShardRef } from '../domain/plan/boundary.ts';
import type { Stage } from '../domain/records/record.ts';
import type { Holding } from './holding.ts';

export type RunNode = (ref: ShardRef) => Promise<ShardCounts>;

type NodeActivity = { executeWithOptions(options: ActivityOptions, args: [ShardRef]): Promise<ShardCounts> };

/** The activity of every stage. The world's failures are retried `pace.attempts` times, ours never. */
export function nodeRunner(pace: Pace, holding: Holding): RunNode {
  const generation = proxyActivities<InferenceActivities>({ ...shardOptions(pace), taskQueue: queues.inference });
  const judges = proxyActivities<JudgeActivities>({ ...shardOptions(pace), taskQueue: queues.judge });
  const scoring = proxyActivities<ScoringActivities>({ ...shardOptions(pace), taskQueue: queues.control });
  const byStage: Record<Stage, RunNode> = {
    assistant_turn: holding.through(named(generation.assistantTurns)),
    perturbed_turn: holding.through(named(generation.perturbedTurns)),
    user_turn: holding.through(named(generation.userTurns)),
    judgement: named(judges.judgeTurns),
    reference_judgement: named(judges.judgeReferences),
    score: named(scoring.scoreAnswers),
  };
  return (ref) => byStage[ref.stage](ref);
}

/** Temporal's page says which shard an activity is about. */
function named(activity: NodeActivity): RunNode {
  return (ref) => {
    const under = ref.condition === undefined ? '' : ` ${ref.condition},`;
    const summary = `${ref.data}, T ${ref.temperature},${under} sample ${ref.sample}, block ${ref.block}`;
    return activity.executeWithOptions({ summary }, [ref]);
  };
}

function shardOptions(pace: Pace): ActivityOptions {
  return {
    startToCloseTimeout: '6 hours',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '15 seconds',
      maximumAttempts: pace.attempts,
      nonRetryableErrorTypes: ['ConfigProblem'],
    },
  };
}
