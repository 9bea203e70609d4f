// Lines of JSON to checked rows, every fault with its line and field.
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import { fieldName } from '../../domain/spec/field.ts';
import { type Sentence, sentencesFor } from '../../domain/spec/issues.ts';
import { jsonSchemaOf } from '../../domain/spec/json-schema.ts';
import type { Line } from './lines.ts';

/** `index` counts rows from 0; blank lines are none. */
export type Row<T> = { line: number; index: number; value: T };

/** What an adapter makes of one row: an item, or what is wrong with it. */
export type Made<T> = { item: T } | { faults: Sentence[] };

/** Any text that UTF-8 can hold. JSON's `\ud835` alone is half a character: it could not be stored or sent. */
export function wholeText() {
  return z
    .string()
    .refine((text) => text.isWellFormed(), 'holds half of a character (a surrogate without its partner).');
}

/** JSON numbers are taken for texts: `"answer": 12` is what most files hold. */
export function textOrNumber() {
  return z.preprocess((value) => (typeof value === 'number' ? String(value) : value), wholeText().min(1));
}

/** Rows made into items, in file order; all problems where there are any. */
export function fromRows<T, Item>(
  lines: Line[],
  schema: z.ZodType<T>,
  opts: { shown: string; make(row: Row<T>): Made<Item> },
): { items: Item[]; problems: ConfigProblem[] } {
  const described = jsonSchemaOf(schema);
  const items: Item[] = [];
  const problems: ConfigProblem[] = [];
  for (const [index, line] of lines.entries()) {
    const read = readJson(line);
    const down = 'down' in read ? read.down : 0;
    const made = 'faults' in read ? read : checked(read.value, { line: line.number, index });
    if ('item' in made) items.push(made.item);
    else problems.push(...made.faults.map((fault) => problemOf(fault, line.number + down)));
  }
  return { items, problems };

  function checked(value: unknown, at: { line: number; index: number }): Made<Item> {
    const parsed = schema.safeParse(value);
    if (parsed.success) return opts.make({ ...at, value: parsed.data });
    return { faults: parsed.error.issues.flatMap((issue) => sentencesFor(issue, { value, schema: described })) };
  }

  function problemOf({ path, message, advice }: Sentence, line: number): ConfigProblem {
    const field = fieldName(path);
    return new ConfigProblem(message, {
      place: { file: opts.shown, line, ...(field !== '' && { field }) },
      advice,
    });
  }
}

/** `down`: lines below the first at which the fault stands. */
type Unread = { faults: Sentence[]; down: number };

function readJson({ text, column }: Line): { value: unknown } | Unread {
  const fault = (message: string, advice: string, down = 0) => ({ faults: [{ path: [], message, advice }], down });
  const each = column === undefined ? 'Every line holds' : 'Every element of the list is';
  if (text === null) return fault('holds bytes that are no UTF-8.', 'Save the file as UTF-8.');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    return fault('is no JSON object.', `${each} one object, { … }.`);
  } catch (error) {
    if (text.trimStart().startsWith('['))
      return fault('begins a JSON list.', 'Write one object a line, without the list around them.');
    // The engine's own message repeats the text, which may hold anything.
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const before = text.slice(0, Number(position ?? 0)).split('\n');
    const start = before.length === 1 ? (column ?? 0) : 0;
    const where = position === undefined ? '' : ` at column ${start + (before.at(-1)?.length ?? 0) + 1}`;
    return fault(`is no JSON${where}.`, `${each} one whole object, { … }.`, before.length - 1);
  }
}
