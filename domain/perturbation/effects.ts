// What a condition does to user turns: against base, item by item and sample by sample, of the same answers.
import type { Resampling } from '../stats/bootstrap.ts';
import { type Paired, type PairedItem, paired } from '../stats/paired.ts';
import type { Rate } from '../stats/rate.ts';
import { caseOf, shareOver } from '../stats/share.ts';

/** One user turn. `digest`: of its text, null where there is none; `genuine`: null where no judge decided. */
export type TurnSeen = { digest: string | null; genuine: boolean | null };

/** Turns of one cell under one condition: items in the order of the data, each with its samples. */
export type TurnsSeen = TurnSeen[][];

export type Effect = {
  /** Among pairs that both have: whose text is another one. */
  changed: Rate;
  /** Among pairs that are decided on both sides: whose genuine decision is another one. */
  flipped: Rate;
  /** Pairs that at least one side leaves undecided, and that are in neither `flipped` nor `genuine`. */
  undecided: number;
  /** Genuine turns among the decided, the condition after base. */
  genuine: Paired;
};

export function effectOf(base: TurnsSeen, other: TurnsSeen, how: Resampling): Effect {
  const [changed, flipped] = [shareOver(base.length), shareOver(base.length)];
  const pairs: PairedItem[] = [];
  let undecided = 0;
  for (const [item, samples] of base.entries()) {
    const [before, after] = [
      { successes: 0, n: 0 },
      { successes: 0, n: 0 },
    ];
    for (const [sample, was] of samples.entries()) {
      const is = other[item]?.[sample];
      if (is === undefined || was.digest === null || is.digest === null) continue;
      changed.add(item, caseOf(was.digest !== is.digest));
      if (was.genuine === null || is.genuine === null) {
        undecided += 1;
        continue;
      }
      flipped.add(item, caseOf(was.genuine !== is.genuine));
      before.n += 1;
      after.n += 1;
      before.successes += Number(was.genuine);
      after.successes += Number(is.genuine);
    }
    pairs.push({ before, after });
  }
  return { changed: changed.rate(how), flipped: flipped.rate(how), undecided, genuine: paired(pairs, how) };
}
