// GPQA as its authors hand it out: a CSV with a question, its right answer and three wrong ones.
import type { Item } from '../../../domain/data/item.ts';
import { shuffled } from '../../../domain/data/shuffle.ts';
import { ConfigProblem } from '../../../domain/problems.ts';
import { sha256 } from '../../../domain/records/canonical.ts';
import { type CsvRow, otherSeparator, parseCsv } from '../csv.ts';
import { isId } from '../ids.ts';
import type { WholeFile } from '../lines.ts';
import { ask, letterOf } from './prompt.ts';

const question = 'Question';
/** The right one comes first. */
const answers = ['Correct Answer', 'Incorrect Answer 1', 'Incorrect Answer 2', 'Incorrect Answer 3'];
const recordId = 'Record ID';
const needed = [question, ...answers];

type Fault = { line: number; field?: string; message: string; advice: string };

/**
 * Ids are `gpqa-` and the record's id, or a digest of the question where there is none, so that they depend on neither
 * the file nor its order: a question of both sets has one id, and its choices stand in one order. Faults never
 * quote the texts.
 */
export function gpqa(data: WholeFile, shown: string): { items: Item[]; problems: ConfigProblem[] } {
  const { items, faults } = read(data);
  return {
    items,
    problems: faults.map(
      ({ line, field, message, advice }) =>
        new ConfigProblem(message, { place: { file: shown, line, ...(field !== undefined && { field }) }, advice }),
    ),
  };
}

function read({ lines, bytes }: WholeFile): { items: Item[]; faults: Fault[] } {
  const undecoded = lines.find(({ text }) => text === null);
  if (undecoded !== undefined) {
    const advice = 'Save the file as UTF-8.';
    return { items: [], faults: [{ line: undecoded.number, message: 'holds bytes that are no UTF-8.', advice }] };
  }
  const text = new TextDecoder().decode(bytes);
  if (/\r[^\n]/.test(text) && !text.includes('\n')) return { items: [], faults: [{ line: 1, ...bareReturns }] };
  const separator = otherSeparator(lines[0]?.text ?? '', question);
  if (separator !== null) {
    const message = `separates its columns with ${separator}.`;
    return { items: [], faults: [{ line: lines[0]?.number ?? 1, message, advice: 'Save the file with commas.' }] };
  }
  const { rows, fault } = parseCsv(text);
  const [header, ...rest] = rows;
  if (header === undefined) return { items: [], faults: fault === null ? [] : [fault] };
  const columns = columnsOf(header);
  if ('faults' in columns) return { items: [], faults: columns.faults };

  const made = rest.map((row) => itemFrom(row, { columns: columns.at, width: header.fields.length }));
  const items = made.flatMap((one) => ('item' in one ? [one] : []));
  const faults = made.flatMap((one) => ('faults' in one ? one.faults : []));
  return { items: items.map(({ item }) => item), faults: [...faults, ...twice(items), ...(fault ? [fault] : [])] };
}

const bareReturns = {
  message: 'ends its lines with carriage returns alone.',
  advice: 'Save the file with line feeds (LF or CRLF), as any spreadsheet can.',
};

function columnsOf({ line, fields }: CsvRow): { at: Map<string, number> } | { faults: Fault[] } {
  const names = fields.map((name) => name.trim());
  const advice = `The columns ${needed.join(', ')} are needed; others are not read.`;
  const missing = needed.filter((name) => !names.includes(name));
  const doubled = [...needed, recordId].filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  const faults = [
    ...missing.map((name) => ({ line, field: name, message: 'there is no such column.', advice })),
    ...doubled.map((field) => ({ line, field, message: 'is the name of two columns.', advice: 'Take one out.' })),
  ];
  return faults.length > 0 ? { faults } : { at: new Map(names.map((name, place) => [name, place])) };
}

type Made = { item: Item; line: number; field: string } | { faults: Fault[] };

function itemFrom({ line, fields }: CsvRow, at: { columns: Map<string, number>; width: number }): Made {
  if (fields.length !== at.width) {
    const advice = 'A comma or a line end outside of quotes splits a field.';
    return { faults: [{ line, message: `has ${fields.length} fields, the first line ${at.width}.`, advice }] };
  }
  const cell = (column: string) => fields[at.columns.get(column) ?? -1]?.trim() ?? '';
  const choices = answers.map(cell);
  const named = cell(recordId);
  const faults: Fault[] = needed
    .filter((column) => cell(column) === '')
    .map((field) => ({ line, field, message: 'is empty.', advice: 'Every row needs a question and four answers.' }));
  for (const [place, field] of answers.entries()) {
    const same = choices.indexOf(choices[place] ?? '');
    if (same === place || choices[place] === '') continue;
    faults.push({
      line,
      field,
      message: `is the same as ${answers[same]}.`,
      advice: 'Four different answers are needed.',
    });
  }
  if (!isId(named)) {
    const advice = 'Up to 200 printable characters on one line, or nothing.';
    faults.push({ line, field: recordId, message: 'is no id.', advice });
  }
  if (faults.length > 0) return { faults };

  const id = `gpqa-${named === '' ? sha256(cell(question)).slice(0, 16) : named}`;
  const order = shuffled(choices, id);
  const [right = ''] = choices;
  return {
    line,
    field: named === '' ? question : recordId,
    item: {
      id,
      messages: [{ role: 'user', content: ask(cell(question), 'choice', order) }],
      answer: { check: 'choice', expected: letterOf(order.indexOf(right)) },
      assistant: null,
      reference_user_turn: null,
    },
  };
}

function twice(items: Extract<Made, { item: Item }>[]): Fault[] {
  const first = new Map<string, number>();
  return items.flatMap(({ item: { id }, line, field }) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, line);
    const advice = 'Every question may stand in the file once.';
    return before === undefined ? [] : [{ line, field, message: `stands already on line ${before}.`, advice }];
  });
}
