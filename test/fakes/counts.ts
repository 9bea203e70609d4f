// Metrics kept in memory, so that a test reads what was counted.
import type { Metrics } from '../../activities/metrics.ts';

/** `seen()`: sums by `name{label=value,…}`; durations are left out, which no test can know. */
export function countingMetrics(): Metrics & { seen(): Record<string, number> } {
  const sums = new Map<string, number>();
  const gauges = new Map<string, Set<() => number>>();
  const nameOf = (name: string, labels: Record<string, string>) =>
    `${name.replace(/^uturn_/, '')}{${Object.entries(labels)
      .map(([label, value]) => `${label}=${value}`)
      .join()}}`;
  const add = (name: string, labels: Record<string, string>, n: number) =>
    sums.set(nameOf(name, labels), (sums.get(nameOf(name, labels)) ?? 0) + n);
  return {
    count: (name, labels, n = 1) => {
      if (!name.includes('milliseconds')) add(name, labels, n);
    },
    observe: (name, labels) => add(`${name}_count`, labels, 1),
    watch(name, labels, read) {
      const reads = gauges.get(nameOf(name, labels)) ?? new Set();
      gauges.set(nameOf(name, labels), reads.add(read));
      return () => void reads.delete(read);
    },
    seen() {
      const now = [...gauges].map(
        ([name, reads]) => [name, [...reads].reduce((sum, read) => sum + read(), 0)] as const,
      );
      return Object.fromEntries([...sums, ...now].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
