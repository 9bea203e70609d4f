// A plan: the experiment resolved and frozen. Its id is the hash of its canonical JSON; nothing in it
// depends on the machine it was made on.
import type { Condition } from '../perturbation/condition.ts';
import type { Label } from '../records/record.ts';
import type { PlannedJudge } from './judge.ts';

/** Everything that decides a sample besides temperature and seed. Sent explicitly with every request. */
export type Sampling = {
  top_p: number;
  /** 0: off. */
  top_k: number;
  min_p: number;
  presence_penalty: number;
  frequency_penalty: number;
  repetition_penalty: number;
};

/** Texts between turns, derived from the model's own chat template (see `domain/probe`). */
export type PlannedTemplate = {
  /** Digest of the template's text, or of the server's renderings where only they are known. */
  sha256: string;
  /** `jinja`: text at hand, rendered by the reference engine. `server`: rendered by the model's own server. */
  source: 'jinja' | 'server';
  /** The frozen date (YYYY-MM-DD) the template prints; null where it prints none. */
  date: string | null;
  kwargs: Record<string, unknown>;
  /** Token texts that a `jinja` template may print; null where the model's server does not say. */
  bos_token: string | null;
  eos_token: string | null;
};

/**
 * One model. Identity is `weights` where it is stated or can be computed, else the address, which then
 * makes the model's measurements belong to the run that first made them.
 */
export type PlannedModel = {
  /** Short name in tables, unique in the plan. */
  id: string;
  identity: { weights: string } | { url: string; served: string };
  /** Digest of the LoRA adapter that is measured on top of these weights; absent without one. */
  adapter?: string;
  /** `q4_1`, `float32`, … or null where the server does not say. */
  dtype: string | null;
  engine: { name: string; version: string | null };
  /** Options of the engine that may decide results, where uturn starts it with any. */
  engine_args?: string[];
  template: PlannedTemplate;
  /** What goes over the wire: token ids where the server takes and returns them, else text. */
  prompt_form: 'ids' | 'text';
  /** An ablation: the answer is rendered anew before the user goes on. Absent where the trace is kept as it is. */
  reasoning?: 'strip' | 'template';
};

export type PlannedData = {
  id: string;
  adapter: string;
  /** SHA-256 of the source file's bytes. */
  file: string;
  /** SHA-256 of the adapted items (JSON lines, blob in the store): what stages are keyed by. */
  items: string;
  /** Items in the file; a limit applies on top. */
  count: number;
  /** False where no item has an answer check: then nothing is scored. */
  scored: boolean;
  /** True where every item brings its own assistant turn: then none is generated. */
  held_out: boolean;
  /** Set where answers are given and a person's next turn stands behind some of them: it is judged too. */
  references?: true;
  /** Set where no text of the data, nor what a model made of it, may be shown or exported. In no key. */
  private?: true;
};

/** Thresholds of the rules judge, shares in 0…1 (see `domain/followup/rules.ts`). */
export type RulesThresholds = { overlap: number; subsequence: number; short_characters: number };

export type Plan = {
  format: 1;
  kind: 'sweep' | 'perturbation';
  seed: number;
  models: PlannedModel[];
  data: PlannedData[];
  temperatures: number[];
  samples: number;
  /** What is done to answers; only of a perturbation, base first. */
  conditions?: Condition[];
  /** Items taken from the start of each data set; null: all. */
  limit: number | null;
  max_tokens: { assistant: number; user: number };
  /** Put before every conversation that has no system message of its own. Absent: nothing is put there. */
  system?: string;
  sampling: Sampling;
  /** `rules`: null where they are off. `llm`: there only where a model judges what they leave open. */
  judge: { rules: RulesThresholds | null; llm?: PlannedJudge };
  /** A cell with a larger share of error records is marked failed. */
  max_error_share: number;
};

export type LabelCounts = Record<Label, number>;
