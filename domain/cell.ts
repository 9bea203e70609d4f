// One cell of a summary out of its records: the five outcomes stay apart, every rate gets its interval.

import { type Chain, type Chains, chainsOf, type Heard, isFailed, isJudged, isPending } from './chain.ts';
import type { CellFacts, Found, TurnFact } from './facts.ts';
import type { LabelCounts } from './plan/plan.ts';
import { type Cluster, clusteredRate } from './stats/bootstrap.ts';
import type { Rate } from './stats/rate.ts';
import type { Accuracy, Cell, FollowUp, InstructionRates } from './summary.ts';

export type CellInput = {
  model: string;
  data: string;
  temperature: number;
  /** Ids of the items asked for, each once. Records of other items, or of samples from `samples` on, are left aside. */
  items: string[];
  samples: number;
  facts: CellFacts;
  /** A cell is failed when more than this share of its samples met an error at any stage. */
  maxErrorShare: number;
  /** Items that bring no answer to check: not scored, and in no count of the accuracy. */
  unchecked?: ReadonlySet<string>;
  /** Items whose next turn by a person is judged, once each: at the first sample. */
  referenced?: ReadonlySet<string>;
  /** Of the bootstrap, where there are several samples per item. */
  seed: number;
};

/**
 * The cell's counts, rates and state. Each item × sample is counted once under accuracy and once under follow-up:
 * an error at the assistant turn is an error of both, and whatever has no record yet leaves the cell `pending`.
 * The order of items and records does not matter.
 */
export function cellFrom(input: CellInput): Cell {
  const chains = chainsOf(input);
  const shareOf: ShareOf = (of) =>
    clusteredRate(
      chains.byItem((samples) => together(samples.map(of))),
      input,
    );
  const rateOf: RateOf = (picked, hit) =>
    shareOf((chain) => (picked(chain) ? { successes: hit(chain) ? 1 : 0, n: 1 } : nothing));
  const { total, ...counts } = countsOf(chains);
  return {
    model: input.model,
    data: input.data,
    temperature: input.temperature,
    samples: total,
    accuracy: input.facts.score === null ? null : accuracyOf(chains, { rateOf, shareOf }),
    follow_up: followUpOf(chains, ({ turn }) => turn, shareOf),
    ...(counts.references > 0 && { reference: followUpOf(chains, ({ reference }) => reference, shareOf) }),
    capped: {
      assistant: rateOf(
        ({ assistant }) => isGenerated(assistant),
        ({ assistant }) => isCapped(assistant),
      ),
      user: rateOf(
        ({ user }) => isGenerated(user),
        ({ user }) => isCapped(user),
      ),
    },
    tokens: counts.tokens,
    state: counts.pending > 0 ? 'pending' : counts.failed > input.maxErrorShare * total ? 'failed' : 'complete',
  };
}

/** Samples in which anything failed, each counted once, however many of its stages did. */
export function failedSamples(input: CellInput): number {
  return countsOf(chainsOf(input)).failed;
}

type ShareOf = (of: (chain: Chain) => Cluster) => Rate;
type RateOf = (picked: (chain: Chain) => boolean, hit: (chain: Chain) => boolean) => Rate;

function countsOf(chains: Chains) {
  const counts = { total: 0, pending: 0, failed: 0, references: 0, tokens: { prompt: 0, completion: 0 } };
  chains.each((chain) => {
    counts.total += 1;
    if (isPending(chain)) counts.pending += 1;
    if (isFailed(chain)) counts.failed += 1;
    if (chain.reference !== null) counts.references += 1;
    for (const turn of [chain.assistant, chain.user]) {
      if (turn.status !== 'ok' || turn.body.finish === 'given') continue;
      counts.tokens.prompt += turn.body.prompt;
      counts.tokens.completion += turn.body.tokens;
    }
  });
  return counts;
}

function accuracyOf(chains: Chains, { rateOf, shareOf }: { rateOf: RateOf; shareOf: ShareOf }): Accuracy {
  const counts = { right: 0, wrong: 0, unscored: 0, truncated: 0, error: 0 };
  let instructed = 0;
  chains.each(({ answer, instructions }) => {
    if (isOneOf(counts, answer)) counts[answer] += 1;
    if (instructions !== null) instructed += 1;
  });
  return {
    ...counts,
    rate: rateOf(isCounted, ({ answer }) => answer === 'right'),
    ...(instructed > 0 && { instructions: followed({ rateOf, shareOf }) }),
  };
}

function isCounted({ answer }: Chain): boolean {
  return answer === 'right' || answer === 'wrong' || answer === 'unscored' || answer === 'truncated';
}

function followed({ rateOf, shareOf }: { rateOf: RateOf; shareOf: ShareOf }): InstructionRates {
  const share = (how: 'strict' | 'loose') =>
    shareOf(({ instructions }) => ({ successes: instructions?.[how] ?? 0, n: instructions?.n ?? 0 }));
  return {
    prompt_loose: rateOf(
      isCounted,
      ({ instructions }) => instructions !== null && instructions.loose === instructions.n,
    ),
    instruction_strict: share('strict'),
    instruction_loose: share('loose'),
  };
}

/** `turnOf`: null where the chain has no such turn. */
function followUpOf(chains: Chains, turnOf: (chain: Chain) => Heard | null, shareOf: ShareOf): FollowUp {
  const counts = { genuine: 0, not_genuine: 0, undecided: 0, judge_error: 0, error: 0, missing: 0 };
  const labels = noLabels();
  chains.each((chain) => {
    const turn = turnOf(chain);
    if (turn === null) return;
    counts[turn.verdict] += 1;
    if (isJudged(turn) && turn.label !== null && isOneOf(labels, turn.label)) labels[turn.label] += 1;
  });
  const share = (...hits: Heard['verdict'][]) =>
    shareOf((chain) => {
      const turn = turnOf(chain);
      if (turn === null || !isJudged(turn)) return nothing;
      return { successes: hits.includes(turn.verdict) ? 1 : 0, n: 1 };
    });
  const { genuine, not_genuine, undecided, judge_error, error } = counts;
  return {
    judged: genuine + not_genuine + undecided,
    genuine,
    not_genuine,
    undecided,
    judge_error,
    error,
    if_none: share('genuine'),
    if_all: share('genuine', 'undecided'),
    labels,
  };
}

/** Words of a later version count nowhere. */
function isOneOf<Counts extends object>(counts: Counts, word: string): word is string & keyof Counts {
  return Object.hasOwn(counts, word);
}

function noLabels(): LabelCounts {
  return {
    plausible_followup: 0,
    previous_turn_restate: 0,
    new_task_prompt: 0,
    assistant_turn_restate: 0,
    malformed_artifact: 0,
    meta_planning: 0,
    degenerate_short: 0,
    other: 0,
  };
}

/** A turn that came with the data cost nothing and hit no limit. */
function isGenerated(turn: Found<TurnFact>): boolean {
  return turn.status === 'ok' && turn.body.finish !== 'given';
}

function isCapped(turn: Found<TurnFact>): boolean {
  return turn.status === 'ok' && turn.body.finish === 'length';
}

const nothing: Cluster = { successes: 0, n: 0 };

function together(parts: Cluster[]): Cluster {
  return parts.reduce((sum, one) => ({ successes: sum.successes + one.successes, n: sum.n + one.n }), nothing);
}
