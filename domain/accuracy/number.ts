// The number rule: which number an answer gives, as an exact value.
import { answerLine } from './marker.ts';
import { groupingSpaces, outsideParentheses, withoutSigns } from './markup.ts';
import { canonicalNumber, negated, over, parseDecimal, plus, type Rational } from './rational.ts';

/** `value` is canonical: a decimal, or a fraction in lowest terms where no decimal ends. `unscored` says why, in few words. */
export type Reading = { value: string } | { unscored: string };

/** The number of the last `Answer:` line (see `readNumber`). */
export function numberAfterMarker(text: string): Reading {
  const found = answerLine(text);
  return found === null ? { unscored: 'no marker' } : readNumber(found.line);
}

/**
 * The number a line gives: after its last `=`, the last number outside parentheses. Units fall away; fractions and
 * mixed numbers are their value. Where the last number is only half of what is said (a time, a range, `4 or 5`, a
 * power, `5 million`, digits split by a comma that groups nothing or by a plain space) the line is unscored.
 */
export function readNumber(line: string): Reading {
  const outside = outsideParentheses(withoutSigns(line));
  const text = plainProducts(outside.slice(outside.lastIndexOf('=') + 1).trim());
  const numerals = standaloneNumerals(text);
  const last = numerals.at(-1);
  if (last === undefined) return { unscored: 'no number' };

  const found = lastValue(text, numerals);
  const doubt = doubtBefore(text, numerals, found.first) ?? doubtAround(text, last);
  if (doubt !== null) return { unscored: doubt };
  return found.value === null ? { unscored: 'not a number one can compute' } : { value: canonicalNumber(found.value) };
}

/** Whether two written numbers have one value: 18.0, `18` and `18.`, 1/2 and 0.5. False where one is no number. */
export function sameNumber(a: string, b: string): boolean {
  const [x, y] = [readNumber(a), readNumber(b)];
  return 'value' in x && 'value' in y && x.value === y.value;
}

type Numeral = { text: string; start: number; end: number };

/** A comma takes any digits after it, a grouping space three: whether that is a number is decided in `valueOf`. */
const numeral = new RegExp(
  `(?:\\d+(?:,\\d+|[${groupingSpaces}]\\d{3}(?!\\d))*(?:\\.\\d+)?|(?<![\\p{L}\\d])\\.\\d+)(?:[eE][+-]?\\d+)?`,
  'gu',
);
const currencyCode = /(?<!\p{L})(?:usd|eur|gbp|inr|cad|aud|chf|jpy|cny|rs|rm)$/iu;

/** Numbers that stand for themselves: not the 2 of `H2O`, `x_2`, `m^2`. Only the last few matter, and are kept. */
function standaloneNumerals(text: string): Numeral[] {
  const kept: Numeral[] = [];
  for (const found of text.matchAll(numeral)) {
    const before = text.slice(Math.max(0, found.index - 6), found.index);
    const glued = /\p{L}$/u.test(before) && !currencyCode.test(before);
    if (glued || /_$|[\p{L}°]\^[+-]?$/u.test(before)) continue;
    kept.push({ text: found[0], start: found.index, end: found.index + found[0].length });
    if (kept.length > 8) kept.shift();
  }
  return kept;
}

/** The value the line ends with, and the index of its first numeral: `2 1/2` takes three, `1/2` two. */
function lastValue(text: string, numerals: Numeral[]): { value: Rational | null; first: number } {
  const k = numerals.length - 1;
  const [whole, top, last] = [numerals[k - 2], numerals[k - 1], numerals[k]];
  if (last === undefined) return { value: null, first: 0 };
  const slash = top && /^\s{0,3}\/\s{0,3}(-?)$/.exec(text.slice(top.end, last.start));
  if (!top || !slash) return { value: signed(text, last), first: k };

  const [n, d] = [valueOf(top), valueOf(last)];
  const below = d && slash[1] === '-' ? negated(d) : d;
  const part = n && below && over(n, below);
  if (whole && part && isMixed(text, [whole, top, last])) {
    const integer = valueOf(whole);
    const sum = integer && plus(integer, part);
    return { value: sum && isNegative(text, whole) ? negated(sum) : sum, first: k - 2 };
  }
  return { value: part && isNegative(text, top) ? negated(part) : part, first: k - 1 };
}

/** `2 1/2` or `2 and 1/2`: whole numbers, and a fraction below one. */
function isMixed(text: string, [whole, top, last]: [Numeral, Numeral, Numeral]): boolean {
  const integers = [whole, top, last].every((each) => /^[\d,]+$/.test(each.text));
  const [n, d] = [valueOf(top), valueOf(last)];
  return (
    integers &&
    n !== null &&
    d !== null &&
    n.n < d.n &&
    /^\s{1,3}(?:and\s{1,3})?$/i.test(text.slice(whole.end, top.start))
  );
}

function signed(text: string, of: Numeral): Rational | null {
  const value = valueOf(of);
  return value && isNegative(text, of) ? negated(value) : value;
}

/** A minus touches its number and follows neither letter nor digit; only at the start may a space come between. */
function isNegative(text: string, { start }: Numeral): boolean {
  const before = text.slice(Math.max(0, start - 4), start);
  return /(?<![\p{L}\p{N}\])])-$/u.test(before) || /^-\s{1,2}$/.test(text.slice(0, start));
}

function valueOf({ text }: Numeral): Rational | null {
  const [, digits = '', rest = ''] = new RegExp(`^([\\d,${groupingSpaces}]*)(.*)$`).exec(text) ?? [];
  const spaces = new RegExp(`^\\d{1,3}(?:[${groupingSpaces}]\\d{3})+$`);
  const grouped = /^\d*$|^\d{1,3}(?:,\d{3})+$|^\d{1,2}(?:,\d{2})+,\d{3}$/.test(digits) || spaces.test(digits);
  return grouped ? parseDecimal(digits.replace(/\D/g, '') + rest) : null;
}

/** What stands between the value and the number before it, where the two belong together. */
function doubtBefore(text: string, numerals: Numeral[], first: number): string | null {
  const [before, value] = [numerals[first - 1], numerals[first]];
  if (!before || !value) return null;
  const joint = text.slice(before.end, value.start);
  if (joint.length > 60) return null;
  const after = text.slice(numerals.at(-1)?.end).slice(0, 12);
  const between =
    /between\s+$/i.test(text.slice(Math.max(0, before.start - 12), before.start)) && /\sand\s/.test(joint);
  if (/(?<!\p{L})or(?!\p{L})/iu.test(joint)) return 'two numbers joined by "or"';
  if (/^:$/.test(joint) || isHours(joint, after)) return 'a time';
  if (/^\s+:\s+$/.test(joint)) return 'a ratio';
  if (between || isDash(joint) || isTo(joint)) return 'a range';
  if (/^\s*\/\s*$/.test(joint)) return 'a date';
  if (joint === '.' || joint === ',' || /^\s*$/.test(joint)) return 'unclear digits';
  return null;
}

/** `3-5`, `3 - 5`, `3 km - 5 km`, `5 ± 1`; a minus that touches only what follows a word (`makes -5`) is a sign. */
function isDash(joint: string): boolean {
  return (
    /^\s*(?:[-—~±]|\+\/-|\.{2,}|…)\s*$/.test(joint) || /^\s?[\p{L}.]{1,12}(?:[-—~±]|\s{1,3}[-—~±]\s{1,3})$/u.test(joint)
  );
}

/** `3 to 5`, `3 km to 5 km`, `8 through 12`. */
function isTo(joint: string): boolean {
  return /^(?:\s?[\p{L}.]{1,12})?\s{1,3}(?:to|through|until|till)\s{1,3}$/iu.test(joint);
}

/** `2 hours and 30 minutes`: neither number is the answer. */
function isHours(joint: string, after: string): boolean {
  const large = /^\s?(?:h|hrs?|hours?|m|mins?|minutes?)\.?,?\s{1,3}(?:and\s+)?$/i;
  return large.test(joint) && /^\s?(?:m|mins?|minutes?|s|secs?|seconds?)(?!\p{L})/iu.test(after);
}

/** What stands at the number itself and changes its value. */
function doubtAround(text: string, { text: digits, start, end }: Numeral): string | null {
  const before = text.slice(Math.max(0, start - 6), start);
  const after = text.slice(end, end + 12);
  if (/\^[+-]?$/.test(before) || /^\s?\^|^[⁰¹²³⁴-⁹⁻]/.test(after)) return 'a power';
  if (/√\s?$/.test(before) || /^\s?[π√]/.test(after)) return 'an expression';
  if (/^\s?(?:hundred|thousand|million|billion|trillion|lakh|crore)(?!\p{L})|^k(?!\p{L})/iu.test(after))
    return 'a number with a scale word';
  return valueOf({ text: digits, start, end }) === null && digits.includes(',') ? 'unclear digits' : null;
}

/** `3x4` as `3 × 4`, and `1.5 × 10^3` as the numeral `1.5e3`. */
function plainProducts(text: string): string {
  return text.replace(/(?<=\d)\s?x\s?(?=\d)/gi, ' × ').replace(/(?<=\d) {0,2}[×·] {0,2}10\^([+-]?\d{1,4})/g, 'e$1');
}
