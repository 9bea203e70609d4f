// The general format: one JSON object a line, with the fields of `row`.
import { z } from 'zod';
import { isCheckable, type OwnCheck } from '../../../domain/accuracy/score.ts';
import type { Item, Message } from '../../../domain/data/item.ts';
import type { ConfigProblem } from '../../../domain/problems.ts';
import { shown as shownValue } from '../../../domain/spec/field.ts';
import type { Sentence } from '../../../domain/spec/issues.ts';
import { isId, onceEach } from '../ids.ts';
import type { DataFile } from '../lines.ts';
import { fromRows, type Made, type Row, textOrNumber, wholeText } from '../rows.ts';
import { lateSystem } from './conversation.ts';
import { ask, letterOf } from './prompt.ts';

const text = wholeText().min(1);

const counting = z.strictObject({ rule: z.enum(['max_words', 'min_words', 'lines', 'bullets']), n: z.int().min(0) });
const quoting = z.strictObject({ rule: z.enum(['contains', 'excludes', 'ends_with']), text });
const plain = z.strictObject({ rule: z.enum(['lowercase', 'uppercase', 'json']) });

const row = z.strictObject({
  id: textOrNumber()
    .refine(isId, 'is no id: up to 200 printable characters on one line, no space at either end.')
    .describe('Unique in the file.'),
  question: text
    .nullish()
    .describe('What is asked. With a check other than format, the form of the answer line is added.'),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: wholeText() }))
    .min(1)
    .nullish()
    .describe('The conversation so far in place of a question, ending with a user message. Sent as it stands.'),
  choices: z
    .array(text)
    .min(2)
    .max(26)
    .nullish()
    .describe('Possible answers, lettered from A and put after the question.'),
  check: z
    .enum(['number', 'choice', 'exact', 'format'])
    .nullish()
    .describe(
      'How an answer is checked. Left out: choice with choices, else number where the answer is one, else exact.',
    ),
  answer: textOrNumber().nullish().describe('The right answer: a number, a letter, or a text, by `check`.'),
  rules: z
    .array(z.discriminatedUnion('rule', [counting, quoting, plain]))
    .min(1)
    .nullish()
    .describe('What an answer must meet with `check: format`.'),
  assistant: wholeText().nullish().describe('A given answer: then none is generated.'),
  reference_user_turn: wholeText().nullish().describe('What a person said next.'),
  meta: z.unknown().optional().describe('Anything else worth keeping; not read.'),
});
type JsonlRow = z.infer<typeof row>;

export function jsonl(data: DataFile, shown: string): { items: Item[]; problems: ConfigProblem[] } {
  const seen = onceEach('id');
  return fromRows(data.lines, row, {
    shown,
    make: (one) => {
      const made = itemFrom(one);
      const again = seen(one.value.id, one.line);
      return again.length === 0 ? made : { faults: [...again, ...('faults' in made ? made.faults : [])] };
    },
  });
}

function itemFrom({ value }: Row<JsonlRow>): Made<Item> {
  const answer = answerOf(value);
  const messages = messagesOf(value, 'answer' in answer ? (answer.answer?.check ?? null) : null);
  const faults = [...('faults' in answer ? answer.faults : []), ...('faults' in messages ? messages.faults : [])];
  if ('faults' in answer || 'faults' in messages) return { faults };
  const { id, assistant = null, reference_user_turn = null } = value;
  return { item: { id, ...messages, ...answer, assistant, reference_user_turn } };
}

function messagesOf(row: JsonlRow, check: OwnCheck['check'] | null): { messages: Message[] } | { faults: Sentence[] } {
  const { question, messages, choices } = row;
  if (typeof question === 'string' && messages) {
    return { faults: [fault('messages', 'stands beside `question`.', 'Give one of the two.')] };
  }
  if (typeof question === 'string')
    return { messages: [{ role: 'user', content: ask(question, check, choices ?? []) }] };
  if (!messages)
    return {
      faults: [fault('question', 'is missing.', 'Give a `question`, or `messages` that end with a user message.')],
    };

  const faults: Sentence[] = [];
  if (choices) faults.push(fault('choices', 'goes with a `question` only.', 'Put the choices into the last message.'));
  faults.push(...lateSystem(messages, 'messages'));
  if (messages.at(-1)?.role !== 'user') {
    const advice = 'The last message is the question. A given answer goes into `assistant`.';
    faults.push(fault(['messages', messages.length - 1, 'role'], 'is not user.', advice));
  }
  return faults.length > 0 ? { faults } : { messages };
}

function answerOf(row: JsonlRow): { answer: OwnCheck | null } | { faults: Sentence[] } {
  const expected = row.answer ?? null;
  const check = row.check ?? (row.choices ? 'choice' : impliedCheck(expected));
  if (check === 'format') {
    if (expected !== null) return { faults: [fault('answer', 'has no use with `check: format`.', 'Leave it out.')] };
    if (!row.rules)
      return {
        faults: [
          fault('rules', 'is missing.', 'Say what an answer must meet, such as [{"rule": "max_words", "n": 5}].'),
        ],
      };
    return { answer: { check, rules: row.rules } };
  }
  if (row.rules)
    return {
      faults: [fault('rules', 'goes with `check: format` only.', 'Set `check` to format, or leave the rules out.')],
    };
  if (expected === null && row.check)
    return {
      faults: [fault('answer', 'is missing.', 'Give the right answer, or leave `check` out: then nothing is scored.')],
    };
  if (expected === null || check === null) return { answer: null };

  const answer = { check, expected: check === 'number' ? expected.replaceAll(',', '') : expected };
  const letters = row.choices?.map((_, index) => letterOf(index));
  if (letters && check === 'choice' && !letters.includes(expected)) {
    return {
      faults: [fault('answer', `${shownValue(expected)} is the letter of no choice.`, `One of ${letters.join(', ')}.`)],
    };
  }
  if (!isCheckable(answer))
    return { faults: [fault('answer', `${shownValue(expected)} is nothing that ${check} can check.`, wanted[check])] };
  return { answer };
}

/** An answer that reads as a number is checked as one, any other as a text. */
function impliedCheck(expected: string | null): 'number' | 'exact' | null {
  if (expected === null) return null;
  return isCheckable({ check: 'number', expected: expected.replaceAll(',', '') }) ? 'number' : 'exact';
}

const wanted = {
  number: 'One plain number, such as 12, -3.5 or 1/4.',
  choice: 'One capital letter.',
  exact: 'A text with at least one letter or digit.',
};

function fault(field: string | (string | number)[], message: string, advice: string): Sentence {
  return { path: typeof field === 'string' ? [field] : field, message, advice };
}
