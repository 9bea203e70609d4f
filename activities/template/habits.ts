// What a chat template does with a conversation, read off what it prints for a few.

import { openedBy } from '../../domain/accuracy/reasoning.ts';
import type { Message } from '../../domain/data/item.ts';
import { roleSwitch } from '../../domain/probe/bridge.ts';
import { type ReasoningHabits, reasoningHabits } from '../../domain/probe/history.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Renderer } from './renderer.ts';

/** Where a system message stands: in a turn of its own, in a user turn, nowhere; or it is refused. */
export type SystemPlace = 'own turn' | 'first user turn' | 'last user turn' | 'dropped' | 'refused';

export type Habits = {
  /** What stands before the first question of a conversation without a system message. */
  opening: string;
  /** What opens an assistant turn; null where a prompt is no continuation of the conversation without one. */
  generationPrompt: string | null;
  /** White space around what is said is taken away. */
  trims: boolean;
  /** What becomes of turns before the last question. `lost`: some are not printed at all. */
  earlier: 'kept' | 'lost';
  system: SystemPlace;
  /** `opens`: the mark at the prompt's end that opens reasoning; empty where the answer begins with itself. */
  reasoning: ReasoningHabits & { opens: string };
};

export const question = 'Why is the sky dark at night?';
const short: Message[] = [{ role: 'user', content: question }];

/** @throws ConfigProblem  the template cannot be probed on a plain question */
export async function habitsOf(renderer: Renderer): Promise<{ habits: Habits; problems: string[] }> {
  const problems: string[] = [];
  const at = await roleSwitch(short, renderer.render);
  const plain = await textOf(renderer, short, 'none');
  const padded = await textOf(renderer, [{ role: 'user', content: `  ${question}  ` }], 'none');
  const generationPrompt =
    plain !== null && at.assistantPrompt.startsWith(plain) ? at.assistantPrompt.slice(plain.length) : null;
  if (generationPrompt === '' && plain !== null && opensLater(at.afterUser, plain)) {
    problems.push('The template opens no assistant turn when asked to; the model has to write the header itself.');
  }
  const { system, problem } = await systemPlace(renderer, at.bridge);
  if (problem !== null) problems.push(`Data with a system message cannot be used: ${problem}`);
  const earlier = await earlierTurns(renderer);
  if (earlier === 'lost') {
    problems.push('Earlier turns: left out. In a conversation of several turns the model sees only the last ones.');
  }
  const habits: Habits = {
    opening: at.assistantPrompt.slice(0, Math.max(0, at.assistantPrompt.indexOf(question))),
    generationPrompt,
    trims: plain !== null && padded === plain,
    earlier,
    system,
    reasoning: { ...(await reasoningHabits(short, renderer.render)), opens: openedBy(at.assistantPrompt) },
  };
  return { habits, problems };
}

/** Whether more stands before a following answer than the rendering without one ends with. */
function opensLater(afterUser: string, plain: string): boolean {
  return afterUser.trim() !== plain.slice(plain.lastIndexOf(question) + question.length).trim();
}

const turns = ['Who painted it?', 'Somebody did.', 'And in which year?', 'That is not known.', 'Who owns it now?'];

/** Whether all of a longer conversation is printed. One that is refused loses nothing unseen. */
async function earlierTurns(renderer: Renderer): Promise<Habits['earlier']> {
  const messages = turns.map((content, place): Message => ({ role: place % 2 === 0 ? 'user' : 'assistant', content }));
  const text = await textOf(renderer, messages, 'assistant');
  return text === null || turns.every((content) => text.includes(content)) ? 'kept' : 'lost';
}

/** In a turn of its own, where the header of a user turn (the bridge's end) stands between it and the first question. */
async function systemPlace(
  renderer: Renderer,
  bridge: string,
): Promise<{ system: SystemPlace; problem: string | null }> {
  const told = 'Be brief.';
  const messages: Message[] = [
    { role: 'system', content: told },
    { role: 'user', content: 'Where is it?' },
    { role: 'assistant', content: 'There.' },
    ...short,
  ];
  const asked = await tried(renderer, [...messages.slice(0, 1), ...short], 'assistant');
  if ('problem' in asked) return { system: 'refused', problem: asked.problem.message };
  const text = (await textOf(renderer, messages, 'assistant')) ?? asked.text;
  const at = text.indexOf(told);
  if (at < 0) return { system: 'dropped', problem: null };
  const next = [text.indexOf('Where is it?'), text.indexOf(question)].find((place) => place > at) ?? at;
  const header = commonEnd(text.slice(at + told.length, next), bridge);
  if (header.trim() !== '') return { system: 'own turn', problem: null };
  return { system: next === text.indexOf('Where is it?') ? 'first user turn' : 'last user turn', problem: null };
}

function commonEnd(one: string, other: string): string {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length === 0 ? '' : one.slice(-length);
}

type Tried = { text: string } | { problem: ConfigProblem };

async function tried(renderer: Renderer, messages: Message[], generation: 'none' | 'assistant'): Promise<Tried> {
  try {
    return { text: await renderer.render(messages, { generation }) };
  } catch (problem) {
    if (problem instanceof ConfigProblem) return { problem };
    throw problem;
  }
}

async function textOf(renderer: Renderer, messages: Message[], generation: 'none' | 'assistant') {
  const came = await tried(renderer, messages, generation);
  return 'text' in came ? came.text : null;
}
