// Made-up measurements whose truth is known: each seed is another experiment.
import type { Cluster } from '../../domain/stats/bootstrap.ts';
import type { PairTable } from '../../domain/stats/newcombe.ts';
import type { PairedItem } from '../../domain/stats/paired.ts';
import { bitsAt, streamKey } from '../../domain/stats/random.ts';

/** The next number in 0 … 1. */
export type Chance = () => number;

export function chances(seed: number, stream: number): Chance {
  const key = streamKey(seed, stream);
  let position = 0;
  return () => (bitsAt(key, position++) + 0.5) / 2 ** 32;
}

/** How hard the items of a data set are: how likely each is answered right, and how likely on average. */
export type Items = { name: string; mean: number; draw(chance: Chance): number };

export const itemKinds: Items[] = [
  { name: 'even', mean: 0.5, draw: (chance) => chance() },
  { name: 'easy', mean: 0.9, draw: (chance) => 0.8 + 0.2 * chance() },
  // Most items are nearly always right or nearly always wrong, as they are at a low temperature.
  { name: 'decided', mean: 0.3 * 0.02 + 0.6 * 0.98 + 0.1 * 0.5, draw: decided },
];

function decided(chance: Chance): number {
  const kind = chance();
  if (kind < 0.3) return 0.02;
  return kind < 0.9 ? 0.98 : chance();
}

export function sampled(n: number, probability: number, chance: Chance): Cluster {
  let successes = 0;
  for (let one = 0; one < n; one++) if (chance() < probability) successes += 1;
  return { successes, n };
}

export type Design = { kind: Items; items: number; before: number; after: number };

/** Each right answer is lost with the same chance, so that the rate falls by `drop`. */
export function measuredTwice({ kind, items, before, after }: Design, drop: number, chance: Chance): PairedItem[] {
  return Array.from({ length: items }, () => {
    const right = kind.draw(chance);
    return {
      before: sampled(before, right, chance),
      after: sampled(after, right * (1 - drop / kind.mean), chance),
    };
  });
}

/** Pairs of which a share changes to and fro, and `drop` more are lost. */
export function pairTable(
  n: number,
  { right, churn, drop }: Record<'right' | 'churn' | 'drop', number>,
  chance: Chance,
): PairTable {
  const table = { both: 0, lost: 0, gained: 0, neither: 0 };
  const lost = churn / 2 + drop;
  for (let pair = 0; pair < n; pair++) {
    const u = chance();
    if (u < lost) table.lost += 1;
    else if (u < right) table.both += 1;
    else if (u < right + churn / 2) table.gained += 1;
    else table.neither += 1;
  }
  return table;
}

/** The pairs of a table one by one. */
export function pairItems({ both, lost, gained, neither }: PairTable): PairedItem[] {
  const of = (count: number, [before, after]: [number, number]): PairedItem[] =>
    Array.from({ length: count }, () => ({ before: { successes: before, n: 1 }, after: { successes: after, n: 1 } }));
  return [...of(both, [1, 1]), ...of(lost, [1, 0]), ...of(gained, [0, 1]), ...of(neither, [0, 0])];
}
