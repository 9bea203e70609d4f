// What of an answer its reader is shown: reasoning is taken out before anything is checked.
import type { Turn } from '../records/record.ts';

/** `opens: 'reasoning'` where the prompt itself ended with `<think>`, so that the text starts inside it. */
export type Opening = { opens: 'answer' | 'reasoning' };

const tag = /<(\/?)(?:think|thinking|seed:think)>|\[(\/?)THINK\]|<\|channel>thought\b|<channel\|>/g;
const atEnd = /(?:<(?:think|thinking|seed:think)>|\[THINK\]|<\|channel>thought|<\|channel\|>analysis<\|message\|>)\s*$/;
const finalChannel = /<\|channel\|>final[^<]{0,40}<\|message\|>/g;
const analysisChannel = /<\|channel\|>analysis<\|message\|>((?:(?!<\|(?:end|start|channel)\|>)[\s\S])*)/g;
const otherChannel = /<\|channel\|>(?:analysis|commentary)/;

/** What an answer begins with that goes on from this prompt: its reasoning, where the prompt ends with the mark that opens it. */
export function openingAfter(prompt: string): Opening {
  return { opens: openedBy(prompt) === '' ? 'answer' : 'reasoning' };
}

/** The mark that opens reasoning at a prompt's end; empty where there is none. */
export function openedBy(prompt: string): string {
  return atEnd.exec(prompt.slice(-200))?.[0] ?? '';
}

/** What was thought, out of the marks around it. */
export function withoutTags(reasoning: string): string {
  const analysis = [...reasoning.matchAll(analysisChannel)].map((found) => found[1]);
  return analysis.length > 0 ? analysis.join('\n') : reasoning.replace(tag, '');
}

/** What the text of a recorded turn begins with. */
export function openingOf({ prompt }: Pick<Turn, 'prompt'>): Opening {
  return { opens: prompt?.opens ?? 'answer' };
}

/**
 * The visible part of an answer, or null where the text ends inside its reasoning.
 * A closing tag without its opening one ends reasoning that the prompt opened: all before it goes.
 * An opening tag that nothing closes counts only at the start of a line; elsewhere it is prose about tags.
 */
export function visiblePart(text: string, { opens }: Opening = { opens: 'answer' }): string | null {
  const channel = finalText(text);
  if (channel !== undefined) return channel;

  const kept: string[] = [];
  let from = 0;
  let opened: number | null = opens === 'reasoning' ? 0 : null;
  for (const found of text.matchAll(tag)) {
    const closes = found[1] === '/' || found[2] === '/' || found[0] === '<channel|>';
    if (!closes) {
      opened ??= found.index;
      continue;
    }
    if (opened === null) kept.length = 0;
    else kept.push(text.slice(from, opened));
    opened = null;
    from = found.index + found[0].length;
  }
  if (opened !== null && startsLine(text, opened)) return null;
  return withoutEnd(kept.join('') + text.slice(from));
}

/** Harmony's final channel; null where only other channels were reached, undefined where the text has none. */
function finalText(text: string): string | null | undefined {
  let start: number | null = null;
  for (const found of text.matchAll(finalChannel)) start = found.index + found[0].length;
  if (start !== null) return withoutEnd(text.slice(start));
  return otherChannel.test(text) ? null : undefined;
}

/** A server that keeps special tokens leaves the end-of-turn in the text. */
function withoutEnd(text: string): string {
  return text.replace(/(?:<\|[a-z_]{1,30}\|>|<｜[^｜<>]{1,40}｜>|<\/s>|<end_of_turn>|<turn\|>)\s*$/, '');
}

function startsLine(text: string, at: number): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  return at === 0 || text.slice(lineStart, at).trim() === '';
}
