// Where the middle of some values lies: median and quartiles, between two values by their distance (R's type 7, numpy's default).

export type Quartiles = { n: number; low: number; median: number; high: number };

/** Null of no values. */
export function quartiles(values: number[]): Quartiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return below + (place - Math.floor(place)) * (above - below);
  };
  return sorted.length === 0 ? null : { n: sorted.length, low: at(0.25), median: at(0.5), high: at(0.75) };
}
