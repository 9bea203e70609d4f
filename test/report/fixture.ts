// A small summary and its conversations, made the way runs make them; every figure is made up for these tests.
import { rate } from '../../domain/stats/wilson.ts';
import type { Cell, Conversation, Summary } from '../../domain/summary.ts';
import { nothingFailed } from '../../report/failures.ts';
import type { Report } from '../../report/report.ts';

type Counts = {
  right: number;
  wrong: number;
  unscored?: number;
  truncated?: number;
  genuine: number;
  artifact: number;
  undecided?: number;
  judgeErrors?: number;
  errors?: number;
  capped?: number;
};

/** A cell of one sample per item. */
export function cell(place: [model: string, data: string, temperature: number], counts: Counts): Cell {
  const { right, wrong, genuine, artifact } = counts;
  const { unscored = 0, truncated = 0, undecided = 0, judgeErrors = 0, errors = 0, capped = 0 } = counts;
  const answered = right + wrong + unscored + truncated;
  const judged = genuine + artifact + undecided;
  const [model, data, temperature] = place;
  const zero = { previous_turn_restate: 0, new_task_prompt: 0, assistant_turn_restate: 0, meta_planning: 0 };
  return {
    model,
    data,
    temperature,
    samples: answered + errors,
    accuracy: { right, wrong, unscored, truncated, error: errors, rate: rate(right, answered) },
    follow_up: {
      judged,
      genuine,
      not_genuine: artifact,
      undecided,
      judge_error: judgeErrors,
      error: errors,
      if_none: rate(genuine, judged),
      if_all: rate(genuine + undecided, judged),
      labels: { ...zero, plausible_followup: genuine, malformed_artifact: artifact, degenerate_short: 0, other: 0 },
    },
    capped: { assistant: rate(truncated, answered), user: rate(capped, answered) },
    tokens: { prompt: answered * 200, completion: answered * 150 },
    state: 'complete',
  };
}

/** Answers checked by two instructions each; `extra` more of them are loosely right. */
export function instructed(full: Cell, extra: number): Cell {
  if (full.accuracy === null) return full;
  const { right, rate: strict } = full.accuracy;
  const instructions = {
    prompt_loose: rate(right + extra, strict.n),
    instruction_strict: rate(2 * right, 2 * strict.n),
    instruction_loose: rate(2 * right + extra, 2 * strict.n),
  };
  return { ...full, accuracy: { ...full.accuracy, instructions } };
}

/** With people's own turns beside the generated ones. */
export function referenced(
  full: Cell,
  counts: Pick<Counts, 'genuine' | 'artifact' | 'undecided' | 'judgeErrors'>,
): Cell {
  const { follow_up } = cell(['', '', 0], { right: 0, wrong: 0, ...counts });
  return { ...full, reference: follow_up };
}

export function withoutAnswers(full: Cell): Cell {
  return { ...full, accuracy: null };
}

export function summaryOf(cells: Cell[]): Summary {
  return {
    format: 1,
    run: 'quick-3f9a1c',
    plan: '3f9a1c0b5d7e4f60a1b2c3d4e5f60718',
    name: 'quick',
    samples: cells.reduce((sum, cell) => sum + cell.samples, 0),
    cells,
    totals: {
      prompt_tokens: cells.reduce((sum, cell) => sum + cell.tokens.prompt, 0),
      completion_tokens: cells.reduce((sum, cell) => sum + cell.tokens.completion, 0),
      errors: cells.reduce((sum, cell) => sum + cell.follow_up.error + cell.follow_up.judge_error, 0),
    },
    provenance: {
      uturn: '0.1.0',
      plan: '3f9a1c0b5d7e4f60a1b2c3d4e5f60718',
      run: 'quick-3f9a1c',
      seed: 1,
      models: [
        {
          id: 'smol-135m',
          weights: 'sha256:5e1f0a',
          address: null,
          engine: 'node-llama-cpp 3.14',
          template: 'sha256:9ab1',
        },
      ],
      data: [{ id: 'sums', adapter: 'jsonl', file: 'f00d', items: 'beef', count: 24, limit: null }],
      judge: 'rules@1',
      sampling: { top_p: 1, top_k: 0, min_p: 0, repetition_penalty: 1 },
      max_tokens: { assistant: 256, user: 96 },
    },
  };
}

/** Two temperatures, turns undecided, one error. */
export const quick = summaryOf([
  cell(['smol-135m', 'sums', 0], { right: 7, wrong: 15, unscored: 2, genuine: 0, artifact: 9, undecided: 15 }),
  cell(['smol-135m', 'sums', 0.7], {
    right: 5,
    wrong: 14,
    unscored: 3,
    truncated: 1,
    genuine: 1,
    artifact: 6,
    undecided: 15,
    judgeErrors: 1,
    errors: 1,
    capped: 2,
  }),
]);

/** An LLM judge decided everything, nothing failed. */
export const decided = summaryOf([
  cell(['qwen3-4b', 'gsm8k', 0], { right: 1187, wrong: 130, unscored: 2, genuine: 201, artifact: 1118 }),
  cell(['qwen3-4b', 'gsm8k', 1], { right: 1101, wrong: 218, genuine: 312, artifact: 1007 }),
]);

export function conversation(over: Partial<Conversation> = {}): Conversation {
  return {
    model: 'smol-135m',
    data: 'sums',
    temperature: 0.7,
    item: 'sums-001',
    sample: 0,
    messages: [{ role: 'user', content: 'Ada has 3 pears and buys 4 more. How many has she?' }],
    assistant: 'She has 3 + 4 = 7 pears.\nAnswer: 7',
    user: 'And if she gives two away?',
    finish: { assistant: 'stop', user: 'stop' },
    outcome: 'right',
    extracted: '7',
    expected: '7',
    reason: null,
    label: 'plausible_followup',
    genuine: true,
    by: 'rules@1',
    error: null,
    ...over,
  };
}

export const noFigures: Report['figures'] = { curves: [], scatter: [], labels: [], families: [] };

/** What a page is made of; figures only where they are given. */
export function reportOf(summary: Summary, shown: Conversation[] = [], over: Partial<Report> = {}): Report {
  const conversations = { shown, among: shown.length, of: shown.length };
  return { summary, conversations, failures: nothingFailed, reference: null, figures: noFigures, ...over };
}
