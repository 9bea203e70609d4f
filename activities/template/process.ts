// The Python process that renders templates: one at a time, restarted when it dies or does not come back.
import { z } from 'zod';
import type { TemplateMessage } from '../../domain/probe/history.ts';
import { WorldProblem } from '../../domain/problems.ts';
import { pythonHelper } from '../python/helper.ts';
import { turns } from '../store/turns.ts';

/** `seconds` bounds the computing time of this rendering. */
export type RenderRequest = Settings & Conversation;

type Settings = {
  template: string;
  kwargs: Record<string, unknown>;
  bos_token: string | null;
  eos_token: string | null;
  date: string | null;
  seconds: number;
};

type Conversation = { messages: TemplateMessage[]; add_generation_prompt: boolean };

/** `limit`: it was cut off, and will be whenever it is asked. */
export type RenderReply = { text: string } | { error: string; limit?: true | undefined };

export type RenderProcess = { ask(request: RenderRequest): Promise<RenderReply>; close(): Promise<void> };

const oneReply = z.union([
  z.object({ text: z.string() }),
  z.object({ error: z.string(), limit: z.literal(true).optional() }),
]);
const reply = z.object({ renderings: z.array(oneReply) });
type Reply = z.infer<typeof reply>;

/** Wall time on top of the computing time: a busy machine, and the start of Python. */
const GRACE_MS = 30_000;
/** Conversations that go through the pipe together, with one copy of their template. */
const mostTogether = 64;

/** What waits while the process works goes to it together. */
type Batch = { settings: Settings; conversations: Conversation[]; came: Promise<RenderReply[]> };

/** Starts nothing yet; the process is there from the first question on and never keeps Node alive by itself. */
export function renderProcess(python: string, opts: { graceMs?: number } = {}): RenderProcess {
  const graceMs = opts.graceMs ?? GRACE_MS;
  const helper = pythonHelper<Settings & { conversations: Conversation[] }, Reply>({
    python,
    script: 'render.py',
    reply,
    work: 'renders chat templates',
  });
  const inTurn = turns();
  let waiting: Batch | null = null;

  const askAll = async (settings: Settings, conversations: Conversation[]): Promise<RenderReply[]> => {
    const limitMs = settings.seconds * 1000 * conversations.length + graceMs;
    const asked = await helper.ask({ ...settings, conversations }, limitMs);
    if (typeof asked === 'object') return asked.reply.renderings;
    // Of several, one may have cost the others their process.
    if (conversations.length > 1) return oneByOne(settings, conversations);
    if (asked === 'died') throw new WorldProblem('renderer', `the template renderer died twice (${python})`);
    return [{ error: `not finished in time (${settings.seconds} s of computing)`, limit: true }];
  };
  const oneByOne = async (settings: Settings, conversations: Conversation[]): Promise<RenderReply[]> => {
    const replies: RenderReply[] = [];
    for (const conversation of conversations) replies.push(...(await askAll(settings, [conversation])));
    return replies;
  };
  const open = (settings: Settings): Batch => {
    const conversations: Conversation[] = [];
    const came = inTurn(() => {
      if (waiting?.conversations === conversations) waiting = null;
      return askAll(settings, conversations);
    });
    return { settings, conversations, came };
  };

  return {
    async ask({ messages, add_generation_prompt, ...settings }) {
      if (waiting === null || waiting.conversations.length >= mostTogether || !same(waiting.settings, settings))
        waiting = open(settings);
      const { conversations, came } = waiting;
      const place = conversations.push({ messages, add_generation_prompt }) - 1;
      const reply = (await came)[place];
      if (reply === undefined)
        throw new WorldProblem('renderer', `the template renderer left out an answer (${python})`);
      return reply;
    },
    close: () => helper.close(),
  };
}

function same(one: Settings, other: Settings): boolean {
  return (
    one.template === other.template &&
    one.kwargs === other.kwargs &&
    one.bos_token === other.bos_token &&
    one.eos_token === other.eos_token &&
    one.date === other.date &&
    one.seconds === other.seconds
  );
}
