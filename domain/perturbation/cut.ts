// An answer without its last tokens, counted as its model counts them.

import type { Opening } from '../accuracy/reasoning.ts';
import { visiblePart } from '../accuracy/reasoning.ts';

export type Tokenizer = {
  /** Ids of a text as it stands. Null: there is no tokenizer. */
  tokenize(text: string): Promise<number[] | null>;
  /** Null: it cannot say. */
  detokenize(ids: number[]): Promise<string | null>;
};

/** `tokens`: what it had; `kept`: what is left of them, less where the cut fell into a character. */
export type Cut = { text: string; tokens: number; kept: number };

/** A token or two of a character, and of one that is joined from several. */
const stepsBack = 16;

/**
 * The start of a text that its first tokens make, `drop(n)` of its n tokens less; empty where that is all of them. It
 * ends where a character does as its reader sees it, so that nobody is shown half of one.
 * Null where there is no tokenizer.
 */
export async function cutTokens(
  text: string,
  drop: (tokens: number) => number,
  { tokenize, detokenize }: Tokenizer,
): Promise<Cut | null> {
  const ids = await tokenize(text.toWellFormed());
  if (ids === null) return null;
  const tokens = ids.length;
  const wanted = Math.max(0, tokens - drop(tokens));
  if (wanted === 0 || text === '') return { text: '', tokens, kept: 0 };
  if (wanted === tokens) return { text, tokens, kept: tokens };
  for (let kept = wanted; kept > Math.max(0, wanted - stepsBack); kept -= 1) {
    const start = await detokenize(ids.slice(0, kept));
    if (start !== null && start !== '' && text.startsWith(start) && endsAtCharacter(text, start.length))
      return { text: start, tokens, kept };
  }
  return searched(text, { wanted, tokens, tokenize });
}

/** A tokenizer that gives a text back otherwise than it was (another space at its start, say) is only asked to count. */
async function searched(
  text: string,
  { wanted, tokens, tokenize }: { wanted: number; tokens: number } & Pick<Tokenizer, 'tokenize'>,
): Promise<Cut | null> {
  const ends = characterEnds(text);
  let [fits, tooLong] = [0, ends.length];
  let kept = 0;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    const ids = await tokenize(text.slice(0, ends[middle]).toWellFormed());
    if (ids === null) return null;
    if (ids.length <= wanted) [fits, kept] = [middle, ids.length];
    else tooLong = middle;
  }
  return { text: text.slice(0, ends[fits]), tokens, kept };
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Where characters end: 0 first. */
function characterEnds(text: string): number[] {
  return [0, ...Array.from(characters.segment(text), ({ index, segment }) => index + segment.length)];
}

function endsAtCharacter(text: string, end: number): boolean {
  return end >= text.length || characters.segment(text).containing(end)?.index === end;
}

/**
 * What stands before the visible part of an answer (its reasoning and the marks around it), that part, and what stands behind (an end of turn).
 * Null where the answer ends inside its reasoning, or its visible part is not one piece of it.
 */
export function aroundVisible(
  text: string,
  opening: Opening,
): { before: string; visible: string; after: string } | null {
  const visible = visiblePart(text, opening);
  if (visible === null) return null;
  const start = text.lastIndexOf(visible);
  if (start < 0) return null;
  return { before: text.slice(0, start), visible, after: text.slice(start + visible.length) };
}
