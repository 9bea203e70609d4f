// What a judge model is asked: instructions from a file, and the texts to be judged as data beside them.
import type { Message } from '../data/item.ts';
import { ConfigProblem } from '../problems.ts';

/** `system` are the instructions, without a placeholder; `data` holds each of `{{q}}`, `{{a}}` and `{{u}}` once. */
export type JudgePrompt = { system: string; data: string };

/** Query, answer and user turn, as they were. */
export type Judged = { q: Message[]; a: string; u: string };

/** A line of its own in the file: what follows is the second message. */
export const dataLine = '<!-- data -->';

const names = ['q', 'a', 'u'] as const;
const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** @throws ConfigProblem  with all faults of the file, each with its line */
export function readPrompt(text: string, { file }: { file: string }): JudgePrompt {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (text.replace(/^\ufeff/, '').trim() === '') throw faulty([{ line: 1, message: 'is empty.' }], file);
  const marks = lines.flatMap((line, index) => (line.trim() === dataLine ? [index] : []));
  const [mark] = marks;
  if (mark === undefined) throw faulty([{ line: 1, message: `has no line ${dataLine}.` }], file);
  const seconds = marks.slice(1).map((line) => ({ line: line + 1, message: `has a second line ${dataLine}.` }));
  const faults = [...seconds, ...placeholderFaults(lines, mark)];
  const system = lines.slice(0, mark).join('\n').trim();
  if (system === '') faults.push({ line: 1, message: 'says nothing before its data.' });
  if (faults.length > 0) throw faulty(faults, file);
  const data = lines.slice(mark + 1).join('\n');
  return { system, data: data.trim().replace(placeholder, (_, name: string) => `{{${name}}}`) };
}

/**
 * The two messages of one question. The texts go into the second one, as JSON in which no mark of a chat template is
 * spelled out: whatever they hold, they end no string, no message and no turn, and no instruction stands beside them.
 */
export function promptMessages(prompt: JudgePrompt, { q, a, u }: Judged): Message[] {
  const values: Record<string, string> = { q: asData(q), a: asData(a), u: asData(u) };
  const content = prompt.data.replace(placeholder, (_, name: string) => values[name] ?? '');
  return [
    { role: 'system', content: prompt.system },
    { role: 'user', content },
  ];
}

/**
 * JSON of a value; parsed it is the same value again. `<` and `[` are escaped where a template's mark could begin
 * (`<|im_end|>`, `</s>`, `[/INST]`): many servers read such a mark as the end of a turn wherever it stands.
 */
export function asData(value: unknown): string {
  return JSON.stringify(value).replace(/<(?![\s\d=])|\[(?=\/?[A-Za-z]\w*\])/g, (sign) =>
    sign === '<' ? '\\u003c' : '\\u005b',
  );
}

type Fault = { line: number; message: string };

function placeholderFaults(lines: string[], mark: number): Fault[] {
  const found = lines.flatMap((line, index) =>
    [...line.matchAll(placeholder)].map(([whole, name = '']) => ({ whole, name, line: index + 1 })),
  );
  const isKnown = (name: string) => names.some((known) => known === name);
  const unknown = found.filter(({ name }) => !isKnown(name));
  const early = found.filter(({ name, line }) => isKnown(name) && line <= mark);
  const counted = names.flatMap((name) => {
    const places = found.filter((one) => one.name === name && one.line > mark);
    if (places.length === 0) return [{ line: lines.length, message: `has no {{${name}}} after ${dataLine}.` }];
    return places.slice(1).map(({ whole, line }) => ({ line, message: `has ${whole} a second time.` }));
  });
  return [
    ...unknown.map(({ whole, line }) => ({ line, message: `${whole} is no placeholder.` })),
    ...early.map(({ whole, line }) => ({ line, message: `${whole} stands among the instructions.` })),
    ...counted,
  ];
}

function faulty(faults: Fault[], file: string): ConfigProblem {
  const [first, ...others] = faults.toSorted((one, other) => one.line - other.line);
  const more = others.map(({ line, message }) => `\n${file}:${line} ${message}`).join('');
  return new ConfigProblem(`${first?.message ?? ''}${more}`, {
    place: { file, line: first?.line ?? 1 },
    advice: `Instructions first, then a line ${dataLine}, then {{q}}, {{a}} and {{u}}, each once: docs/judge.md.`,
  });
}
