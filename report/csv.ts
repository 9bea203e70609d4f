// Cells as CSV (RFC 4180), one row each, for spreadsheets and data frames. Headers are part of the interface.
import type { LabelCounts } from '../domain/plan/plan.ts';
import { labels } from '../domain/records/record.ts';
import type { Rate } from '../domain/stats/rate.ts';
import type { Cell, Summary } from '../domain/summary.ts';
import { type CellJson, cellJson } from './json.ts';

type Field = string | number | null;

/** Header and one row per cell, lines ended by CRLF. What is null in `--json` is an empty field here. */
export function cellsCsv(summary: Summary): string {
  const header = columns.map(([name]) => name);
  const rows = summary.cells.map((cell) => rowOf(summary, cell));
  return [header, ...rows].map((row) => `${row.map(fieldText).join(',')}\r\n`).join('');
}

type Row = { summary: Summary; cell: CellJson };

const columns: [name: string, value: (row: Row) => Field][] = [
  ['run', ({ summary }) => summary.run],
  ['plan', ({ summary }) => summary.plan],
  ['model', ({ cell }) => cell.model],
  ['data', ({ cell }) => cell.data],
  ['temperature', ({ cell }) => cell.temperature],
  ['samples', ({ cell }) => cell.samples],
  ['state', ({ cell }) => cell.state],
  ...rateColumns('accuracy', (cell) => cell.accuracy),
  ['right', ({ cell }) => cell.right],
  ['wrong', ({ cell }) => cell.wrong],
  ['unscored', ({ cell }) => cell.unscored],
  ['truncated', ({ cell }) => cell.truncated],
  ['answer_errors', ({ cell }) => cell.answer_errors],
  ...rateColumns('accuracy_loose', (cell) => cell.accuracy_loose),
  ...rateColumns('instructions_strict', (cell) => cell.instructions_strict),
  ...rateColumns('instructions_loose', (cell) => cell.instructions_loose),
  ...rateColumns('follow_up', (cell) => cell.follow_up),
  ...rateColumns('follow_up_if_none', (cell) => cell.follow_up_if_none),
  ...rateColumns('follow_up_if_all', (cell) => cell.follow_up_if_all),
  ['judged', ({ cell }) => cell.judged],
  ['genuine', ({ cell }) => cell.genuine],
  ['not_genuine', ({ cell }) => cell.not_genuine],
  ['undecided', ({ cell }) => cell.undecided],
  ['judge_errors', ({ cell }) => cell.judge_errors],
  ['turn_errors', ({ cell }) => cell.turn_errors],
  ...labelColumns('label', (cell) => cell.labels),
  ...rateColumns('capped_assistant', (cell) => cell.capped_assistant),
  ...rateColumns('capped_user', (cell) => cell.capped_user),
  ['prompt_tokens', ({ cell }) => cell.prompt_tokens],
  ['completion_tokens', ({ cell }) => cell.completion_tokens],
  ['judge_prompt_tokens', ({ cell }) => cell.judge_prompt_tokens],
  ['judge_completion_tokens', ({ cell }) => cell.judge_completion_tokens],
  ['judge_uncounted', ({ cell }) => cell.judge_uncounted],
  ['usd_generation', ({ cell }) => cell.usd_generation],
  ['usd_judging', ({ cell }) => cell.usd_judging],
  ...rateColumns('reference', (cell) => cell.reference),
  ...rateColumns('reference_if_none', (cell) => cell.reference_if_none),
  ...rateColumns('reference_if_all', (cell) => cell.reference_if_all),
  ['reference_judged', ({ cell }) => cell.reference_judged],
  ['reference_genuine', ({ cell }) => cell.reference_genuine],
  ['reference_not_genuine', ({ cell }) => cell.reference_not_genuine],
  ['reference_undecided', ({ cell }) => cell.reference_undecided],
  ['reference_judge_errors', ({ cell }) => cell.reference_judge_errors],
  ...labelColumns('reference_label', (cell) => cell.reference_labels),
];

function rateColumns(name: string, rateOf: (cell: CellJson) => Rate | null): typeof columns {
  return [
    [name, ({ cell }) => rateOf(cell)?.value ?? null],
    [`${name}_low`, ({ cell }) => rateOf(cell)?.low ?? null],
    [`${name}_high`, ({ cell }) => rateOf(cell)?.high ?? null],
    [`${name}_n`, ({ cell }) => rateOf(cell)?.n ?? null],
  ];
}

function labelColumns(name: string, countsOf: (cell: CellJson) => LabelCounts | null): typeof columns {
  return labels.map((label) => [`${name}_${label}`, ({ cell }) => countsOf(cell)?.[label] ?? null]);
}

function rowOf(summary: Summary, cell: Cell): Field[] {
  const row = { summary, cell: cellJson(cell) };
  return columns.map(([, value]) => value(row));
}

function fieldText(field: Field): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  const text = harmless(field.toWellFormed());
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets take a field that starts like this for a formula; an apostrophe in front makes it text. */
function harmless(text: string): string {
  return /^[\s\0]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}
