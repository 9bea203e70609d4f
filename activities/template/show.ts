// What `uturn template <model>` shows: a user turn's prompt token by token, and what was read off the template.
import type { Message } from '../../domain/data/item.ts';
import type { Tokenize } from '../../domain/probe/added.ts';
import { roleSwitch } from '../../domain/probe/bridge.ts';
import { assistantStops, type Stops, userStops } from '../../domain/probe/stops.ts';
import { userTurnPrompt } from '../../domain/probe/trace.ts';
import { visible } from '../../domain/probe/visible.ts';
import { ConfigProblem, sentence } from '../../domain/problems.ts';
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
  problems: string[];
};

export type Probe = {
  pieces: Piece[];
  /** What opens an assistant turn; null where a prompt is no continuation of the conversation without one. */
  generationPrompt: string | null;
  /** White space around what is said is taken away. */
  trims: boolean;
  stops: { assistant: Stops; user: Stops };
};

export type ShowOptions = {
  model: string;
  date: string | null;
  /** The model's server, as far as it is needed. */
  server: { tokenize: Tokenize; detokenize(ids: number[]): Promise<string | null> };
  /** What the prompt shown is made of; left out, a short question and answer. */
  conversation?: SaidSoFar;
};

/** `messages` end with a user message, which `answer` answers. */
export type SaidSoFar = { messages: Message[]; answer: string };

const question = 'Why is the sky dark at night?';
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
  return { model: opts.model, template: { sha256, source }, date: opts.date, probe, problems };
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
  const habits = await habitsOf(renderer, opts.problems);
  const said = { assistantPrompt: at.assistantPrompt, bridge: at.bridge, answer: conversation.answer };
  return { pieces: await piecesOf(said, stops.assistant, server), ...habits, stops };
}

async function habitsOf(renderer: Renderer, problems: string[]): Promise<Pick<Probe, 'generationPrompt' | 'trims'>> {
  const at = await roleSwitch(short.messages, renderer.render);
  const plain = await renderer.render(short.messages, { generation: 'none' });
  const padded = await renderer.render([{ role: 'user', content: `  ${question}  ` }], { generation: 'none' });
  const generationPrompt = at.assistantPrompt.startsWith(plain) ? at.assistantPrompt.slice(plain.length) : null;
  if (generationPrompt === '' && opensLater(at.afterUser, plain)) {
    problems.push('The template opens no assistant turn when asked to; the model has to write the header itself.');
  }
  problems.push(...(await refusals(renderer)));
  return { generationPrompt, trims: padded === plain };
}

/** Whether more stands before a following answer than the rendering without one ends with. */
function opensLater(afterUser: string, plain: string): boolean {
  return afterUser.trim() !== plain.slice(plain.lastIndexOf(question) + question.length).trim();
}

async function refusals(renderer: Renderer): Promise<string[]> {
  const system: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: question },
  ];
  try {
    await renderer.render(system, { generation: 'assistant' });
    return [];
  } catch (problem) {
    if (!(problem instanceof ConfigProblem)) throw problem;
    return [`Data with a system message cannot be used: ${problem.message}`];
  }
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

/** The report for a terminal. Nothing in it can move the cursor or hide: control characters are escapes. */
export function formatTemplateReport(report: TemplateReport): string {
  const { probe } = report;
  const head = [
    `${visible(report.model)}: chat template ${report.template.sha256.slice(0, 12)}, rendered by ${report.template.source === 'jinja' ? 'jinja2' : 'the model’s server'}`,
    report.date === null ? 'It prints no date.' : `It prints the date, frozen at ${report.date}.`,
  ];
  const problems = report.problems.map((problem) => `Problem: ${problem}`);
  if (probe === null) return [...head, ...problems, ''].join('\n');
  return [
    ...head,
    probe.trims ? 'It trims what is said.' : 'It leaves white space around what is said.',
    ...(probe.generationPrompt === null ? [] : [`Assistant turn opens with: ${visible(probe.generationPrompt)}`]),
    `Assistant turn ends at:   ${stopWords(probe.stops.assistant)}`,
    `User turn ends at:        ${stopWords(probe.stops.user)}`,
    ...problems,
    '',
    probe.pieces.some((piece) => piece.id !== null)
      ? 'Prompt of a user turn:'
      : 'Prompt of a user turn, as text (there is no tokenizer here):',
    ...probe.pieces.map(
      (piece) => `  ${piece.what.padEnd(8)}${String(piece.id ?? '-').padStart(8)}  ${visible(piece.text)}`,
    ),
    '',
  ].join('\n');
}

function stopWords({ ids, markers }: Stops): string {
  const shown = markers.map(visible).join('  ');
  return ids.length > 0 ? `${shown}  (token ids ${ids.join(', ')})` : `${shown}  (as text)`;
}
