// Scores one answer against what its item expects.
import type { AnswerCheck, InstructionsCheck } from '../data/item.ts';
import type { Score, Turn } from '../records/record.ts';
import { readChoice } from './choice.ts';
import { folded } from './exact.ts';
import { failedRules, ruleName } from './format.ts';
import { answerLine } from './marker.ts';
import { type Reading, readNumber } from './number.ts';
import { type Opening, visiblePart } from './reasoning.ts';

/** Raised when the same answer would get another score: part of every score's stage key. */
export const accuracySemantics = 1;

/** Checks made here; instructions are checked by other people's code (see `instructions.ts`). */
export type OwnCheck = Exclude<AnswerCheck, InstructionsCheck>;

/**
 * Right, wrong, unscored (nothing, or nothing clear, stands where the answer should) or truncated (the answer hit its
 * limit before its answer line was complete, or inside its reasoning, which is never searched). Never throws, whatever
 * the text. `opens: 'reasoning'` where the prompt ended inside a reasoning block.
 */
export function scoreTurn(turn: Turn, answer: OwnCheck, opening: Opening = { opens: 'answer' }): Score {
  const visible = visiblePart(turn.text, opening);
  const cut = turn.finish === 'length';
  if (visible === null && cut) return truncated(answer, 'cut off inside the reasoning');
  if (answer.check === 'format') return formatScore(visible ?? '', answer, cut);
  if (visible === null) return unscored(answer, 'the reasoning never ends');

  const found = answerLine(visible);
  if (found === null) return cut ? truncated(answer, 'cut off before an answer') : unscored(answer, 'no marker');
  // Without a line break behind it a cut-off line may go on: `4` may be half of 42, `4` the start of `4 or 5`.
  if (cut && !found.whole) return truncated(answer, 'cut off inside the answer line');
  return compared(answer, found.line);
}

type MarkedCheck = Exclude<OwnCheck, { check: 'format' }>;

const readers: Record<MarkedCheck['check'], (text: string) => Reading> = {
  number: readNumber,
  choice: readChoice,
  exact: (text) => (folded(text) === '' ? { unscored: 'nothing after the marker' } : { value: folded(text) }),
};

/** Whether a check can be met at all. An adapter refuses the items for which this is false. */
export function isCheckable(answer: OwnCheck): boolean {
  return answer.check === 'format' ? answer.rules.length > 0 : 'value' in readers[answer.check](answer.expected);
}

function compared(answer: MarkedCheck, line: string): Score {
  const read = readers[answer.check];
  const [given, expected] = [read(line), read(answer.expected)];
  if ('unscored' in expected) return unscored(answer, `the expected answer has ${expected.unscored}`);
  if ('unscored' in given) return unscored(answer, given.unscored);
  const right = given.value === expected.value;
  return {
    ...blank(answer),
    outcome: right ? 'right' : 'wrong',
    extracted: short(given.value),
    reason: right ? null : differs[answer.check],
  };
}

const differs = { number: 'another value', choice: 'another letter', exact: 'another text' };

/** A cut-off answer is not the whole answer, whatever it meets so far. */
function formatScore(text: string, answer: Extract<OwnCheck, { check: 'format' }>, cut: boolean): Score {
  if (cut) return truncated(answer, 'cut off');
  const failed = failedRules(text, answer.rules).map(ruleName);
  const reason = failed.length === 0 ? null : `fails ${failed.join(', ')}`;
  return { ...blank(answer), outcome: reason === null ? 'right' : 'wrong', reason: reason && short(reason) };
}

function unscored(answer: OwnCheck, reason: string): Score {
  return { ...blank(answer), outcome: 'unscored', reason };
}

function truncated(answer: OwnCheck, reason: string): Score {
  return { ...blank(answer), outcome: 'truncated', reason };
}

function blank(answer: OwnCheck) {
  const expected = answer.check === 'format' ? answer.rules.map(ruleName).join(', ') : answer.expected;
  return { check: answer.check, extracted: null, expected };
}

/** A record is no place for a megabyte of answer line. */
function short(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 400).toWellFormed()}…`;
}
