// What is shown of private data: ids, digests, counts and verdicts. Generated turns are withheld too, since models
// repeat what they were asked. Everything is named that is shown, so that a field added to a record stays out.
import type { Plan } from '../domain/plan/plan.ts';
import { canonicalJson, sha256 } from '../domain/records/canonical.ts';
import type { Judgement, Score, StageRecord, Turn } from '../domain/records/record.ts';
import type { Conversation } from '../domain/summary.ts';

/** A turn without its text, which `sha256` is of (as UTF-8), and without its token ids. */
export type WithheldTurn = Pick<Turn, 'finish' | 'tokens' | 'seed'> & {
  sha256: string;
  prompt: { form: 'ids' | 'text'; sha256: string; tokens: number } | null;
};
export type WithheldJudgement = Pick<Judgement, 'label' | 'genuine' | 'by' | 'at_odds'>;
/** `extracted` and `expected` are left out where they are more than the letter of a choice. */
export type WithheldScore = Pick<Score, 'outcome' | 'check'> & Partial<Pick<Score, 'extracted' | 'expected'>>;

/** Ids of a plan's private data sets. */
export function privateData(plan: Plan): Set<string> {
  return new Set(plan.data.flatMap((data) => (data.private ? [data.id] : [])));
}

/** The record without a word of its data. Its hash stays that of the whole. */
export function withheldRecord({ format, hash, result, meta }: StageRecord): StageRecord {
  const { stage, key, item, sample, from } = result;
  const origin = { stage, key, item, sample, from };
  if (result.status === 'error') {
    const error = { kind: result.error.kind, message: 'withheld' };
    return { format, hash, meta, result: { ...origin, status: 'error', error } };
  }
  return { format, hash, meta, result: { ...origin, status: 'ok', body: withheldBody(stage, result.body) } };
}

function withheldBody(stage: StageRecord['result']['stage'], body: unknown) {
  switch (stage) {
    case 'assistant_turn':
    case 'perturbed_turn':
    case 'user_turn':
      return withheldTurn(body as Turn);
    case 'judgement':
    case 'reference_judgement':
      return withheldJudgement(body as Judgement);
    case 'score':
      return withheldScore(body as Score);
  }
}

function withheldTurn({ text, finish, tokens, seed, prompt }: Turn): WithheldTurn {
  const seen = prompt && { form: prompt.form, sha256: prompt.sha256, tokens: prompt.tokens };
  return { sha256: sha256(text), finish, tokens, seed, prompt: seen };
}

function withheldJudgement({ label, genuine, by, at_odds }: Judgement): WithheldJudgement {
  return { label, genuine, by, at_odds };
}

function withheldScore({ outcome, check, extracted, expected }: Score): WithheldScore {
  return { outcome, check, ...(check === 'choice' && { extracted, expected }) };
}

/** The conversation without a word of its data: `question` is the digest of its messages' canonical JSON. */
export function withheldConversation(one: Conversation): Conversation {
  const { model, data, temperature, item, sample, finish, outcome, label, genuine, by, error } = one;
  return {
    model,
    data,
    temperature,
    item,
    sample,
    finish,
    outcome,
    label,
    genuine,
    by,
    messages: [],
    assistant: null,
    user: null,
    extracted: null,
    expected: null,
    reason: null,
    error: error === null ? null : `${error.split(':')[0]}: withheld`,
    withheld: {
      question: sha256(canonicalJson(one.messages)),
      answer: digestOf(one.assistant),
      user_turn: digestOf(one.user),
    },
  };
}

function digestOf(text: string | null): string | null {
  return text === null ? null : sha256(text);
}
