// One cell of a summary out of its records: the five outcomes stay apart, every rate gets its interval.

import { type Chain, eachChain, type Heard, isFailed, isPending } from './chain.ts';
import type { CellFacts, Found, TurnFact } from './facts.ts';
import type { LabelCounts } from './plan/plan.ts';
import type { Resampling } from './stats/bootstrap.ts';
import { type Draws, drawing } from './stats/draws.ts';
import { caseOf, shareOver } from './stats/share.ts';
import type { Accuracy, Cell, FollowUp } from './summary.ts';

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
  /** Its answers are those of another cell, which counts their tokens. */
  answers?: 'of base';
  /** Of the bootstrap, where there are several samples per item. */
  seed: number;
  /** Of that seed, where the bootstraps of several cells share them. */
  drawn?: Draws;
};

/**
 * The cell's counts, rates and state. Each item × sample is counted once under accuracy and once under follow-up:
 * an error at the assistant turn is an error of both, and whatever has no record yet leaves the cell `pending`.
 * The order of items and records does not matter.
 */
export function cellFrom(input: CellInput): Cell {
  const items = input.items.length;
  const [accuracy, follow_up, reference] = [accuracies(items), followUps(items), followUps(items)];
  const capped = { assistant: shareOver(items), user: shareOver(items) };
  const counts = sampleCounts(input);
  eachChain(input, (item, chain) => {
    counts.take(chain);
    accuracy.take(item, chain);
    follow_up.take(item, chain.turn);
    if (chain.reference !== null) reference.take(item, chain.reference);
    for (const turn of ['assistant', 'user'] as const)
      if (isGenerated(chain[turn])) capped[turn].add(item, caseOf(isCapped(chain[turn])));
  });
  const how = { drawn: input.drawn ?? drawing(input.seed) };
  return {
    model: input.model,
    data: input.data,
    temperature: input.temperature,
    samples: counts.total,
    accuracy: input.facts.score === null ? null : accuracy.told(how),
    follow_up: follow_up.told(how),
    ...(counts.references > 0 && { reference: reference.told(how) }),
    capped: { assistant: capped.assistant.rate(how), user: capped.user.rate(how) },
    tokens: counts.tokens,
    state: stateOf(counts, input.maxErrorShare),
  };
}

/** Samples in which anything failed, each counted once, however many of its stages did. */
export function failedSamples(input: CellInput): number {
  const counts = sampleCounts(input);
  eachChain(input, (_, chain) => counts.take(chain));
  return counts.failed;
}

function sampleCounts({ answers }: Pick<CellInput, 'answers'>) {
  return {
    total: 0,
    pending: 0,
    failed: 0,
    references: 0,
    tokens: { prompt: 0, completion: 0 },
    take(chain: Chain): void {
      this.total += 1;
      if (isPending(chain)) this.pending += 1;
      if (isFailed(chain)) this.failed += 1;
      if (chain.reference !== null) this.references += 1;
      for (const turn of answers === 'of base' ? [chain.user] : [chain.assistant, chain.user]) {
        if (turn.status !== 'ok' || turn.body.finish === 'given') continue;
        this.tokens.prompt += turn.body.prompt;
        this.tokens.completion += turn.body.tokens;
      }
    },
  };
}

type SampleCounts = Pick<ReturnType<typeof sampleCounts>, 'total' | 'pending' | 'failed'>;

function stateOf({ total, pending, failed }: SampleCounts, maxErrorShare: number): Cell['state'] {
  if (pending > 0) return 'pending';
  return failed > maxErrorShare * total ? 'failed' : 'complete';
}

function accuracies(items: number) {
  const counts = { right: 0, wrong: 0, unscored: 0, truncated: 0, error: 0 };
  const right = shareOver(items);
  const [prompt_loose, strictly, loosely] = [shareOver(items), shareOver(items), shareOver(items)];
  let instructed = false;
  return {
    take(item: number, { answer, instructions }: Chain): void {
      if (isOneOf(counts, answer)) counts[answer] += 1;
      if (isCounted(answer)) {
        right.add(item, caseOf(answer === 'right'));
        prompt_loose.add(item, caseOf(instructions !== null && instructions.loose === instructions.n));
      }
      if (instructions === null) return;
      instructed = true;
      strictly.add(item, { successes: instructions.strict, n: instructions.n });
      loosely.add(item, { successes: instructions.loose, n: instructions.n });
    },
    told(how: Resampling): Accuracy {
      const instructions = () => ({
        prompt_loose: prompt_loose.rate(how),
        instruction_strict: strictly.rate(how),
        instruction_loose: loosely.rate(how),
      });
      return { ...counts, rate: right.rate(how), ...(instructed ? { instructions: instructions() } : {}) };
    },
  };
}

function isCounted(answer: Chain['answer']): boolean {
  return answer === 'right' || answer === 'wrong' || answer === 'unscored' || answer === 'truncated';
}

function followUps(items: number) {
  const counts = { genuine: 0, not_genuine: 0, undecided: 0, judge_error: 0, error: 0, missing: 0 };
  const labels = noLabels();
  const [if_none, if_all] = [shareOver(items), shareOver(items)];
  return {
    take(item: number, { verdict, label }: Heard): void {
      counts[verdict] += 1;
      if (!isJudged(verdict)) return;
      if (label !== null && isOneOf(labels, label)) labels[label] += 1;
      if_none.add(item, caseOf(verdict === 'genuine'));
      if_all.add(item, caseOf(verdict !== 'not_genuine'));
    },
    told(how: Resampling): FollowUp {
      const { missing: _, ...rest } = counts;
      const judged = rest.genuine + rest.not_genuine + rest.undecided;
      return { judged, ...rest, if_none: if_none.rate(how), if_all: if_all.rate(how), labels };
    },
  };
}

function isJudged(verdict: Heard['verdict']): boolean {
  return verdict === 'genuine' || verdict === 'not_genuine' || verdict === 'undecided';
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
