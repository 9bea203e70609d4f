// The standard normal distribution, as far as intervals need it.

/** Standard normal density. */
export function density(z: number): number {
  return Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** P(Z ≤ z), by the series ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …), which has no cancellation for z ≥ 0. */
export function cumulative(z: number): number {
  if (z < 0) return 1 - cumulative(-z);
  if (z > 38) return 1;
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return Math.min(1, 0.5 + density(z) * sum);
}

/**
 * The z with P(Z ≤ z) = p, for 0 < p < 1; good to about 1e-9 for p within 1e-7 … 1 − 1e-7, which no interval leaves.
 * Newton from 0: the distribution is concave there, so steps never overshoot and shrink until they no longer count.
 */
export function quantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a quantile needs 0 < p < 1, not ${p}`);
  if (p < 0.5) return -quantile(1 - p);
  let z = 0;
  for (let round = 0; round < 200; round++) {
    const step = (p - cumulative(z)) / density(z);
    if (step < 1e-15) break;
    z += step;
  }
  return z;
}
