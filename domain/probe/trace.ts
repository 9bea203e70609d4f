// The prompt of a user turn: the exact trace so far, then the bridge. The answer is never rendered again.
import { ConfigProblem } from '../problems.ts';
import { findAddedToken, idsAfterAnything, isAddedToken, type Tokenize } from './added.ts';
import type { Stops } from './stops.ts';

/** Raised when the same inputs would give another prompt; part of every generation's stage key. */
export const probeSemantics = 1;

/** What has been said so far: the prompt and the generated (or given) answer. Ids are null where the server gave none. */
export type Answer = { prompt: string; promptIds: number[] | null; text: string; ids: number[] | null };

/**
 * `joined` says how the bridge's ids were made: `suffix`: as the tokenizer continues the trace's own text;
 * `marker`: from the bridge's first added token on, because what stands before it merges with the answer's last
 * word (it is left out); `apart`: by itself, because the bridge has no added token.
 */
export type UserPrompt =
  | { form: 'ids'; ids: number[]; joined: 'suffix' | 'marker' | 'apart' }
  | { form: 'text'; text: string };

export type TraceOptions = {
  /** What the plan froze for this model. */
  form: 'ids' | 'text';
  bridge: string;
  /** Of the assistant turn: end markers the model wrote are dropped before the bridge. */
  stops: Stops;
  tokenize: Tokenize;
  /** Finds end tokens that nobody named; without it only those of `stops` are dropped. */
  detokenize?: (ids: number[]) => Promise<string | null>;
};

/**
 * Prompt for the user turn after an answer, cut off or not. What of the bridge the answer already ends with is
 * not put a second time.
 * @throws ConfigProblem  ids are wanted and the server cannot tokenise
 */
export async function userTurnPrompt(answer: Answer, opts: TraceOptions): Promise<UserPrompt> {
  const text = withoutEnd(answer.text, opts.stops.markers);
  if (opts.form === 'text') return { form: 'text', text: answer.prompt + joinText(text, opts.bridge) };

  const { tokenize } = opts;
  const promptIds = answer.promptIds ?? (await idsOf(answer.prompt, tokenize));
  const given = answer.ids === null ? await givenIds({ ...answer, promptIds, text }, tokenize) : null;
  const written = withoutEndIds(answer.ids ?? given?.ids ?? [], opts.stops.ids);
  const ids = await withoutHiddenEnd(written, answer.text, opts);
  const bridge = await bridgeIds({ text: answer.prompt + text, ids: given?.whole ?? null }, opts);
  return { form: 'ids', ids: [...promptIds, ...joinIds(ids, bridge.ids)], joined: bridge.joined };
}

/** What goes before the bridge, with its ids where they are known. */
type Prefix = { text: string; ids: number[] | null };

/** Ids of the bridge as a continuation of `prefix`. */
async function bridgeIds(prefix: Prefix, { bridge, tokenize }: TraceOptions) {
  const anywhere = await idsAnywhere(bridge, tokenize);
  if (anywhere !== null) return { ids: anywhere, joined: 'suffix' } as const;
  const before = prefix.ids ?? (await idsOf(prefix.text, tokenize));
  const whole = await idsOf(prefix.text + bridge, tokenize);
  if (startsWith(whole, before)) return { ids: whole.slice(before.length), joined: 'suffix' } as const;
  const added = await firstAdded(bridge, tokenize);
  if (added === null) return { ids: await idsOf(bridge, tokenize), joined: 'apart' } as const;
  return { ids: await idsOf(bridge.slice(added.start), tokenize), joined: 'marker' } as const;
}

const firstAdded = remembered(findAddedToken);
const idsAnywhere = remembered(idsAfterAnything);

/** Looking for added tokens takes some hundred questions, and bridges are few. */
function remembered<T>(find: (text: string, tokenize: Tokenize) => Promise<T>): typeof find {
  const known = new WeakMap<Tokenize, Map<string, Promise<T>>>();
  return (text, tokenize) => {
    const of = known.get(tokenize) ?? new Map<string, Promise<T>>();
    known.set(tokenize, of);
    const found = of.get(text) ?? find(text, tokenize);
    of.set(text, found);
    found.catch(() => of.delete(text));
    return found;
  };
}

/** An answer that came with the data: its ids as a continuation of the prompt, or by themselves where they merge. */
async function givenIds({ prompt, promptIds, text }: Answer & { promptIds: number[] }, tokenize: Tokenize) {
  if (text === '') return { ids: [], whole: promptIds };
  const whole = await idsOf(prompt + text, tokenize);
  const goesOn = startsWith(whole, promptIds);
  return { ids: goesOn ? whole.slice(promptIds.length) : await idsOf(text, tokenize), whole };
}

async function idsOf(text: string, tokenize: Tokenize): Promise<number[]> {
  if (text === '') return [];
  // A tokenizer reads UTF-8, which has no lone surrogates; a server answers one with an error.
  const ids = await tokenize(text.toWellFormed());
  if (ids !== null) return ids;
  throw new ConfigProblem('the plan sends token ids to this model, but its server has no /tokenize', {
    advice: 'Use the server the plan was made with, or make a new plan: uturn run --new.',
  });
}

function withoutEndIds(ids: number[], ends: number[]): number[] {
  const last = ids.findLastIndex((id) => !ends.includes(id));
  return ids.slice(0, last + 1);
}

/** An added token that the server left out of the text is one that it stopped at (a model may have several). */
async function withoutHiddenEnd(ids: number[], text: string, opts: TraceOptions): Promise<number[]> {
  const last = ids.at(-1);
  if (last === undefined || opts.detokenize === undefined) return ids;
  const { piece, added } = tokenOf(last, opts.detokenize, opts.tokenize);
  const said = await piece;
  if (said === null || said.trim() === '' || text.endsWith(said)) return ids;
  return (await added()) ? ids.slice(0, -1) : ids;
}

type Detokenize = NonNullable<TraceOptions['detokenize']>;
type Token = { piece: Promise<string | null>; added(): Promise<boolean> };

const tokens = new WeakMap<Detokenize, Map<number, Token>>();

/** Answers end with the same few tokens again and again. */
function tokenOf(id: number, detokenize: Detokenize, tokenize: Tokenize): Token {
  const known = tokens.get(detokenize) ?? new Map<number, Token>();
  tokens.set(detokenize, known);
  const found = known.get(id);
  if (found !== undefined) return found;
  const piece = detokenize([id]);
  let asked: Promise<boolean> | null = null;
  const added = () => {
    asked ??= piece.then((said) => said !== null && isAddedToken(id, said, tokenize));
    asked.catch(() => known.delete(id));
    return asked;
  };
  piece.catch(() => known.delete(id));
  known.set(id, { piece, added });
  return { piece, added };
}

/** A text without the end markers it ends with. */
export function withoutEnd(text: string, ends: string[]): string {
  const end = ends.find((marker) => marker !== '' && text.endsWith(marker));
  return end === undefined ? text : withoutEnd(text.slice(0, -end.length), ends);
}

function joinIds(ids: number[], bridge: number[]): number[] {
  for (let shared = Math.min(ids.length, bridge.length); shared > 0; shared -= 1) {
    if (startsWith(ids.slice(-shared), bridge.slice(0, shared))) return [...ids, ...bridge.slice(shared)];
  }
  return [...ids, ...bridge];
}

function joinText(text: string, bridge: string): string {
  for (let shared = Math.min(text.length, bridge.length); shared > 0; shared -= 1) {
    if (text.endsWith(bridge.slice(0, shared))) return text + bridge.slice(shared);
  }
  return text + bridge;
}

function startsWith(ids: number[], start: number[]): boolean {
  return start.length <= ids.length && start.every((id, index) => ids[index] === id);
}
