// Conversations as a list of `messages`, each with a role and a content: how CoVal is read until its own form is known.
import { z } from 'zod';
import { hashOf } from '../../../domain/records/canonical.ts';
import { elementLines } from '../elements.ts';
import { isId, onceEach } from '../ids.ts';
import type { WholeFile } from '../lines.ts';
import { fromRows, textOrNumber } from '../rows.ts';
import { conversationsOf, heldOut, lateSystem, messageList } from './conversation.ts';

const row = z.object({
  id: textOrNumber().refine(isId, 'is no id: up to 200 printable characters on one line.').nullish(),
  messages: messageList,
});

/** Without an `id` a conversation is named by a digest of its messages. */
export function coval(data: WholeFile, shown: string) {
  const seen = { id: onceEach('id'), messages: onceEach('messages') };
  const { items, problems } = fromRows(elementLines(data), row, {
    shown,
    make: ({ value: { id, messages }, line }) => {
      const name = id ?? `coval-${hashOf(messages).slice(0, 16)}`;
      const faults = [...(id ? seen.id : seen.messages)(name, line), ...lateSystem(messages, 'messages')];
      return faults.length > 0 ? { faults } : { item: heldOut(name, messages) };
    },
  });
  return { problems, ...conversationsOf(items) };
}
