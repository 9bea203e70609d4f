// p-values of a family, adjusted to bound the share of false alarms among the alarms (Y. Benjamini & Y. Hochberg, Journal
// of the Royal Statistical Society B 57, 1995).

/** The smallest rate of false discoveries at which each would be one, in the same order. Null is no test and counts for none. */
export function adjusted(ps: (number | null)[]): (number | null)[] {
  const tests = ps.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => b.p - a.p);
  const found: (number | null)[] = ps.map(() => null);
  let least = 1;
  for (const [larger, { p, at }] of tests.entries()) {
    least = Math.min(least, p * (tests.length / (tests.length - larger)));
    found[at] = least;
  }
  return found;
}
