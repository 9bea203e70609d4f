// The SDK's runtime, one for a process: where its logs go and where its metrics are shown, ours beside them.
import { type Logger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { type Metrics, noMetrics } from '../activities/metrics.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { buckets, metricsOn } from './metrics.ts';

/** `flush` shows what was counted until now; otherwise that takes up to a second. */
export type Watching = { metrics: Metrics; flush(): void; stop(): void };

/** @throws ConfigProblem  nothing can listen at the address of the metrics */
export function installRuntime(opts: { role: string; logger: Logger; metricsAt: string | null }): Watching {
  const { logger, metricsAt, role } = opts;
  const logging = { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} };
  if (metricsAt === null) {
    Runtime.install({ logger, telemetryOptions: { logging }, shutdownSignals: [] });
    return { metrics: noMetrics, flush: () => {}, stop: () => {} };
  }
  const histogramBucketOverrides = { uturn_shard_seconds: buckets, uturn_shard_phase_seconds: buckets };
  const prometheus = { bindAddress: metricsAt, histogramBucketOverrides };
  const metrics = { prometheus, globalTags: { role }, attachServiceName: false };
  try {
    Runtime.install({ logger, telemetryOptions: { logging, metrics }, shutdownSignals: [] });
  } catch (cause) {
    throw new ConfigProblem(`metrics cannot be shown at ${metricsAt}: ${String(cause)}`, {
      advice: 'Give each worker of a machine an address of its own in UTURN_METRICS, or unset it.',
      cause,
    });
  }
  const ours = metricsOn(Runtime.instance().metricMeter);
  return { metrics: ours, flush: ours.flush, stop: ours.stop };
}
