// Cohen's h: how far two shares lie apart on a scale on which differences are equally easy to see, near 0 and 1 as in the
// middle (J. Cohen, Statistical Power Analysis, 1988, ch. 6). About 0.2 is small, 0.5 medium, 0.8 large.

/** Of a share that was `before` and is `after`: negative where it fell. */
export function cohensH(before: number, after: number): number {
  return angle(after) - angle(before);
}

function angle(share: number): number {
  return 2 * Math.asin(Math.sqrt(Math.min(1, Math.max(0, share))));
}
