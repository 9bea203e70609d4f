// The role switch: what stands between an assistant turn and the user turn after it, read off the model's own
// chat template by rendering marked conversations. One way for every family; nothing is written by hand.
import type { Message } from '../data/item.ts';
import { ConfigProblem } from '../problems.ts';
import type { TemplateMessage } from './history.ts';
import { type Sentinels, sentinelsFor, splicing } from './sentinels.ts';
import { visible } from './visible.ts';

/** A chat template, bound to its switches and its clock. Throws ConfigProblem where the template raises. */
export type Render = (messages: TemplateMessage[], opts: { generation: 'none' | 'assistant' }) => Promise<string>;

export type RoleSwitch = {
  /** The conversation up to the header that opens the assistant turn. */
  assistantPrompt: string;
  /** End of the assistant turn and the header that opens the next user turn. */
  bridge: string;
  /** What all renderings that go on after a user turn go on with: its end, perhaps the next header. Never blank. */
  afterUser: string;
  /** What ends an assistant turn; the bridge where a last assistant turn is left open. Never blank. */
  afterAssistant: string;
};

/**
 * Derives the role switch for a conversation that ends with a user message. The system message is part of it:
 * some templates move it into the last user turn, so into the bridge. An empty content is never rendered (some
 * templates raise on it or print `None`): a mark is, and is taken out again.
 * @throws ConfigProblem  the template raises, or prints these turns in a way nothing can be read off
 */
export function roleSwitch(messages: Message[], render: Render): Promise<RoleSwitch> {
  return roleSwitches(render)(messages);
}

/** What ends the turns, which conversations of one shape share where their bridge and last words are the same. */
type Ends = Pick<RoleSwitch, 'afterUser' | 'afterAssistant'>;

/**
 * `roleSwitch` of one template for many conversations. Prompt and bridge are always read off the conversation's own
 * renderings, two of them; the other three, which tell where turns end, are made once per shape of conversation
 * (its roles, its bridge, and what follows its last words).
 */
export function roleSwitches(render: Render): (messages: Message[]) => Promise<RoleSwitch> {
  const known = new Map<string, Promise<Ends>>();
  return async (messages) => {
    if (messages.at(-1)?.role !== 'user') {
      throw new ConfigProblem('a conversation to probe must end with a user message', {
        advice:
          'Give the answer apart from the messages (field `assistant`), or drop the messages after the last question.',
      });
    }
    const marks = sentinelsFor(messages);
    const marked = markedTurns(messages, marks, splicing(render, marks.empty));
    const [assistantPrompt, alone] = await Promise.all([marked.prompt(), tried(marked.alone())]);
    const own = between(alone, marks.assistant, marks.user);
    const tail = between(alone, marks.user, null);
    if (own === null || tail === null) return { assistantPrompt, ...(await bridged(marked, { marks, alone })) };

    const shape = JSON.stringify([messages.map(({ role, content }) => [role, content === '']), own, tail]);
    const found = known.get(shape) ?? bridged(marked, { marks, alone });
    known.set(shape, found);
    found.catch(() => known.delete(shape));
    const { afterUser, afterAssistant } = await found;
    return { assistantPrompt, bridge: own, afterUser, afterAssistant };
  };
}

/** The conversation, and what it becomes with marked turns after it. */
function markedTurns(messages: Message[], marks: Sentinels, render: Render) {
  const withA: Message[] = [...messages, { role: 'assistant', content: marks.assistant }];
  const withB: Message[] = [...withA, { role: 'user', content: marks.user }];
  const withC: Message[] = [...withB, { role: 'assistant', content: marks.next }];
  return {
    prompt: () => render(messages, { generation: 'assistant' }),
    answered: () => render(withA, { generation: 'none' }),
    alone: () => render(withB, { generation: 'none' }),
    prompted: () => render(withB, { generation: 'assistant' }),
    followed: () => render(withC, { generation: 'none' }),
  };
}

type Marked = ReturnType<typeof markedTurns>;

async function bridged(
  marked: Marked,
  { marks, alone }: { marks: Sentinels; alone: Tried },
): Promise<Omit<RoleSwitch, 'assistantPrompt'>> {
  const [answered, prompted, followed] = await Promise.all([
    tried(marked.answered()),
    tried(marked.prompted()),
    tried(marked.followed()),
  ]);

  const unprobeable = unprobeableFor(marks);
  const turn = 'text' in alone ? alone : prompted;
  if ('problem' in turn) throw turn.problem;
  const bridge = between(turn, marks.assistant, marks.user);
  if (bridge === null)
    throw unprobeable('the two turns put into it do not both come out, once and in order', turn.text);
  if (bridge.trim() === '') throw unprobeable('nothing stands between an assistant and a user turn', turn.text);

  const tails = [
    between(alone, marks.user, null),
    between(prompted, marks.user, null),
    between(followed, marks.user, marks.next),
  ];
  const afterUser = agreedStart(tails.filter((tail) => tail !== null));
  if (afterUser.trim() === '') throw unprobeable('nothing marks the end of a user turn', turn.text);

  const closing = between(answered, marks.assistant, null) ?? '';
  return { bridge, afterUser, afterAssistant: closing.trim() === '' ? bridge : closing };
}

type Tried = { text: string } | { problem: ConfigProblem };

/** A template may refuse some of the conversations (a last assistant turn, say); the others can still tell enough. */
async function tried(rendering: Promise<string>): Promise<Tried> {
  try {
    return { text: await rendering };
  } catch (problem) {
    if (problem instanceof ConfigProblem) return { problem };
    throw problem;
  }
}

/** What stands between two marks (after `from`, where `to` is null); null unless each mark comes once, in order. */
function between(rendering: Tried, from: string, to: string | null): string | null {
  if ('problem' in rendering) return null;
  const [head, tail, ...more] = rendering.text.split(from);
  if (head === undefined || tail === undefined || more.length > 0) return null;
  if (to === null) return tail;
  const [inside, behind, ...rest] = tail.split(to);
  if (inside === undefined || behind === undefined || rest.length > 0 || head.includes(to)) return null;
  return inside;
}

/**
 * The longest text that none of the tails contradicts. A tail that has run out contradicts nothing: a template
 * that ends with the user's words, or with words of its own after them, has not said yet how the turn ends.
 */
export function agreedStart(tails: string[]): string {
  const longest = tails.reduce((one, other) => (other.length > one.length ? other : one), '');
  let end = 0;
  while (end < longest.length && tails.every((tail) => end >= tail.length || tail[end] === longest[end])) end += 1;
  return longest.slice(0, end);
}

function unprobeableFor(marks: Sentinels): (why: string, came: string) => ConfigProblem {
  return (why, came) => {
    const named = came.replaceAll(marks.assistant, '‹assistant›').replaceAll(marks.user, '‹user›');
    const shown = came === '' ? 'It printed nothing.' : `It printed, at its end: ${visible(named.slice(-200))}`;
    return new ConfigProblem(`this chat template cannot be probed: ${why}`, {
      advice: `Tried: the conversation, then ‹assistant› and ‹user› as two more turns. ${shown}\n  Give a template that prints plain messages.`,
    });
  };
}
