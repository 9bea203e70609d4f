// What is told of every activity: fields for each line of its log, and of shards what they came to.
import type { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors, ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Metrics } from '../activities/metrics.ts';
import type { ShardCounts, ShardRef } from '../domain/plan/boundary.ts';
import type { Traces } from '../local/traces.ts';
import { type Fields, kindOf } from './logs.ts';

/** For every worker of a process. Sees what goes in and out of activities: names, keys and counts. */
export function observing(metrics: Metrics, traces: Pick<Traces, 'mark'> | null): ActivityInterceptorsFactory {
  return (context): ActivityInterceptors => {
    let fields: Fields = {};
    return {
      inbound: {
        async execute(input, next) {
          const [first] = input.args;
          fields = subjectOf(first);
          traces?.mark({ ...fields, attempt: context.info.attempt });
          if (!isShard(first)) return next(input);
          const begun = performance.now();
          try {
            const counts = (await next(input)) as ShardCounts;
            sealed(metrics, { ref: first, counts, ms: performance.now() - begun, context });
            return counts;
          } catch (failure) {
            metrics.count('uturn_shards_total', { stage: first.stage, outcome: outcomeOf(failure) });
            throw failure;
          }
        },
      },
      outbound: { getLogAttributes: (input, next) => next({ ...input, ...fields }) },
    };
  };
}

function sealed(metrics: Metrics, at: { ref: ShardRef; counts: ShardCounts; ms: number; context: Context }): void {
  const { ref, counts, ms, context } = at;
  const { stage, model } = ref;
  const { records, errors, made, tokens, requests } = counts;
  metrics.count('uturn_shards_total', { stage, outcome: 'sealed' });
  metrics.observe('uturn_shard_seconds', { stage }, ms / 1_000);
  metrics.count('uturn_records_total', { stage, model, outcome: 'made' }, made - errors);
  metrics.count('uturn_records_total', { stage, model, outcome: 'error' }, errors);
  metrics.count('uturn_records_total', { stage, model, outcome: 'adopted' }, records - made);
  metrics.count('uturn_tokens_total', { stage, model }, tokens);
  context.log.info('shard sealed', { ms: Math.round(ms), records, made, errors, tokens, requests });
}

function outcomeOf(failure: unknown): string {
  return failure instanceof CancelledFailure ? 'cancelled' : kindOf(failure).kind;
}

function isShard(input: unknown): input is ShardRef {
  return isObject(input) && typeof input['stage'] === 'string' && typeof input['key'] === 'string';
}

/** What an activity is about, as far as its input says so in words and numbers. */
function subjectOf(input: unknown): Fields {
  if (!isObject(input)) return {};
  const { run, model, stage, key, block, sample } = input;
  return { run, model, stage, key, block, sample };
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null;
}
