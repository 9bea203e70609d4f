// A chat template that can be applied: by our own engine, or by the model's server.
import type { Message } from '../../domain/data/item.ts';
import type { TemplateMessage } from '../../domain/probe/history.ts';

export type Renderer = {
  /** Digest of the template's text, or of a server's renderings of fixed conversations. */
  sha256: string;
  source: 'jinja' | 'server';
  /** The model's own end tokens as text, where they are known. */
  endTokens: string[];
  /** @throws ConfigProblem  the template raises on these messages, or does not come to an end */
  render(messages: TemplateMessage[], opts: { generation: 'none' | 'assistant' }): Promise<string>;
  close(): Promise<void>;
};

/** Conversations every chat template should print; with and without what makes templates differ. */
export const plainConversations: Message[][] = [
  [{ role: 'user', content: 'Which metal is liquid at room temperature?' }],
  [
    { role: 'user', content: 'Which metal is liquid at room temperature?' },
    { role: 'assistant', content: 'Mercury.' },
    { role: 'user', content: 'And which one melts in a hand?' },
  ],
  [
    { role: 'system', content: 'Answer in one word.' },
    { role: 'user', content: 'Which metal is liquid at room temperature?' },
  ],
];
