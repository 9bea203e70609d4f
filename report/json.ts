// What `uturn run --json` prints: one flat object per cell. Field names are part of the interface: they only grow.
import type { LabelCounts } from '../domain/plan/plan.ts';
import type { Rate } from '../domain/stats/rate.ts';
import type { Cell, ConditionCell, Summary } from '../domain/summary.ts';
import { followUpRate } from './numbers.ts';

export type RunJson = {
  run: string;
  name: string;
  plan: string;
  /** User turns asked for, over all cells. */
  samples: number;
  cells: CellJson[];
  /** Only of a perturbation: each condition, base first. */
  conditions?: ConditionJson[];
  totals: Required<Summary['totals']>;
  /** Where the page is; null where none was written. */
  report: string | null;
};

/** Rates are shares in 0…1 with their 95 % interval, `{ value, low, high, n }`; all but `n` are null where n = 0. */
export type CellJson = {
  model: string;
  data: string;
  temperature: number;
  /** User turns asked for. */
  samples: number;
  state: Cell['state'];
  /** right / (right + wrong + unscored + truncated). Null, as the counts below, where the data has no answers to check. */
  accuracy: Rate | null;
  right: number | null;
  wrong: number | null;
  unscored: number | null;
  truncated: number | null;
  /** Samples whose answer, or its check, failed; not in `accuracy.n`. */
  answer_errors: number | null;
  /**
   * Where answers are checked by instructions (`accuracy` then is prompt level, strict), else null: prompts whose
   * instructions were all loosely followed, and instructions followed, strictly and loosely.
   */
  accuracy_loose: Rate | null;
  instructions_strict: Rate | null;
  instructions_loose: Rate | null;
  /** Genuine follow-ups; `value` is null while turns are undecided, `low` and `high` then span both ends. */
  follow_up: Rate;
  /** All undecided turns counted as not genuine. */
  follow_up_if_none: Rate;
  /** All undecided turns counted as genuine. */
  follow_up_if_all: Rate;
  judged: number;
  genuine: number;
  not_genuine: number;
  undecided: number;
  /** Judgements that failed; not in `judged`. */
  judge_errors: number;
  /** Samples whose answer or user turn failed; not in `judged`. */
  turn_errors: number;
  /** Decided labels. */
  labels: LabelCounts;
  /**
   * The same of what people said in the place of the user turn, once an item (`n` counts items). All null where no
   * item brings such a turn.
   */
  reference: Rate | null;
  reference_if_none: Rate | null;
  reference_if_all: Rate | null;
  reference_judged: number | null;
  reference_genuine: number | null;
  reference_not_genuine: number | null;
  reference_undecided: number | null;
  reference_judge_errors: number | null;
  reference_labels: LabelCounts | null;
  /** Shares of generated turns that hit their token limit. */
  capped_assistant: Rate;
  capped_user: Rate;
  prompt_tokens: number;
  completion_tokens: number;
  /** Of judging by a model; 0 without one. */
  judge_prompt_tokens: number;
  judge_completion_tokens: number;
  /** Judgements whose server did not count their tokens, which count as 0. */
  judge_uncounted: number;
  /** US dollars by the prices of the config; null where it names none. */
  usd_generation: number | null;
  usd_judging: number | null;
};

/** `changed`, `flipped` and what follows are against base, of the same answers; null of base itself. Differences are shares, after − before. */
export type ConditionJson = CellJson & {
  condition: string;
  /** User turns with another text. */
  changed: Rate | null;
  /** User turns with another genuine decision, of pairs that are decided on both sides. */
  flipped: Rate | null;
  /** Pairs that one side leaves undecided. */
  undecided_pairs: number | null;
  difference: number | null;
  difference_low: number | null;
  difference_high: number | null;
  p: number | null;
  /** Answers that a cut left nothing of; null where nothing is cut. */
  emptied: number | null;
};

function conditionJson(cell: ConditionCell): ConditionJson {
  const { genuine } = cell;
  return {
    ...cellJson(cell),
    condition: cell.condition,
    changed: cell.changed ?? null,
    flipped: cell.flipped ?? null,
    undecided_pairs: cell.undecided ?? null,
    difference: genuine?.difference ?? null,
    difference_low: genuine?.low ?? null,
    difference_high: genuine?.high ?? null,
    p: genuine?.p ?? null,
    emptied: cell.emptied ?? null,
  };
}

export function runJson(summary: Summary, opts: { report: string | null }): RunJson {
  const { run, name, plan, samples, cells, conditions, totals } = summary;
  const none = {
    judge_prompt_tokens: 0,
    judge_completion_tokens: 0,
    judge_uncounted: 0,
    usd_generation: null,
    usd_judging: null,
  };
  return {
    run,
    name,
    plan,
    samples,
    cells: cells.map(cellJson),
    ...(conditions && { conditions: conditions.map(conditionJson) }),
    totals: { ...none, ...totals },
    report: opts.report,
  };
}

export function cellJson(cell: Cell): CellJson {
  const { accuracy, follow_up, reference } = cell;
  return {
    model: cell.model,
    data: cell.data,
    temperature: cell.temperature,
    samples: cell.samples,
    state: cell.state,
    accuracy: accuracy?.rate ?? null,
    right: accuracy?.right ?? null,
    wrong: accuracy?.wrong ?? null,
    unscored: accuracy?.unscored ?? null,
    truncated: accuracy?.truncated ?? null,
    answer_errors: accuracy?.error ?? null,
    accuracy_loose: accuracy?.instructions?.prompt_loose ?? null,
    instructions_strict: accuracy?.instructions?.instruction_strict ?? null,
    instructions_loose: accuracy?.instructions?.instruction_loose ?? null,
    follow_up: followUpRate(follow_up),
    follow_up_if_none: follow_up.if_none,
    follow_up_if_all: follow_up.if_all,
    judged: follow_up.judged,
    genuine: follow_up.genuine,
    not_genuine: follow_up.not_genuine,
    undecided: follow_up.undecided,
    judge_errors: follow_up.judge_error,
    turn_errors: follow_up.error,
    labels: follow_up.labels,
    reference: reference === undefined ? null : followUpRate(reference),
    reference_if_none: reference?.if_none ?? null,
    reference_if_all: reference?.if_all ?? null,
    reference_judged: reference?.judged ?? null,
    reference_genuine: reference?.genuine ?? null,
    reference_not_genuine: reference?.not_genuine ?? null,
    reference_undecided: reference?.undecided ?? null,
    reference_judge_errors: reference?.judge_error ?? null,
    reference_labels: reference?.labels ?? null,
    capped_assistant: cell.capped.assistant,
    capped_user: cell.capped.user,
    prompt_tokens: cell.tokens.prompt,
    completion_tokens: cell.tokens.completion,
    judge_prompt_tokens: cell.judging?.prompt ?? 0,
    judge_completion_tokens: cell.judging?.completion ?? 0,
    judge_uncounted: cell.judging?.uncounted ?? 0,
    usd_generation: cell.usd?.generation ?? null,
    usd_judging: cell.usd?.judging ?? null,
  };
}
