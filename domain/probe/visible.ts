// Untrusted text as a person can see it.

const NAMED: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' };
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\\]/gu;

/** One line that shows every character: controls, direction marks, lone surrogates and such as escapes. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (found) => NAMED[found] ?? `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}
