// How many requests were in flight, by when each began and how long it took.

export type Span = { begun: number; ms: number };

export type Busy = {
  add(span: Span): void;
  /** On average, between the first beginning and the last end; null where nothing took any time. */
  mean(): number | null;
};

export function busy(): Busy {
  let [first, last, spent] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  return {
    add({ begun, ms }) {
      first = Math.min(first, begun);
      last = Math.max(last, begun + ms);
      spent += ms;
    },
    mean: () => (last > first ? spent / (last - first) : null),
  };
}
