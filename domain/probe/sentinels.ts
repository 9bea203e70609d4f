// Marks that stand in for a turn's content while a template is probed.
import type { Message } from '../data/item.ts';
import { hashOf, sha256 } from '../records/canonical.ts';
import type { Render } from './bridge.ts';

export type Sentinels = { assistant: string; user: string; next: string; empty: string };

/**
 * Four different words that are no part of any message and of each other. Lower-case letters only: nothing that
 * a template trims, splits at or escapes. 120 bits of hash keep them out of the template's own text.
 */
export function sentinelsFor(messages: Message[]): Sentinels {
  const contents = messages.map((message) => message.content.toWellFormed());
  const own = hashOf(contents);
  for (let attempt = 0; ; attempt += 1) {
    const word = (name: string) => letters(sha256(`${name} ${attempt} ${own}`).slice(0, 30));
    const marks = { assistant: word('assistant'), user: word('user'), next: word('next'), empty: word('empty') };
    if (!Object.values(marks).some((mark) => contents.some((content) => content.includes(mark)))) return marks;
  }
}

/** `render`, with the mark put in for every empty content and taken out of the text. */
export function splicing(render: Render, mark: string): Render {
  return async (messages, opts) => {
    const filled = messages.map((message) => (message.content === '' ? { ...message, content: mark } : message));
    return (await render(filled, opts)).replaceAll(mark, '');
  };
}

function letters(hex: string): string {
  return hex.replace(/[0-9]/g, (digit) => String.fromCharCode('g'.charCodeAt(0) + Number(digit)));
}
