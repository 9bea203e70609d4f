// A file of JSON objects, one a line or all in one list, as lines of one object each.
import type { Line, WholeFile } from './lines.ts';

/** The elements of a JSON list, each with the place it begins at; the lines of any other file as they are. */
export function elementLines({ lines, bytes }: WholeFile): Line[] {
  if (!lines[0]?.text?.trimStart().startsWith('[')) return lines;
  const undecoded = lines.find(({ text }) => text === null);
  if (undecoded !== undefined) return [undecoded];
  const text = new TextDecoder().decode(bytes);
  return linesAt(text, elementsOf(text));
}

type Span = { start: number; end: number };

/**
 * The list cut at its own commas. Whether the pieces are JSON is for whoever parses them; a list that is never closed,
 * or has something behind its end, has a last piece that is none.
 */
function elementsOf(text: string): Span[] {
  const spans: Span[] = [];
  let start = text.indexOf('[') + 1;
  let depth = 1;
  for (let at = start; at < text.length && depth > 0; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > 1 || (depth === 1 && character !== ',')) continue;
    spans.push({ start, end: at });
    start = at + 1;
  }
  const { length } = text;
  if (depth > 0) spans.push({ start, end: length }, { start: length, end: length });
  else if (text.slice(start).trim() !== '') spans.push({ start: start - 1, end: length });
  const [only, second] = spans;
  return second === undefined && text.slice(only?.start, only?.end).trim() === '' ? [] : spans;
}

/** The index of a string's closing quote, or of the last character where it has none. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length - 1;
}

function linesAt(text: string, spans: Span[]): Line[] {
  let number = 1;
  let lineStart = 0;
  let feed = text.indexOf('\n');
  return spans.map(({ start, end }) => {
    const piece = text.slice(start, end);
    const begin = end - piece.trimStart().length;
    while (feed !== -1 && feed < begin) {
      number += 1;
      lineStart = feed + 1;
      feed = text.indexOf('\n', lineStart);
    }
    return { number, text: piece.trim(), column: begin - lineStart };
  });
}
