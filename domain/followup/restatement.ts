// Does a text say another one over again? Tells verbatim and nearly verbatim copies from texts that only share words.

/** `overlap` and `subsequence` are shares of the longer text's words: shared at all, and shared in the same order. */
export type Likeness = { overlap: number; subsequence: number };

/** Fewer words than this are never called a copy: `Why?` after `Why?` may be meant. */
export const fewestWords = 5;
/** A copied part of a longer text counts from here on; a shorter one may be picked from what was offered. */
export const fewestExcerptWords = 24;
/** Words compared in order, after what both texts start and end with. More is left to another judge. */
export const mostWords = 8_000;

/**
 * How far `text` copies `source`: null where it is certain not to, because it begins or ends with words of its own
 * (a quotation inside a question), has a number that the source lacks (a varied task), or is too short or too long to tell.
 * An unbroken excerpt of at least `fewestExcerptWords` is a whole copy, 1 and 1; its last word may be cut in half.
 * Time: linear, and for the order at worst `mostWords`² / 16 steps, 4 million.
 */
export function likeness(text: string, source: string): Likeness | null {
  const [u, s] = [wordsOf(text), wordsOf(source)];
  if (u.length < fewestWords || s.length < fewestWords) return null;
  const same = u.length === s.length && u.every((word, k) => word === s[k]);
  if (same || (u.length >= fewestExcerptWords && contains(s, u))) return { overlap: 1, subsequence: 1 };
  if (!contains(s, u.slice(0, 3)) || !contains(s, u.slice(-3)) || hasOwnNumber(u, s)) return null;

  const longer = Math.max(u.length, s.length);
  const subsequence = commonSubsequence(u, s);
  return subsequence === null ? null : { overlap: shared(u, s) / longer, subsequence: subsequence / longer };
}

/** Small letters; a sign of a script without spaces is a word of its own; punctuation and markup fall away. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(word) ?? [];
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}`;
const word = new RegExp(String.raw`[${unspaced}]|(?:(?![${unspaced}])[\p{L}\p{N}\p{M}])+`, 'gu');

/** Whether `part` stands in `words` without a gap; its last word may be the start of the one there (Knuth–Morris–Pratt). */
function contains(words: string[], part: string[]): boolean {
  const whole = part.slice(0, -1);
  const last = part.at(-1) ?? '';
  const fallback = fallbacks(whole);
  let matched = 0;
  for (const each of words) {
    if (matched === whole.length && each.startsWith(last)) return true;
    if (matched === whole.length) matched = fallback[matched - 1] ?? 0;
    while (matched > 0 && whole[matched] !== each) matched = fallback[matched - 1] ?? 0;
    if (whole[matched] === each) matched += 1;
  }
  return false;
}

function fallbacks(part: string[]): number[] {
  const table = part.map(() => 0);
  let length = 0;
  for (let k = 1; k < part.length; k += 1) {
    while (length > 0 && part[k] !== part[length]) length = table[length - 1] ?? 0;
    if (part[k] === part[length]) length += 1;
    table[k] = length;
  }
  return table;
}

function hasOwnNumber(u: string[], s: string[]): boolean {
  const known = new Set(s);
  return u.some((each) => /\d/.test(each) && !known.has(each));
}

/** Words both have, each as often as in the text that has it less often. */
function shared(u: string[], s: string[]): number {
  const left = new Map<string, number>();
  for (const each of s) left.set(each, (left.get(each) ?? 0) + 1);
  let count = 0;
  for (const each of u) {
    const rest = left.get(each) ?? 0;
    if (rest > 0) count += 1;
    left.set(each, rest - 1);
  }
  return count;
}

/** Length of the longest common subsequence, null where the texts are too long after their common ends. */
function commonSubsequence(u: string[], s: string[]): number | null {
  const shorter = Math.min(u.length, s.length);
  let start = 0;
  while (start < shorter && u[start] === s[start]) start += 1;
  let end = 0;
  while (end < shorter - start && u[u.length - 1 - end] === s[s.length - 1 - end]) end += 1;
  const [a, b] = [u.slice(start, u.length - end), s.slice(start, s.length - end)];
  if (Math.max(a.length, b.length) > mostWords) return null;
  return start + end + subsequenceLength(a, b);
}

/**
 * Bit-parallel (Crochemore and others, 2001): one bit per word of `a`, all of them updated for each word of `b` by
 * V' = (V + (V & M)) | (V & ~M); zero bits at the end are the length. Halves of 16 bits keep the carry exact.
 */
function subsequenceLength(a: string[], b: string[]): number {
  const size = Math.ceil(a.length / 16);
  const places = new Map<string, Uint16Array>();
  for (const [k, each] of a.entries()) {
    const bits = places.get(each) ?? new Uint16Array(size);
    bits[k >> 4] = (bits[k >> 4] ?? 0) | (1 << (k & 15));
    places.set(each, bits);
  }
  const v = new Uint16Array(size).fill(0xffff);
  for (const each of b) {
    const bits = places.get(each);
    if (bits === undefined) continue;
    let carry = 0;
    for (let k = 0; k < size; k += 1) {
      const old = v[k] ?? 0;
      const mask = bits[k] ?? 0;
      const sum = old + (old & mask) + carry;
      carry = sum >> 16;
      v[k] = (sum & 0xffff) | (old & ~mask);
    }
  }
  let zeros = 0;
  for (let k = 0; k < a.length; k += 1) zeros += (((v[k >> 4] ?? 0) >> (k & 15)) & 1) ^ 1;
  return zeros;
}
