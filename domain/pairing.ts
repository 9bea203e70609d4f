// Samples of one cell as two runs measured them, paired by item and sample.
import type { CellInput } from './cell.ts';
import { type Chain, eachChain, type Heard } from './chain.ts';
import type { PairedItem } from './stats/paired.ts';

/** What is compared, as every table counts it: answers that are right among all that were checked, user turns that are genuine among the decided. */
export const measures = ['accuracy', 'follow_up'] as const;
export type Measure = (typeof measures)[number];

/** What became of a sample: `unchecked` has no answer to check, `missing` no record yet. */
export type Fate = Chain['answer'] | Heard['verdict'];

/** Of every sample, item by item. */
export type CellFates = { items: string[]; samples: number; fates: Record<Measure, Fate[]> };

/** A sample that is a success on one side and a failure on the other. `at`: the item's position on each side. */
export type Flip = { item: string; sample: number; at: { before: number; after: number }; before: Fate; after: Fate };

export type Pairing = {
  items: PairedItem[];
  /** What became of the samples that both have: counts by fate. */
  fates: { before: Partial<Record<Fate, number>>; after: Partial<Record<Fate, number>> };
  /** Samples that both have and that are not compared, as one side has neither a success nor a failure there. */
  left_out: number;
  flips: Flip[];
};

/** `same`: the position on each side of every item that is the same in both. */
export type SameItem = { item: string; before: number; after: number };

export function fatesOf(input: CellInput): CellFates {
  const fates: CellFates['fates'] = { accuracy: [], follow_up: [] };
  eachChain(input, (_, { answer, turn }) => {
    fates.accuracy.push(answer);
    fates.follow_up.push(turn.verdict);
  });
  return { items: input.items, samples: input.samples, fates };
}

/** Samples of the same number are pairs; those that one side has more are nobody's. */
export function pairing(measure: Measure, cell: { before: CellFates; after: CellFates }, same: SameItem[]): Pairing {
  const samples = Math.min(cell.before.samples, cell.after.samples);
  const found: Pairing = { items: [], fates: { before: {}, after: {} }, left_out: 0, flips: [] };
  for (const { item, ...at } of same) {
    const [before, after] = [
      { successes: 0, n: 0 },
      { successes: 0, n: 0 },
    ];
    for (let sample = 0; sample < samples; sample += 1) {
      const was = fateAt(cell.before, { measure, item: at.before, sample });
      const is = fateAt(cell.after, { measure, item: at.after, sample });
      found.fates.before[was] = (found.fates.before[was] ?? 0) + 1;
      found.fates.after[is] = (found.fates.after[is] ?? 0) + 1;
      const [succeeded, succeeds] = [successOf(was), successOf(is)];
      if (succeeded === undefined || succeeds === undefined) {
        found.left_out += 1;
        continue;
      }
      before.n += 1;
      after.n += 1;
      before.successes += succeeded;
      after.successes += succeeds;
      if (succeeded !== succeeds) found.flips.push({ item, sample, at, before: was, after: is });
    }
    found.items.push({ before, after });
  }
  return found;
}

function fateAt({ samples, fates }: CellFates, at: { measure: Measure; item: number; sample: number }): Fate {
  return fates[at.measure][at.item * samples + at.sample] ?? 'missing';
}

const successes: Partial<Record<Fate, 0 | 1>> = {
  right: 1,
  wrong: 0,
  unscored: 0,
  truncated: 0,
  genuine: 1,
  not_genuine: 0,
};

/** 1 of a success, 0 of a failure, undefined of what is neither and in no rate: errors, undecided, missing, unchecked. */
export function successOf(fate: Fate): 0 | 1 | undefined {
  return successes[fate];
}
