// One item of a data set after its adapter: what every stage works from.

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };

/**
 * How an answer is checked. `number`: the number rule; `choice`: the letter after the marker;
 * `exact`: the text after the marker, case and spaces folded; `format`: instructions the whole answer must meet;
 * `instructions`: those of IFEval and IFBench.
 */
export type AnswerCheck =
  | { check: 'number'; expected: string }
  | { check: 'choice'; expected: string }
  | { check: 'exact'; expected: string }
  | { check: 'format'; rules: FormatRule[] }
  | InstructionsCheck;

/**
 * Instructions of IFEval or IFBench, all of which the answer must follow. Their checkers are other people's, so `kwargs`
 * is what the data says; nulls in it are left out.
 */
export type InstructionsCheck = {
  check: 'instructions';
  family: 'ifeval' | 'ifbench';
  instructions: { id: string; kwargs: Record<string, unknown> }[];
};

export type FormatRule =
  | { rule: 'max_words'; n: number }
  | { rule: 'min_words'; n: number }
  | { rule: 'lines'; n: number }
  | { rule: 'bullets'; n: number }
  | { rule: 'contains'; text: string }
  | { rule: 'excludes'; text: string }
  | { rule: 'lowercase' }
  | { rule: 'uppercase' }
  | { rule: 'ends_with'; text: string }
  | { rule: 'json' };

/**
 * `messages` ends with a user message. `assistant`: a given answer (held-out); then no answer is generated.
 * `reference_user_turn`: what a person said after that answer.
 */
export type Item = {
  id: string;
  messages: Message[];
  answer: AnswerCheck | null;
  assistant: string | null;
  reference_user_turn: string | null;
};

/** Whether there is a person's own turn to judge beside the generated ones. Nothing said is one too. */
export function isReferenced(item: Item): boolean {
  return item.reference_user_turn !== null;
}
