// What `uturn template <model>` shows: a user turn's prompt token by token, and what was read off the template.
import type { Message } from '../../domain/data/item.ts';
import type { Tokenize } from '../../domain/probe/added.ts';
import { roleSwitch } from '../../domain/probe/bridge.ts';
import { assistantStops, type Stops, userStops } from '../../domain/probe/stops.ts';
import { userTurnPrompt } from '../../domain/probe/trace.ts';
import { ConfigProblem, sentence } from '../../domain/problems.ts';
import type { ModelServer } from '../inference/completion.ts';
import { type Comparison, comparedWith } from './compare.ts';
import { type Habits, habitsOf, question } from './habits.ts';
import type { Renderer } from './renderer.ts';

/** One token, or one stretch of text where the server has no tokenizer. */
export type Piece = { what: 'prompt' | 'answer' | 'bridge'; id: number | null; text: string };

export type TemplateReport = {
  model: string;
  template: { sha256: string; source: 'jinja' | 'server' };
  /** The frozen date; null where the template prints none. */
  date: string | null;
  /** Null: the template cannot be probed, and `problems` says why. */
  probe: Probe | null;
  /** Our rendering beside the server's own; null where only one of them renders. */
  server: Comparison | null;
  problems: string[];
};

export type Probe = Habits & {
  /** End of an assistant turn and header of the user turn after it. */
  bridge: string;
  stops: { assistant: Stops; user: Stops };
  pieces: Piece[];
};

export type ShowOptions = {
  model: string;
  date: string | null;
  /** The model's server, as far as it is needed. */
  server: { tokenize: Tokenize; detokenize(ids: number[]): Promise<string | null> } & Partial<
    Pick<ModelServer, 'renderChat'>
  >;
  kwargs?: Record<string, unknown>;
  /** What the prompt shown is made of; left out, a short question and answer. */
  conversation?: SaidSoFar;
};

/** `messages` end with a user message, which `answer` answers. */
export type SaidSoFar = { messages: Message[]; answer: string };

const short: SaidSoFar = { messages: [{ role: 'user', content: question }], answer: 'Because most of it is empty.' };

/** Probes the template on a short conversation. A template that cannot be probed is reported, not thrown. */
export async function templateReport(renderer: Renderer, opts: ShowOptions): Promise<TemplateReport> {
  const { sha256, source } = renderer;
  const problems: string[] = [];
  const probe = await probed(renderer, { ...opts, problems }).catch((problem: unknown) => {
    if (!(problem instanceof ConfigProblem)) throw problem;
    problems.push(sentence(problem));
    return null;
  });
  const { renderChat } = opts.server;
  const compares = source === 'jinja' && renderChat !== undefined && probe !== null;
  const server = compares ? await comparedWith({ renderChat }, renderer, opts.kwargs ?? {}) : null;
  return { model: opts.model, template: { sha256, source }, date: opts.date, probe, server, problems };
}

/** How the template goes is read off the short conversation, the prompt and its stops belong to the one asked for. */
async function probed(renderer: Renderer, opts: ShowOptions & { problems: string[] }): Promise<Probe> {
  const { server, conversation = short } = opts;
  const at = await roleSwitch(conversation.messages, renderer.render);
  const sources = { tokenize: server.tokenize, endTokens: renderer.endTokens };
  const stops = {
    assistant: await assistantStops(at.afterAssistant, sources),
    user: await userStops(at.afterUser, sources),
  };
  const { habits, problems } = await habitsOf(renderer);
  opts.problems.push(...problems);
  const said = { assistantPrompt: at.assistantPrompt, bridge: at.bridge, answer: conversation.answer };
  return { ...habits, bridge: at.bridge, stops, pieces: await piecesOf(said, stops.assistant, server) };
}

type Said = { assistantPrompt: string; bridge: string; answer: string };

async function piecesOf(at: Said, stops: Stops, server: ShowOptions['server']): Promise<Piece[]> {
  const promptIds = await server.tokenize(at.assistantPrompt);
  const given = { prompt: at.assistantPrompt, promptIds, text: at.answer, ids: null };
  if (promptIds === null) {
    return [
      { what: 'prompt', id: null, text: at.assistantPrompt },
      { what: 'answer', id: null, text: at.answer },
      { what: 'bridge', id: null, text: at.bridge },
    ];
  }
  const options = { bridge: at.bridge, stops, tokenize: server.tokenize };
  const whole = await userTurnPrompt(given, { ...options, form: 'ids' });
  const answered = await userTurnPrompt(given, { ...options, form: 'ids', bridge: '' });
  if (whole.form !== 'ids' || answered.form !== 'ids') return [];
  const texts = await textsOf(whole.ids, server);
  return whole.ids.map((id, index) => ({
    what: index < promptIds.length ? 'prompt' : index < answered.ids.length ? 'answer' : 'bridge',
    id,
    text: texts[index] ?? '',
  }));
}

/** Text of each token where it stands: by itself a word may lose its space, and a part of a character is none. */
async function textsOf(ids: number[], server: ShowOptions['server']): Promise<string[]> {
  const texts: string[] = [];
  let before = '';
  for (const [index, id] of ids.entries()) {
    const whole = (await server.detokenize(ids.slice(0, index + 1))) ?? '';
    texts.push(whole.startsWith(before) ? whole.slice(before.length) : ((await server.detokenize([id])) ?? ''));
    before = whole;
  }
  return texts;
}
