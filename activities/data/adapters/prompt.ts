// How a question asks for an answer that can be checked.
import type { OwnCheck } from '../../../domain/accuracy/score.ts';

/** `worked`: any answer at the end of a calculation. */
export type AnswerForm = OwnCheck['check'] | 'worked';

const placeholders = { number: '<number>', choice: '<letter>', exact: '<answer>', worked: '<answer>' } as const;

/**
 * The user message: the question, its choices by letter, and the form of the last line where the answer is read
 * from it.
 */
export function ask(question: string, form: AnswerForm | null, choices: readonly string[] = []): string {
  const options = choices.map((choice, index) => `${letterOf(index)}. ${choice}`).join('\n');
  const asked = options === '' ? question : `${question}\n\n${options}`;
  if (form === null || form === 'format') return asked;
  const first = form === 'number' || form === 'worked' ? 'Think step by step, then end with' : 'End with';
  return `${asked}\n\n${first} a last line of exactly this form:\nAnswer: ${placeholders[form]}`;
}

export function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}
