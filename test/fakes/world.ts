// What the fake model says: one reply for each open turn and seed, with the habits of a real one at rates a test sets.
import type { OpenTurn } from './chatml.ts';
import { detokenize, special, tokenize } from './tokenizer.ts';

/** Shares, 0 … 1. What the user rates leave over is plausible follow-ups. */
export type World = {
  answers: {
    wrong: number;
    /** No `Answer:` line. */
    unmarked: number;
    /** Goes on until it is cut off. */
    endless: number;
    /** Holds a lone surrogate, a NUL, markup and a terminal escape. */
    odd: number;
  };
  user: { restate_question: number; restate_answer: number; empty: number; artifact: number };
  /** Right answers by the exact text of the question; others get a number of the fake's own. */
  key: Record<string, string>;
  /** Turns said word for word after the question of this exact text, in place of made-up ones. */
  said: Record<string, { answer?: string; user?: string }>;
};

export const plainWorld: World = {
  answers: { wrong: 0.3, unmarked: 0.05, endless: 0.02, odd: 0 },
  user: { restate_question: 0.2, restate_answer: 0.15, empty: 0.1, artifact: 0.15 },
  key: {},
  said: {},
};

/** Draws of one reply, each 0 ≤ x < 1, the same for the same request. */
export type Draw = (what: string) => number;

/** Token ids of the whole reply, its end token included; `room`: more than this many are never looked at. */
export function replyTo(turn: OpenTurn, world: World, opts: { draw: Draw; room: number }): number[] {
  const said = Object.hasOwn(world.said, turn.question) ? world.said[turn.question] : undefined;
  const word = turn.open === 'user' ? said?.user : said?.answer;
  if (word !== undefined) return [...tokenize(word), special.end];
  if (turn.open === 'user') return [...tokenize(userTurn(turn, world, opts.draw)), special.end];
  if (opts.draw('endless') < world.answers.endless) return endless(turn, opts);
  return [...tokenize(answer(turn, world, opts.draw)), special.end];
}

const ODD = ' \ud835 \u0000 <b onclick="x">&amp;</b> \u001b[31m ';

function answer({ question }: OpenTurn, world: World, draw: Draw): string {
  const right = world.key[question] ?? String(numberFrom(question));
  const final = draw('wrong') < world.answers.wrong ? nearby(right, draw('error')) : right;
  const given = [...new Set(question.match(/\d+/g) ?? [])].slice(0, 3);
  const opening = pick(
    ['Let us take it step by step.', 'Here is how I read it.', 'Start from what is given.'],
    draw('opening'),
  );
  const facts =
    given.length > 0 ? `The numbers that matter are ${given.join(', ')}.` : 'The question gives no numbers.';
  const step = pick(
    ['Putting these together leads to', 'Working it through gives', 'From there one arrives at'],
    draw('step'),
  );
  const odd = draw('odd') < world.answers.odd ? ODD : '';
  const body = `${opening} ${facts}${odd}\n${step} ${final}.`;
  return draw('unmarked') < world.answers.unmarked ? body : `${body}\nAnswer: ${final}`;
}

function endless({ question }: OpenTurn, { draw, room }: { draw: Draw; room: number }): number[] {
  const ids = tokenize(`Let me check ${Math.floor(draw('first') * 900) + 100} again.`);
  const again = tokenize(` That is not it either, so once more from the start: ${question.slice(0, 60)}`);
  while (ids.length <= room) ids.push(...again);
  return ids;
}

function userTurn({ question, answer: given }: OpenTurn, world: World, draw: Draw): string {
  const { restate_question, restate_answer, empty, artifact } = world.user;
  const at = draw('kind');
  if (at < restate_question) return question;
  if (at < restate_question + restate_answer) return given;
  if (at < restate_question + restate_answer + empty) return '';
  if (at < restate_question + restate_answer + empty + artifact) return artifactTurn(draw);
  return followUp(question, given, draw);
}

function artifactTurn(draw: Draw): string {
  const marks = ['<|im_start|>assistant\nOf course.', '<|im_start|>', 'assistant\n\nuser\n\nassistant', '[/INST] </s>'];
  return pick(marks, draw('artifact'));
}

function followUp(question: string, given: string, draw: Draw): string {
  const subject = question.match(/\s[a-z]{4,}/)?.[0].trim() ?? 'result';
  const number = given.match(/\d+/g)?.at(-1) ?? 'that';
  const asks = [
    `How did you get to ${number}? I would have expected less.`,
    `Thanks. And what if the ${subject} were twice as large?`,
    `Could you check the part about the ${subject} once more?`,
    `Is ${number} exact, or did you round it?`,
    `Why does the ${subject} matter here?`,
  ];
  return pick(asks, draw('ask'));
}

function nearby(right: string, at: number): string {
  if (/^[A-Z]$/.test(right)) return right === 'A' ? 'B' : 'A';
  const number = Number(right);
  return right !== '' && Number.isFinite(number) ? String(number + 1 + Math.floor(at * 9)) : `not ${right}`;
}

/** A number that belongs to a question, whatever the seed: 2 … 401. */
function numberFrom(question: string): number {
  let sum = 0;
  for (const id of tokenize(question)) sum = (sum * 31 + id) % 400;
  return sum + 2;
}

function pick(options: string[], at: number): string {
  return options[Math.floor(at * options.length)] ?? '';
}

/** For tests: the text of a reply. */
export function replyText(ids: number[]): string {
  return detokenize(ids.at(-1) === special.end ? ids.slice(0, -1) : ids);
}
