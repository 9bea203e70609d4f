// The prompt of a user turn: the exact trace so far, then the bridge. The answer is never rendered again.
import { ConfigProblem } from '../problems.ts';
import { findAddedToken, isAddedToken, type Tokenize } from './added.ts';
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

  const promptIds = answer.promptIds ?? (await idsOf(answer.prompt, opts.tokenize));
  const written = answer.ids ?? (await givenIds(answer.prompt, text, opts.tokenize));
  const ids = await withoutHiddenEnd(withoutEndIds(written, opts.stops.ids), answer.text, opts);
  const bridge = await bridgeIds(answer.prompt + text, opts);
  return { form: 'ids', ids: [...promptIds, ...joinIds(ids, bridge.ids)], joined: bridge.joined };
}

/** Ids of the bridge as a continuation of `prefix`. */
async function bridgeIds(prefix: string, { bridge, tokenize }: TraceOptions) {
  const before = await idsOf(prefix, tokenize);
  const whole = await idsOf(prefix + bridge, tokenize);
  if (startsWith(whole, before)) return { ids: whole.slice(before.length), joined: 'suffix' } as const;
  const added = await firstAdded(bridge, tokenize);
  if (added === null) return { ids: await idsOf(bridge, tokenize), joined: 'apart' } as const;
  return { ids: await idsOf(bridge.slice(added.start), tokenize), joined: 'marker' } as const;
}

const searched = new WeakMap<Tokenize, Map<string, ReturnType<typeof findAddedToken>>>();

/** Looking for an added token takes some hundred questions, and bridges are few. */
function firstAdded(bridge: string, tokenize: Tokenize): ReturnType<typeof findAddedToken> {
  const known = searched.get(tokenize) ?? new Map<string, ReturnType<typeof findAddedToken>>();
  const found = known.get(bridge) ?? findAddedToken(bridge, tokenize);
  searched.set(tokenize, known.set(bridge, found));
  found.catch(() => known.delete(bridge));
  return found;
}

/** An answer that came with the data: its ids as a continuation of the prompt, or by themselves where they merge. */
async function givenIds(prompt: string, text: string, tokenize: Tokenize): Promise<number[]> {
  if (text === '') return [];
  const before = await idsOf(prompt, tokenize);
  const whole = await idsOf(prompt + text, tokenize);
  return startsWith(whole, before) ? whole.slice(before.length) : idsOf(text, tokenize);
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
  const piece = last === undefined ? null : ((await opts.detokenize?.([last])) ?? null);
  if (last === undefined || piece === null || piece.trim() === '' || text.endsWith(piece)) return ids;
  return (await isAddedToken(last, piece, opts.tokenize)) ? ids.slice(0, -1) : ids;
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
