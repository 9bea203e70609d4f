// Conversations as they are asked: with the experiment's system message, where it has one.
import type { Item } from './item.ts';

/** The system message goes before every conversation that has none; a conversation's own one stays. */
export function itemsAsked(items: Item[], { system }: { system?: string | undefined }): Item[] {
  if (system === undefined) return items;
  return items.map((item) => {
    if (item.messages.some(({ role }) => role === 'system')) return item;
    return { ...item, messages: [{ role: 'system', content: system }, ...item.messages] };
  });
}
