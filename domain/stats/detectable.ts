// How small a drop a paired comparison can find. After R. J. Connor, Sample size for testing differences in proportions
// for the paired-sample design, Biometrics 43, 1987; one sample is taken off, since exact tests go by whole ones.
import { quantile } from './normal.ts';

/**
 * `churn`: variance of the items' differences where nothing but chance changes them; with one sample each that is the share of
 * pairs that change. `alpha`: of this one test, two-sided. `at_least`: what a drop must measure besides being significant.
 */
export type Design = {
  items: number;
  samples: number;
  churn: number;
  alpha: number;
  power: number;
  at_least: number;
};

/**
 * The smallest drop, as a share, that is found with this power; null where none is. It is taken to come on top of the churn and to
 * meet every sample alike. One that comes from items which are lost with all of their samples must be larger.
 */
export function detectable(design: Design): number | null {
  if (design.items === 0 || !isFound(1, design)) return null;
  let [low, high] = [0, 1];
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (isFound(middle, design)) high = middle;
    else low = middle;
  }
  return high;
}

function isFound(drop: number, { items, samples, churn, alpha, power, at_least }: Design): boolean {
  const variance = Math.min(1 - drop ** 2, churn + (drop * (1 - drop) * items) / samples);
  const significant = quantile(1 - alpha / 2) * Math.sqrt((variance + drop ** 2) / items) + 1 / samples;
  return drop >= Math.max(significant, at_least) + quantile(power) * Math.sqrt(variance / items);
}
