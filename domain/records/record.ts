// A record: one JSON object per item and stage. `result` must be equal when nothing changed and is
// hashed; `meta` says how it came about and is not.
import { canonicalJson, sha256 } from './canonical.ts';
import { type StoredText, wellFormed } from './text.ts';

export const stages = [
  'assistant_turn',
  'perturbed_turn',
  'user_turn',
  'judgement',
  'reference_judgement',
  'score',
] as const;
export type Stage = (typeof stages)[number];

/** What a record is about. `from` is the `hash` of the record it was made from, null at the first stage. */
export type Origin = { stage: Stage; key: string; item: string; sample: number; from: string | null };

/** `kind` is a short word a script can test: `refused`, `context_length`, `gave_up`, `bad_reply` … */
export type RecordError = { kind: string; message: string };

export type Result<Body> = Origin & ({ status: 'ok'; body: Body } | { status: 'error'; error: RecordError });

/** Not hashed. `usage`: tokens that a judge was paid for, all tries together; absent where it made no request, or its server does not count them. `ms`: wall time spent on this record; `requests`: calls made for it, retries included. */
export type Meta = { attempt: string; at: string; ms: number; host: string; requests: number; usage?: Usage };

/** Tokens by the server's count. */
export type Usage = { prompt: number; completion: number };

export type StageRecord<Body = unknown> = { format: 1; hash: string; result: Result<Body>; meta: Meta };

/** Prompt and output of one generated (or given) turn. */
export type Turn = StoredText & {
  /** `given`: the turn came with the data (held-out setting); nothing was generated. */
  finish: 'stop' | 'length' | 'given';
  /** Generated token ids as the server returned them (the end token included where it reports one); null without. */
  ids: number[] | null;
  prompt: Prompt | null;
  /** Generated tokens by the server's count. */
  tokens: number;
  seed: number | null;
};

/** What the engine really saw. `ids` where the server takes token ids; `sha256` is of the prompt text, or of the ids' canonical JSON. */
export type Prompt = {
  form: 'ids' | 'text';
  sha256: string;
  tokens: number;
  ids: number[] | null;
  /** The prompt ends with the mark that opens reasoning, so the text begins inside it. Absent where it does not. */
  opens?: 'reasoning';
  /** How the answer before it was rendered anew, an ablation. Absent where the prompt is the exact trace. */
  rerendered?: 'strip' | 'template';
};

/** An answer after something was done to it. `tokens`: those of its visible part before, and how many of them are left; null where nothing was cut. */
export type PerturbedTurn = Turn & { cut: { tokens: number; kept: number } | null };

export const labels = [
  'plausible_followup',
  'previous_turn_restate',
  'new_task_prompt',
  'assistant_turn_restate',
  'malformed_artifact',
  'meta_planning',
  'degenerate_short',
  'other',
] as const;
export type Label = (typeof labels)[number];

/** What one judge said. `label` and `genuine` are null together: it did not decide. */
export type Vote = { by: string; label: Label | null; genuine: boolean | null; rationale: string };

/**
 * What the judges came to, of a user turn or of what a person said in its place. `label` and `genuine` are null together: no judge decided. `by` names the judge that did,
 * e.g. `rules@1` or `llm:gpt-5.4-mini`.
 */
export type Judgement = {
  label: Label | null;
  /** True only where the judge said so and its label allows it. */
  genuine: boolean | null;
  by: string | null;
  rationale: string;
  /** The label says one thing, the decision another (only an LLM judge can). Its vote has both as they were said. */
  at_odds: boolean;
  /** Every judge that was asked, in order; there only where one of them is a model. */
  votes?: Vote[];
};

export type Outcome = 'right' | 'wrong' | 'unscored' | 'truncated' | 'error';

/** An error is a record of status `error`, so a score never holds the fifth outcome. `reason`: why unscored or wrong, in few words. */
export type Score = {
  outcome: Exclude<Outcome, 'error'>;
  check: string;
  extracted: string | null;
  expected: string;
  reason: string | null;
  /** Only where the check is `instructions`: each one's results, in the item's order. */
  instructions?: InstructionResult[];
};

/**
 * Whether the answer follows one instruction as it stands (`strict`) and in one of its loose forms. Null: it could not
 * be checked, for the `reason` given. `random`: the reference checker rolls a die for what the data leaves open.
 */
export type InstructionResult = {
  id: string;
  strict: boolean | null;
  loose: boolean | null;
  random?: true;
  reason?: string;
};

/** Strings in a record are well-formed Unicode; a body that must keep the original keeps it by `storeText`. */
export function makeRecord<Body>(result: Result<Body>, meta: Meta): StageRecord<Body> {
  const readable = wellFormed(result);
  const text = canonicalJson(readable);
  const record: StageRecord<Body> = { format: 1, hash: sha256(text), result: readable, meta };
  texts.set(record, text);
  return record;
}

/** Canonical texts of records that were just made: they are written a moment later. */
const texts = new WeakMap<StageRecord, string>();

/** JSON of a record. The first time after it was made its result need not be gone through again. */
export function recordJson(record: StageRecord): string {
  const result = texts.get(record) ?? JSON.stringify(record.result);
  texts.delete(record);
  return `{"format":${record.format},"hash":${JSON.stringify(record.hash)},"result":${result},"meta":${JSON.stringify(record.meta)}}`;
}
