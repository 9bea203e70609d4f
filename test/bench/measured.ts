// Made-up measurements: a contestant's rounds by the rates they came to.
import type { Measured } from '../../bench/results.ts';

/** One round of 1,000 items; seconds are chosen so that it comes to this rate. */
export function measured(contestant: string, rate: number, more: Partial<Measured> = {}): Measured {
  const items = more.items ?? 1_000;
  const isUturn = contestant.startsWith('uturn');
  return {
    contestant,
    latency_ms: 50,
    in_flight: 64,
    round: 1,
    items,
    whole_s: (2 * items) / rate,
    requests_s: items / rate,
    work_s: isUturn ? (1.25 * items) / rate : null,
    cpu_s: items / 1_000,
    cpu_s_of: {},
    peak_mb: 100,
    others_cores: 0.1,
    events: isUturn ? { total: 500, most: 400 } : null,
    store_bytes: isUturn ? 5_000 * items : null,
    served: items,
    other_requests: 0,
    ...more,
  };
}
