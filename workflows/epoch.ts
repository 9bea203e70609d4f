// One start of an engine's server: a single long activity, and word of how it ended.
import {
  ActivityCancellationType,
  ApplicationFailure,
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { GpuActivities } from '../activities/engine/serve.ts';
import { queues } from '../domain/plan/boundary.ts';
import { type EpochEnd, type EpochInput, type EpochProblem, engineNames } from '../domain/plan/lease.ts';
import { configProblem, root } from './failures.ts';

/**
 * Never tried again here: another start is another epoch, and that is for the lease to decide. Loading a large model takes
 * long, so a Temporal that is away for some seconds must not cost it.
 */
const gpu = proxyActivities<GpuActivities>({
  taskQueue: queues.gpu,
  startToCloseTimeout: '10 years',
  heartbeatTimeout: '30 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 1 },
});

export async function epoch(input: EpochInput): Promise<void> {
  const problem = await gpu.serveEngine(input).then(() => null, problemOf);
  const end: EpochEnd = { epoch: input.epoch, problem };
  const lease = getExternalWorkflowHandle(input.id);
  // A lease that is gone waits for nothing.
  await CancellationScope.nonCancellable(() => lease.signal(engineNames.ended, end)).catch(() => undefined);
}

function problemOf(failure: unknown): EpochProblem | null {
  if (isCancellation(failure)) return null;
  const config = configProblem(failure);
  if (config !== null) return { kind: 'config', message: config };
  const cause = root(failure);
  if (!(cause instanceof ApplicationFailure)) return { kind: 'world', message: 'the worker that served it is gone' };
  return { kind: cause.details?.[0] === 'engine_start' ? 'start' : 'world', message: cause.message };
}
