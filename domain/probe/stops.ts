// Where a turn ends: token ids of the markers that the template puts after it, and texts where ids are unknown.
import { ConfigProblem } from '../problems.ts';
import { type AddedToken, findAddedToken, type Tokenize } from './added.ts';
import { visible } from './visible.ts';

/**
 * `ids` go out as `stop_token_ids`; `texts` as `stop`, only where a marker has no id of its own.
 * `markers` are all of them as text, to recognise one that the model's text ends with.
 */
export type Stops = { ids: number[]; texts: string[]; markers: string[] };

/** `endTokens`: texts of the model's own end tokens, as far as they are known. `tokenize` gives null where the server has none. */
export type StopSources = { tokenize: Tokenize; endTokens: string[] };

/**
 * Stops of a user turn: the first added token of `afterUser`, then the model's end tokens.
 * @throws ConfigProblem  the text holds nothing that could be a marker
 */
export function userStops(afterUser: string, sources: StopSources): Promise<Stops> {
  return turnStops(afterUser, sources);
}

/** Stops of an assistant turn, from `afterAssistant`. */
export function assistantStops(afterAssistant: string, sources: StopSources): Promise<Stops> {
  return turnStops(afterAssistant, sources);
}

async function turnStops(text: string, { tokenize, endTokens }: StopSources): Promise<Stops> {
  const [added, next] = await addedTokens(text, tokenize);
  const marker = added?.text ?? markerText(text);
  if (marker === null) {
    throw new ConfigProblem(`no marker ends a turn in what the chat template puts after it: ${visible(text)}`, {
      advice: 'Give a chat template that closes its turns, or opens the next, with a token or words of its own.',
    });
  }
  const ends = await Promise.all(endTokens.map(async (end) => ({ text: end, id: await onlyId(end, tokenize) })));
  const ids = [added?.id ?? null, next?.id ?? null, ...ends.map((end) => end.id)].filter((id) => id !== null);
  const texts = [...(added ? [] : [marker]), ...ends.filter((end) => end.id === null).map((end) => end.text)];
  return {
    ids: unique(ids),
    texts: unique(texts),
    markers: unique([marker, ...(next ? [next.text] : []), ...endTokens]),
  };
}

/** The first added token; where that is a word put to the turn (`/nothink`), which a model may leave out, the next as well. */
async function addedTokens(text: string, tokenize: Tokenize): Promise<(AddedToken | null)[]> {
  const first = await findAddedToken(text, tokenize);
  if (first === null || /^[<[]/.test(first.text)) return [first];
  return [first, await findAddedToken(text.slice(first.start + first.text.length), tokenize)];
}

/**
 * The marker as text: the first tag (`<…>` or `[…]`), else the first words on a line of their own.
 * A tag that is cut off (two renderings agreed on its beginning only) is none.
 */
export function markerText(text: string): string | null {
  const tag = /<[^<>\s]+>|\[[^[\]\s]+\]/u.exec(text);
  if (tag) return tag[0];
  const words = text
    .replace(/[<[][^>\]]*$/u, '')
    .trim()
    .split('\n')[0]
    ?.trim();
  return words ? words : null;
}

async function onlyId(text: string, tokenize: Tokenize): Promise<number | null> {
  const ids = text === '' ? null : await tokenize(text);
  return ids?.length === 1 ? (ids[0] ?? null) : null;
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}
