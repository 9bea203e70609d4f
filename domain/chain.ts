// What became of one item's one sample, through all the stages of its cell.
import type { CellInput } from './cell.ts';
import type { Found, JudgementFact, ScoreFact, TurnFact } from './facts.ts';
import type { Outcome } from './records/record.ts';

export type Chain = {
  assistant: Found<TurnFact>;
  user: Found<TurnFact>;
  answer: Outcome | 'unchecked' | 'missing';
  /** Of a scored answer; null where it is checked otherwise. */
  instructions: { n: number; strict: number; loose: number } | null;
  turn: Heard;
  /** What a person said there; null where nobody did, and at every sample but the first. */
  reference: Heard | null;
};

/** What the judges said of one user turn; `label` only where they decided. */
export type Heard = { verdict: Verdict | 'error' | 'missing'; label: JudgementFact['label'] };
type Verdict = 'genuine' | 'not_genuine' | 'undecided' | 'judge_error';

/** Looks at every sample of a cell once, item by item: they are many, and are not kept. `item`: its position. */
export function eachChain(input: CellInput, look: (item: number, chain: Chain) => void): void {
  for (const item of input.items.keys())
    for (let sample = 0; sample < input.samples; sample += 1) look(item, chainAt(input, item, sample));
}

export function isPending({ answer, turn, reference }: Chain): boolean {
  return answer === 'missing' || turn.verdict === 'missing' || reference?.verdict === 'missing';
}

export function isFailed({ answer, turn, reference }: Chain): boolean {
  const failed = (one: Heard | null) => one?.verdict === 'error' || one?.verdict === 'judge_error';
  return answer === 'error' || failed(turn) || failed(reference);
}

function chainAt({ items, facts, unchecked, referenced }: CellInput, at: number, sample: number): Chain {
  const item = items[at] ?? '';
  const assistant = facts.assistant.at(at, sample);
  const perturbed = facts.perturbed?.at(at, sample);
  const user = facts.user.at(at, sample);
  const score = facts.score === null || unchecked?.has(item) ? null : facts.score.at(at, sample);
  const isReferenced = sample === 0 && referenced?.has(item);
  return {
    assistant,
    user,
    answer: score === null ? 'unchecked' : answerOf(assistant, score),
    instructions: score?.status === 'ok' ? instructionsOf(score.body) : null,
    turn: heard([assistant, ...(perturbed === undefined ? [] : [perturbed]), user], facts.judgement.at(at, sample)),
    reference: isReferenced ? heard([assistant], facts.reference?.at(at, sample) ?? { status: 'missing' }) : null,
  };
}

function answerOf(assistant: Found<TurnFact>, score: Found<ScoreFact>): Outcome | 'missing' {
  if (assistant.status !== 'ok') return assistant.status;
  return score.status === 'ok' ? score.body.outcome : score.status;
}

function instructionsOf({ instructions, strict, loose }: ScoreFact): Chain['instructions'] {
  return instructions === null ? null : { n: instructions, strict, loose };
}

/** `turns`: what had to be there to be judged. */
function heard(turns: Found<TurnFact>[], judgement: Found<JudgementFact>): Heard {
  const verdict = verdictOf(turns, judgement);
  return { verdict, label: judgement.status === 'ok' ? judgement.body.label : null };
}

function verdictOf(turns: Found<TurnFact>[], judgement: Found<JudgementFact>): Heard['verdict'] {
  const absent = turns.find(({ status }) => status !== 'ok')?.status;
  if (absent === 'error' || absent === 'missing') return absent;
  if (judgement.status === 'missing') return 'missing';
  if (judgement.status === 'error') return 'judge_error';
  if (judgement.body.genuine === null) return 'undecided';
  return judgement.body.genuine ? 'genuine' : 'not_genuine';
}
