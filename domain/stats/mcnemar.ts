// McNemar's test for paired yes-or-no outcomes (Q. McNemar, Psychometrika 12, 1947), exact: given how many pairs
// changed, either direction is as likely as the other where nothing changed but by chance.

/** How many pairs were lost (yes before, no after) and gained. */
export type Flips = { lost: number; gained: number };

/** Two-sided p-value: twice the smaller tail of the binomial, at most 1. No pair that changed: 1. Never 0. */
export function mcnemar({ lost, gained }: Flips): number {
  if (!(lost >= 0 && gained >= 0)) throw new RangeError(`${lost} lost and ${gained} gained are no counts`);
  const n = lost + gained;
  const fewer = Math.min(lost, gained);
  let logChoose = 0;
  let tail = 0;
  for (let k = 0; k <= fewer; k++) {
    if (k > 0) logChoose += Math.log((n - k + 1) / k);
    tail += Math.exp(logChoose - n * Math.LN2);
  }
  return Math.min(1, Math.max(2 * tail, Number.MIN_VALUE));
}
