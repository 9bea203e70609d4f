// Answers that are compared as text.
import { answerLine } from './marker.ts';
import { unwrapped } from './markup.ts';
import type { Reading } from './number.ts';

/** The text of the last `Answer:` line, folded. */
export function textAfterMarker(text: string): Reading {
  const found = answerLine(text);
  if (found === null) return { unscored: 'no marker' };
  const value = folded(found.line);
  return value === '' ? { unscored: 'nothing after the marker' } : { value };
}

/**
 * Small letters, single spaces, composed characters, and without markup or what surrounds the text: quotes,
 * brackets, closing punctuation. Signs that carry meaning at an end stay (`-3`, `c++`, `50%`).
 */
export function folded(text: string): string {
  const words = unwrapped(text).normalize('NFC').toLowerCase().split(/\s+/).join(' ');
  return trimmedOf(words, /[\s"'“”‘’«»()[\].,;:!?¿¡<>#|]/);
}

/** By index, not by pattern: `\s+$` is slow on a megabyte of white space. */
function trimmedOf(text: string, dropped: RegExp): string {
  let start = 0;
  let end = text.length;
  while (start < end && dropped.test(text.charAt(start))) start += 1;
  while (end > start && dropped.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
