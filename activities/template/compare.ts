// Our rendering of a template beside its server's own.
import type { TemplateMessage } from '../../domain/probe/history.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { ModelServer } from '../inference/completion.ts';
import { plainConversations, type Renderer } from './renderer.ts';

/** The first rendering that differs, from where it does; null on a side that refused the conversation. */
export type Comparison = { same: true } | { same: false; ours: string | null; theirs: string | null };

const SHOWN = 80;

/** Null where the server cannot render. */
export async function comparedWith(
  server: Pick<ModelServer, 'renderChat'>,
  renderer: Renderer,
  kwargs: Record<string, unknown>,
): Promise<Comparison | null> {
  for (const messages of plainConversations) {
    for (const generation of ['none', 'assistant'] as const) {
      const theirs = await theirText(server, messages, { generation, kwargs });
      if (theirs === 'cannot') return null;
      const ours = await orRefused(renderer.render(messages, { generation }));
      if (ours !== theirs.text) return { same: false, ...differing(ours, theirs.text) };
    }
  }
  return { same: true };
}

async function theirText(
  server: Pick<ModelServer, 'renderChat'>,
  messages: TemplateMessage[],
  opts: Parameters<ModelServer['renderChat']>[1],
): Promise<{ text: string | null } | 'cannot'> {
  try {
    const text = await server.renderChat(messages, opts);
    return text === null ? 'cannot' : { text };
  } catch (problem) {
    if (problem instanceof ConfigProblem) return { text: null };
    throw problem;
  }
}

function differing(ours: string | null, theirs: string | null) {
  if (ours === null || theirs === null)
    return { ours: ours?.slice(0, SHOWN) ?? null, theirs: theirs?.slice(0, SHOWN) ?? null };
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at += 1;
  const from = Math.max(0, at - SHOWN / 4);
  return { ours: ours.slice(from, from + SHOWN), theirs: theirs.slice(from, from + SHOWN) };
}

async function orRefused(rendering: Promise<string>): Promise<string | null> {
  try {
    return await rendering;
  } catch (problem) {
    if (problem instanceof ConfigProblem) return null;
    throw problem;
  }
}
