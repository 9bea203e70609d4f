// The final answer of a written solution, and whether it is a plain number.
import { readNumber } from './number.ts';

/** What the last `\boxed` of a LaTeX text holds, braces inside it included; null where there is none, or it never ends. */
export function lastBoxed(latex: string): string | null {
  const found = [...latex.matchAll(/\\f?box(?:ed)?(?![A-Za-z])\s*/g)].at(-1);
  if (found === undefined) return null;
  const start = found.index + found[0].length;
  if (latex[start] !== '{') return /^[^\s$]+/.exec(latex.slice(start, start + 40))?.[0] ?? null;
  let depth = 0;
  for (let at = start; at < latex.length; at += 1) {
    if (latex[at] === '\\') at += 1;
    else if (latex[at] === '{') depth += 1;
    else if (latex[at] === '}') depth -= 1;
    if (depth === 0) return latex.slice(start + 1, at).trim();
  }
  return null;
}

/**
 * A LaTeX answer as a plain number (`-3`, `2.5`, `3/4`, `1 1/2`), or null where it is anything else, or could be: an
 * expression, an interval, a tuple, a number in another base. Signs of money, percent and degrees and a unit in
 * `\text` fall away, as they do in what a model answers.
 */
export function plainNumber(latex: string): string | null {
  const bare = latex
    .replace(/\\(?:text|mbox|textrm|mathrm)\s*\{[^{}]*\}(?:\^\{?[23]\}?)?\s*$/, '')
    .replace(/\\!|\\,|\\ |~/g, '')
    .replace(/\{,\}/g, ',')
    .replace(/\\?[$%]|\^\s*\\circ|\^\s*\{\s*\\circ\s*\}/g, '')
    .trim()
    .replace(/^[a-zA-Z]\s*=\s*/, '');
  const written = fraction(bare) ?? (decimal.test(bare) ? bare.replace(/,/g, '') : null);
  return written !== null && 'value' in readNumber(written) ? written : null;
}

const decimal = /^-?(?:\d{1,3}(?:,\d{3})+|\d*)(?:\.\d+)?(?<=\d)$/;
const slashed = /^(-?)(\d+)\/(\d+)$/;
const latexFraction = /^(-?)(\d*)\s*\\[dt]?frac\s*(?:\{\s*(\d+)\s*\}|(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))$/;

function fraction(text: string): string | null {
  if (slashed.test(text)) return text;
  const found = latexFraction.exec(text);
  if (found === null) return null;
  const [, sign, whole, top, shortTop, bottom, shortBottom] = found;
  return `${sign}${whole === '' ? '' : `${whole} `}${top ?? shortTop}/${bottom ?? shortBottom}`;
}
