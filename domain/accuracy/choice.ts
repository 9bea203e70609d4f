// The letter a multiple-choice answer gives.
import { answerLine } from './marker.ts';
import { unwrapped } from './markup.ts';
import type { Reading } from './number.ts';

/** The letter of the last `Answer:` line (see `readChoice`), in upper case. */
export function letterAfterMarker(text: string): Reading {
  const found = answerLine(text);
  return found === null ? { unscored: 'no marker' } : readChoice(found.line);
}

/**
 * The letter A to J a line gives: the one it starts with (`B`, `(B)`, `b.`, `B) text`, `option B`), else the only
 * capital that stands alone in it (`I would say C`). Two letters are unscored; so is an `A` or `I` that begins a
 * sentence (`A longer wave`) and a small letter that nothing sets apart (`a longer wave`).
 */
export function readChoice(line: string): Reading {
  const text = unwrapped(line).replace(/\$/g, '').trim();
  const lead = leading.exec(text);
  const letter = lead?.groups?.['letter'];
  if (letter !== undefined) {
    const rest = text.slice(lead?.[0].length);
    if (letter === 'A' && startsSentence(rest)) return { unscored: 'no letter' };
    if (isAlone(letter, rest)) {
      return second.test(rest) ? { unscored: 'two letters' } : { value: letter.toUpperCase() };
    }
  }
  return onlyCapital(text);
}

const preamble = String.raw`(?:(?:the\s)?(?:correct\s)?(?:final\s)?(?:answer|option|choice|letter)\s?(?:is\s?)?:?\s?)?`;
const leading = new RegExp(String.raw`^${preamble}["'“‘([]?(?<letter>[A-J])(?![\p{L}\p{N}'’])`, 'iu');

/** A second letter right behind the first: `B or C`, `A, B`, `B/C`, `(A) and (B)`, `A B`. */
const joined = String.raw`^["'”’)\].:]{0,3}\s?(?:(?:or|and|&|\/|,|;|\+)\s?){0,2}(?:option\s|choice\s)?`;
const second = new RegExp(String.raw`${joined}[(["']?[A-J](?:["')\].:,;]|\s*$|\s(?:or|and)\s)`);

/** `A cat`: an article, not a letter; `A is right` and `A because …` are letters. */
function startsSentence(rest: string): boolean {
  return /^\s\p{L}/u.test(rest) && !/^\s(?:is|because|since|as|and|or|[A-J])(?!\p{L})/u.test(rest);
}

/** A small letter needs a bracket, a stop or the end of the line behind it, and `I think` is no letter either. */
function isAlone(letter: string, rest: string): boolean {
  const needsEnd = letter === 'I' || /[a-j]/.test(letter);
  return !needsEnd || /^(?:\s*$|[)\].:,])/.test(rest);
}

/** Never `I`, and `A` not where it may be an article. */
const capital = /(?<![\p{L}\p{N}'’-])(?:[B-HJ](?![\p{L}\p{N}'’-])|A(?![\p{L}\p{N}'’-])(?!\s(?!and|or|is)\p{Ll}))/gu;

function onlyCapital(text: string): Reading {
  const found = new Set([...text.matchAll(capital)].map(([letter]) => letter));
  const [only] = found;
  if (only === undefined) return { unscored: 'no letter' };
  return found.size === 1 ? { value: only } : { unscored: 'two letters' };
}
