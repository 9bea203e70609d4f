// Instructions about form that a whole answer must meet.
import type { FormatRule } from '../data/item.ts';

/** The rules an answer fails, in their order. An answer with nothing in it fails every rule. */
export function failedRules(answer: string, rules: FormatRule[]): FormatRule[] {
  const text = answer.trim();
  return text === '' ? rules : rules.filter((rule) => !meets(text, rule));
}

/** `max_words 50`: for tables and reasons. */
export function ruleName(rule: FormatRule): string {
  if ('n' in rule) return `${rule.rule} ${rule.n}`;
  return 'text' in rule ? `${rule.rule} ${JSON.stringify(rule.text)}` : rule.rule;
}

/**
 * Words are runs between white space that hold a letter or a digit; lines are those that are not blank; a bullet is
 * a line that starts with `-`, `*`, `+` or `•` and a space. Counts of lines and bullets are exact. `contains`, `excludes`
 * and `ends_with` do not look at case. Letter case needs at least one letter that has it. JSON may stand in one fence.
 */
function meets(text: string, rule: FormatRule): boolean {
  switch (rule.rule) {
    case 'max_words':
      return wordCount(text) <= rule.n;
    case 'min_words':
      return wordCount(text) >= rule.n;
    case 'lines':
      return lines(text).length === rule.n;
    case 'bullets':
      return lines(text).filter((line) => /^\s*[-*+•]\s/.test(line)).length === rule.n;
    case 'contains':
      return text.toLowerCase().includes(rule.text.toLowerCase());
    case 'excludes':
      return !text.toLowerCase().includes(rule.text.toLowerCase());
    case 'lowercase':
      return /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text);
    case 'uppercase':
      return /\p{Lu}/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text);
    case 'ends_with':
      return text.toLowerCase().endsWith(rule.text.trim().toLowerCase());
    case 'json':
      return isJson(text);
  }
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length;
}

function lines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).filter((line) => line.trim() !== '');
}

function isJson(text: string): boolean {
  const fenced = /^```(?:json)?\r?\n([^]*)\n```$/i.exec(text);
  try {
    JSON.parse(fenced?.[1] ?? text);
    return true;
  } catch {
    return false;
  }
}
