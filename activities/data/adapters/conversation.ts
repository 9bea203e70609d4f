// Conversations that people had: the last answer in them is the given one, and what was said next is kept.
import { z } from 'zod';
import type { Item, Message } from '../../../domain/data/item.ts';
import type { Sentence } from '../../../domain/spec/issues.ts';
import { wholeText } from '../rows.ts';

/** Fields beside these two are not read. */
export const messageList = z
  .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: wholeText() }))
  .min(1);

/**
 * The conversation up to its last answer, the answer, and the user turn behind it. Null where no answer stands behind a
 * user turn: then nothing can be asked.
 */
export function heldOut(id: string, messages: Message[]): Item | null {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const [given, next] = messages.slice(Math.max(last, 0));
  if (last < 1 || given === undefined || messages[last - 1]?.role !== 'user') return null;
  return {
    id,
    messages: messages.slice(0, last),
    answer: null,
    assistant: given.content,
    reference_user_turn: next?.content ?? null,
  };
}

/** A system message stands first or nowhere. */
export function lateSystem(messages: Message[], field: string): Sentence[] {
  return messages.flatMap(({ role }, index) =>
    role !== 'system' || index === 0
      ? []
      : [
          {
            path: [field, index, 'role'],
            message: 'system may only come first.',
            advice: 'Move its text into the first message.',
          },
        ],
  );
}

/** Items out of conversations, and a sentence that counts those that hold none. */
export function conversationsOf(found: (Item | null)[]): { items: Item[]; notes: string[] } {
  const items = found.flatMap((item) => (item === null ? [] : [item]));
  const left = found.length - items.length;
  const note = `${left} of ${found.length} conversations hold no answer to a user turn; they are left out.`;
  return { items, notes: left === 0 ? [] : [note] };
}
