// What a run says in the end: one row per cell, made from pinned records alone.

import type { Effect } from './perturbation/effects.ts';
import type { LabelCounts } from './plan/plan.ts';
import type { Usage } from './records/record.ts';
import type { Rate } from './stats/rate.ts';

/**
 * Instructions on top of the accuracy, which counts a prompt as right if all of its instructions were strictly followed.
 * Prompts as in the accuracy; instructions are those of the same prompts, clustered by item. What could not be checked
 * was not followed.
 */
export type InstructionRates = { prompt_loose: Rate; instruction_strict: Rate; instruction_loose: Rate };

/** Counts of the five outcomes; `rate` = right / (right + wrong + unscored + truncated). */
export type Accuracy = {
  right: number;
  wrong: number;
  unscored: number;
  truncated: number;
  error: number;
  rate: Rate;
  /** Only where answers are checked by instructions. */
  instructions?: InstructionRates;
};

/**
 * Genuine follow-ups among judged user turns. While turns are undecided the rate is an interval:
 * `if_none` counts all undecided as not genuine, `if_all` as genuine (each with its own 95 % interval).
 * Without undecided turns the two are equal.
 */
export type FollowUp = {
  judged: number;
  genuine: number;
  not_genuine: number;
  undecided: number;
  judge_error: number;
  error: number;
  if_none: Rate;
  if_all: Rate;
  /** Decided labels only. */
  labels: LabelCounts;
};

/** US dollars; null where no price is known. What records cost when they were made, whichever run made them. */
export type Cost = { generation: number | null; judging: number | null };

export type Cell = {
  model: string;
  data: string;
  temperature: number;
  /** User turns asked for: items × samples. */
  samples: number;
  /** Null where the data has no answers to check. */
  accuracy: Accuracy | null;
  follow_up: FollowUp;
  /** The same judges on what people said in the place of the user turn, once an item; only where the data has such turns. */
  reference?: FollowUp;
  /** Shares of turns that hit their token limit. */
  capped: { assistant: Rate; user: Rate };
  tokens: { prompt: number; completion: number };
  /** Tokens of the judge, failed replies included; only where a model judges. `uncounted`: judgements whose server did not count them all. */
  judging?: Usage & { uncounted: number };
  /** Only where a price is known. */
  usd?: Cost;
  /** More errors than the config allows, or `pending` shards never finished. */
  state: 'complete' | 'failed' | 'pending';
};

/** One condition of a perturbation, with what it changes against base; of base only its own rate. */
export type ConditionCell = Cell & {
  condition: string;
  /** Answers that a cut left nothing of; only where the condition cuts. */
  emptied?: number;
} & Partial<Effect>;

/** A conversation to read. Texts are untrusted and unescaped here. `error` names what failed instead. */
export type Conversation = {
  model: string;
  data: string;
  temperature: number;
  item: string;
  sample: number;
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  assistant: string | null;
  user: string | null;
  /** How each turn came to its end: null where there is none. */
  finish: { assistant: 'stop' | 'length' | 'given' | null; user: 'stop' | 'length' | 'given' | null };
  /** One of the five; null where there is nothing to check, or not yet. */
  outcome: string | null;
  extracted: string | null;
  expected: string | null;
  /** Why the answer is unscored or wrong, in few words. */
  reason: string | null;
  label: string | null;
  genuine: boolean | null;
  by: string | null;
  error: string | null;
  /** Only of private data, in place of its texts: SHA-256 of each, null where there is none. */
  withheld?: { question: string; answer: string | null; user_turn: string | null };
};

export type Provenance = {
  uturn: string;
  plan: string;
  run: string;
  seed: number;
  models: {
    id: string;
    weights: string | null;
    address: string | null;
    engine: string;
    template: string;
    /** An ablation; absent where user turns go on from the exact trace. */
    reasoning?: 'strip' | 'template';
  }[];
  data: {
    id: string;
    adapter: string;
    file: string;
    items: string;
    count: number;
    limit: number | null;
    private?: true;
  }[];
  judge: string;
  sampling: Record<string, number>;
  max_tokens: { assistant: number; user: number };
  /** Absent where nothing was put before the conversations. */
  system?: string;
};

export type Summary = {
  format: 1;
  run: string;
  plan: string;
  name: string;
  /** User turns asked for, over all cells. */
  samples: number;
  cells: Cell[];
  /** Only of a perturbation: base and what was done to answers. Tokens and costs of answers are those of `cells`. */
  conditions?: ConditionCell[];
  totals: {
    prompt_tokens: number;
    completion_tokens: number;
    errors: number;
    /** Of judging by a model. These and what follows are not there in summaries of older versions. */
    judge_prompt_tokens?: number;
    judge_completion_tokens?: number;
    /** Judgements whose server did not count their tokens, which are in the sums as 0. */
    judge_uncounted?: number;
    /** US dollars, null where no price is known. */
    usd_generation?: number | null;
    usd_judging?: number | null;
  };
  provenance: Provenance;
};
