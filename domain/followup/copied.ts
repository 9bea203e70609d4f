// Is a verdict one that stands in the texts it is about? Then it is theirs, and not the judge's.
import type { Verdict } from './reply.ts';

/** JSON inside a JSON string is escaped once more; so often is that taken off. */
const mostEscaped = 2;

/** Members of a JSON object, wherever one begins; all of a key may be written as `\u` escapes. White space is gone. */
const member = /"(?=((?:[^"\\]|\\u[\da-fA-F]{4}){1,9})":("|true|false))/g;

/**
 * Whether one of `texts` has members with the verdict's rationale, label and decision: in whatever order, layout and
 * spelling, among whatever others, and also as JSON inside a string. White space does not count.
 * Time: linear in the texts.
 */
export function isCopied(verdict: Verdict, texts: string[]): boolean {
  const wanted = new Map<string, string | boolean>([
    ['rationale', bare(verdict.rationale)],
    ['label', bare(verdict.label)],
    ['genuine', verdict.genuine],
  ]);
  return texts.some((text) => layers(text).some((layer) => hasMembers(layer, wanted)));
}

/** The text, and what it is with one level of escapes after another taken off. */
function layers(text: string): string[] {
  const found = [bare(text)];
  for (let last = text; found.length <= mostEscaped && last.includes('\\'); ) {
    last = unescaped(last);
    found.push(bare(last));
  }
  return found;
}

function hasMembers(text: string, wanted: Map<string, string | boolean>): boolean {
  const found = new Set<string>();
  for (const at of text.matchAll(member)) {
    const [, written = '', value = ''] = at;
    const key = unescaped(written);
    if (!wanted.has(key)) continue;
    const begin = at.index + 1 + written.length + '":'.length;
    const said = value === '"' ? stringAt(text, begin + 1) : value === 'true';
    if (said === wanted.get(key)) found.add(key);
  }
  return found.size === wanted.size;
}

/** What the string says that goes on here, up to its closing quote; null where it does not close. */
function stringAt(text: string, begin: number): string | null {
  let end = begin;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end < text.length ? bare(unescaped(text.slice(begin, end))) : null;
}

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, sign = '') =>
    code === undefined ? (controls[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}
