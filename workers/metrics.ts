// Our metrics on the SDK's meter, which shows them beside its own. A call into the SDK costs more than a request may, so
// counters are summed here and handed over a second at a time.
import type { MetricCounter, MetricGauge, MetricHistogram, MetricMeter } from '@temporalio/common';
import { type MetricName, type Metrics, metrics } from '../activities/metrics.ts';

/** Seconds: from shards of the fake server to hours of a slow model. */
export const buckets = [0.05, 0.2, 1, 5, 20, 60, 300, 1_200, 3_600];

const everyMs = 1_000;

type Sum = { metric: MetricCounter; value: number };
type Watched = { metric: MetricGauge; reads: Set<() => number> };

/** `stop` hands over what is left. */
export function metricsOn(meter: MetricMeter): Metrics & { flush(): void; stop(): void } {
  const sums = new Map<string, Sum>();
  const gauges = new Map<string, Watched>();
  const histograms = new Map<string, MetricHistogram>();

  const flush = () => {
    for (const sum of sums.values()) {
      const whole = Math.floor(sum.value);
      if (whole > 0) sum.metric.add(whole);
      sum.value -= whole;
    }
    for (const { metric, reads } of gauges.values()) {
      metric.set([...reads].reduce((total, read) => total + read(), 0));
    }
  };
  const timer = setInterval(flush, everyMs);
  timer.unref();

  const about = (name: MetricName) => metrics[name].about;
  return {
    count(name, labels, n = 1) {
      const key = keyOf(name, labels);
      const sum = sums.get(key) ?? { metric: meter.createCounter(name, '', about(name)).withTags(labels), value: 0 };
      sums.set(key, sum);
      sum.value += n;
    },
    observe(name, labels, value) {
      const key = keyOf(name, labels);
      const made = histograms.get(key) ?? meter.createHistogram(name, 'float', 's', about(name)).withTags(labels);
      histograms.set(key, made);
      made.record(value);
    },
    watch(name, labels, read) {
      const key = keyOf(name, labels);
      const made = gauges.get(key) ?? {
        metric: meter.createGauge(name, 'int', '', about(name)).withTags(labels),
        reads: new Set(),
      };
      gauges.set(key, made);
      made.reads.add(read);
      return () => void made.reads.delete(read);
    },
    flush,
    stop() {
      clearInterval(timer);
      flush();
    },
  };
}

function keyOf(name: string, labels: Record<string, string>): string {
  return `${name}\n${Object.values(labels).join('\n')}`;
}
