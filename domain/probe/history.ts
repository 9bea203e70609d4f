// Ablations: the user turn's prompt with the answer rendered anew, in place of the exact trace.
import { openedBy, openingAfter, visiblePart, withoutTags } from '../accuracy/reasoning.ts';
import type { Message } from '../data/item.ts';
import { ConfigProblem } from '../problems.ts';
import type { Render } from './bridge.ts';
import { sentinelsFor, splicing } from './sentinels.ts';

/** `strip`: the answer without its reasoning. `template`: as the template prints it, which may drop reasoning or not. */
export type Rerendering = 'strip' | 'template';

/** Names under which templates look for what was thought before an answer. */
const fields = ['reasoning_content', 'reasoning', 'thinking'] as const;
export type ReasoningField = (typeof fields)[number];

/** A message as a template may read it. */
export type TemplateMessage = Message & Partial<Record<ReasoningField, string>>;

/** `text` is the answer to `prompt`, without the token that ended it. `field`: see `ReasoningHabits`. */
export type Answered = { messages: Message[]; prompt: string; text: string; field: ReasoningField | null };

/**
 * Prompt of the user turn, up to and with the header that opens it.
 * @throws ConfigProblem  the template refuses this answer, or does not print the turn after it
 */
export async function rerendered(how: Rerendering, at: Answered, render: Render): Promise<string> {
  const { messages, prompt, text, field } = at;
  const marks = sentinelsFor([...messages, { role: 'assistant', content: text }]);
  const spliced = splicing(render, marks.empty);
  const upToUser = async (answer: TemplateMessage) =>
    before(marks.user, await withUserTurn([...messages, answer], marks.user, spliced));

  const { visible, reasoning } = reasoningIn({ prompt, text });
  if (how === 'strip') {
    const head = await upToUser({ role: 'assistant', content: marks.assistant });
    return head.split(marks.assistant).join(visible);
  }
  if (field === null || reasoning === null) return upToUser({ role: 'assistant', content: openedBy(prompt) + text });
  return upToUser({ role: 'assistant', content: visible, ...inField(field, reasoning) });
}

/** `reasoning` is null where it is no one stretch before what is seen. */
export function reasoningIn({ prompt, text }: Pick<Answered, 'prompt' | 'text'>) {
  const visible = visiblePart(text, openingAfter(prompt));
  if (visible === text) return { visible, reasoning: '' };
  const end = visible === null ? text.length : text.lastIndexOf(visible);
  return { visible: (visible ?? '').trimStart(), reasoning: end < 0 ? null : withoutTags(text.slice(0, end)).trim() };
}

/**
 * `field`: where a template looks for the reasoning of an answer; null where it knows only the text.
 * `history`: what becomes of it once the user has gone on.
 */
export type ReasoningHabits = { field: ReasoningField | null; history: 'kept' | 'dropped' };

/** Read off what the template prints for marked reasoning. `messages` end with a user message. */
export async function reasoningHabits(messages: Message[], render: Render): Promise<ReasoningHabits> {
  const { next, assistant, user, empty } = sentinelsFor(messages);
  const spliced = splicing(render, empty);
  const earlier = (answer: TemplateMessage) => withUserTurn([...messages, answer], user, spliced).catch(orNothing);
  for (const field of fields) {
    const answer: TemplateMessage = { role: 'assistant', content: assistant, ...inField(field, next) };
    const history = (await earlier(answer)).includes(next) ? 'kept' : 'dropped';
    const last = await spliced([...messages, answer], { generation: 'none' }).catch(orNothing);
    if (history === 'kept' || last.includes(next)) return { field, history };
  }
  const tagged = await Promise.all(
    inText(next).map((thought) => earlier({ role: 'assistant', content: thought + assistant })),
  );
  const dropped = tagged.some((text) => text.includes(assistant) && !text.includes(next));
  return { field: null, history: dropped ? 'dropped' : 'kept' };
}

function inText(thought: string): string[] {
  return [`<think>\n${thought}\n</think>\n\n`, `[THINK]${thought}[/THINK]`, `<|channel>thought\n${thought}<channel|>`];
}

/** A template that refuses to stop after a user turn is asked to open the answer to it. */
async function withUserTurn(messages: TemplateMessage[], user: string, render: Render): Promise<string> {
  const turns: TemplateMessage[] = [...messages, { role: 'user', content: user }];
  return render(turns, { generation: 'none' }).catch((problem: unknown) => {
    if (problem instanceof ConfigProblem) return render(turns, { generation: 'assistant' });
    throw problem;
  });
}

function before(mark: string, text: string): string {
  const at = text.indexOf(mark);
  if (at >= 0) return text.slice(0, at);
  throw new ConfigProblem('the chat template does not print the turn after this answer', {
    advice: 'Measure this model with `reasoning: keep`, which renders no answer again.',
  });
}

function inField(field: ReasoningField, text: string): Partial<Record<ReasoningField, string>> {
  return { [field]: text };
}

function orNothing(problem: unknown): string {
  if (problem instanceof ConfigProblem) return '';
  throw problem;
}
