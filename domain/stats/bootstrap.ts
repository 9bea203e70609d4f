// Rates over several samples per item. Samples of one item resemble each other, so they are no independent
// observations: items are resampled, each with all its samples (cluster bootstrap, percentile interval).
import { type Draws, drawing } from './draws.ts';
import type { Rate } from './rate.ts';
import { rate, wilsonInterval } from './wilson.ts';

/** The samples of one item. */
export type Cluster = { successes: number; n: number };

/**
 * Share of successes over all clusters, with an interval that respects them. The same for any order of the clusters.
 * Where resampling has nothing to say, Wilson's interval stands in:
 * - one sample in every cluster: they are independent, so this is `rate`;
 * - one cluster, or the same share in all: every resample would be equal and the interval of width zero, a lie.
 *   Wilson then takes the number of clusters as its n, as if the samples within each said the same thing.
 * Otherwise the interval is a little narrow with few items or rare successes: simulated, a nominal 95 % held the
 * truth in 91 to 94 % of draws (12 to 200 items of 4 to 8 samples).
 * Clusters without samples are left out; `n` is the number of samples; none at all: null.
 */
export function clusteredRate(clusters: Cluster[], { level = 0.95, ...how }: { level?: number } & Resampling): Rate {
  const filled = clusters.filter(({ n }) => n > 0).sort((a, b) => a.n - b.n || a.successes - b.successes);
  const successes = filled.reduce((sum, cluster) => sum + cluster.successes, 0);
  const n = filled.reduce((sum, cluster) => sum + cluster.n, 0);
  if (n === filled.length) return rate(successes, n, level);

  const value = successes / n;
  if (allAlike(filled)) return { value, ...wilsonInterval(value, filled.length, level), n };
  return { value, ...percentileInterval(resampledShares(filled, drawsOf(how)), { value, level }), n };
}

function allAlike(clusters: Cluster[]): boolean {
  const first = clusters[0];
  return first === undefined || clusters.every(({ successes, n }) => successes * first.n === first.successes * n);
}

/** A seed, or the draws themselves, which rates of one seed may share. */
export type Resampling = { seed: number; draws?: number } | { drawn: Draws };

export function drawsOf(how: Resampling): Draws {
  return 'drawn' in how ? how.drawn : drawing(how.seed, how.draws);
}

/** Successes over n of each resample, ascending. */
export function resampledShares(clusters: Cluster[], drawn: Draws): Float64Array {
  const successes = Float64Array.from(clusters, (cluster) => cluster.successes);
  const sizes = Float64Array.from(clusters, (cluster) => cluster.n);
  const shares = new Float64Array(drawn.draws);
  for (let draw = 0; draw < drawn.draws; draw++) {
    const picked = drawn.of(clusters.length, draw);
    let hits = 0;
    let total = 0;
    for (let position = 0; position < picked.length; position++) {
      const index = picked[position] ?? 0;
      hits += successes[index] ?? 0;
      total += sizes[index] ?? 0;
    }
    shares[draw] = hits / total;
  }
  return shares.sort();
}

/** The middle `level` of the resampled shares, rounded outwards and widened, if need be, to hold the value itself. */
export function percentileInterval(
  shares: Float64Array,
  { value, level }: { value: number; level: number },
): { low: number; high: number } {
  const last = shares.length - 1;
  const low = shares[Math.floor(((1 - level) / 2) * last)] ?? value;
  const high = shares[Math.ceil(((1 + level) / 2) * last)] ?? value;
  return { low: Math.min(low, value), high: Math.max(high, value) };
}
