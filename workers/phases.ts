// The phases of shards, timed, and each a span where traces are made.
import type { Metrics } from '../activities/metrics.ts';
import type { Phase } from '../activities/shard/work.ts';
import type { Traces } from '../local/traces.ts';

export function timedPhases(metrics: Metrics, traces: Pick<Traces, 'span'> | null): Phase {
  return async (phase, { stage }, work) => {
    const begun = performance.now();
    const result = await (traces === null ? work() : traces.span(`shard.${phase}`, work));
    metrics.observe('uturn_shard_phase_seconds', { stage, phase }, (performance.now() - begun) / 1_000);
    return result;
  };
}
