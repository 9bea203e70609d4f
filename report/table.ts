// A summary as a table in the terminal: one row per cell, aligned by display width, narrow enough for its place.
import type { Cell, InstructionRates, Summary } from '../domain/summary.ts';
import { costText, judgingText } from './cost.ts';
import { oneLine } from './escape.ts';
import { decimalsFor, followUpShort, followUpText, grouped, percent, rateText } from './numbers.ts';
import { cut, displayWidth, pad } from './width.ts';

/** Styles a piece of text; `util.styleText` fits. */
export type Paint = (style: 'bold' | 'dim' | 'yellow' | 'red', text: string) => string;

/**
 * The table and a few lines on how to read it. Columns in which nothing happened are left out; what does not fit
 * into `width` columns is shortened, then dropped and named below. Errors are never dropped.
 */
export function summaryTable(summary: Summary, opts: { width?: number; paint?: Paint } = {}): string {
  const { width = 100, paint = (_, text) => text } = opts;
  const decimals = decimalsFor(summary.cells);
  const filled = columns.filter(({ isSet }) => isSet === always || summary.cells.some(isSet));
  const full = filled.map((column) => rendered(column, summary.cells, decimals));
  const { shown, dropped } =
    totalWidth(full) <= width ? { shown: full, dropped: [] } : fit(full.map(abbreviated), width);
  const lines = [headerLine(shown, paint), ...rowLines(shown, summary.cells, paint)];
  return [...lines, '', ...notes(summary, shown, dropped).map((note) => paint('dim', note)), ''].join('\n');
}

type Column = {
  name: string;
  /** Stands for the name where there is little room. */
  short?: string;
  align: 'left' | 'right';
  /** Whether a cell has something to show here; a column where none has is left out. */
  isSet: (cell: Cell) => boolean;
  text: (cell: Cell, decimals: number) => string;
  tone?: 'yellow' | 'red';
  /** Lowest goes first when there is no room; without it the column stays. */
  rank?: number;
  /** May be cut to this many columns. */
  atLeast?: number;
};

const always = () => true;

const columns: Column[] = [
  { name: 'model', align: 'left', isSet: always, text: (cell) => oneLine(cell.model), atLeast: 12 },
  { name: 'data', align: 'left', isSet: always, text: (cell) => oneLine(cell.data), atLeast: 8 },
  { name: 'T', align: 'right', isSet: always, text: (cell) => String(cell.temperature) },
  { name: 'n', align: 'right', isSet: always, text: countText },
  {
    name: 'answers right',
    short: 'right',
    align: 'right',
    isSet: (cell) => cell.accuracy !== null,
    text: (cell, decimals) => (cell.accuracy === null ? '–' : rateText(cell.accuracy.rate, decimals)),
  },
  {
    name: 'loose',
    align: 'right',
    isSet: hasInstructions,
    text: ({ accuracy }, decimals) => looseText(accuracy?.instructions, decimals),
    rank: 1,
  },
  {
    name: 'instructions',
    short: 'instr.',
    align: 'right',
    isSet: hasInstructions,
    text: ({ accuracy }, decimals) => followedText(accuracy?.instructions, decimals),
    rank: 1,
  },
  {
    name: 'genuine follow-ups',
    short: 'follow-ups',
    align: 'right',
    isSet: always,
    text: (cell, decimals) => followUpText(cell.follow_up, decimals),
  },
  {
    name: 'reference turns',
    short: 'refs',
    align: 'right',
    isSet: hasReference,
    text: ({ reference }, decimals) => (reference === undefined ? '–' : followUpShort(reference, decimals)),
    rank: 5,
  },
  counted('undecided', (cell) => cell.follow_up.undecided, { short: 'undec.', rank: 4 }),
  counted('unscored', (cell) => cell.accuracy?.unscored ?? 0, { short: 'unsc.', rank: 3 }),
  counted('truncated', (cell) => cell.accuracy?.truncated ?? 0, { short: 'trunc.', rank: 2 }),
  {
    name: 'capped',
    align: 'right',
    isSet: (cell) => (cell.capped.assistant.value ?? 0) > 0 || (cell.capped.user.value ?? 0) > 0,
    text: ({ capped }) => `${cappedText(capped.assistant.value)}/${cappedText(capped.user.value)} %`,
    rank: 1,
  },
  {
    name: 'errors',
    align: 'right',
    isSet: (cell) => errorsOf(cell).some((count) => count > 0),
    text: (cell) => errorsOf(cell).join('/'),
    tone: 'red',
  },
  {
    name: 'state',
    align: 'left',
    isSet: (cell) => cell.state !== 'complete',
    text: (cell) => cell.state,
    tone: 'yellow',
  },
];

function hasReference({ reference }: Cell): boolean {
  return reference !== undefined;
}

function hasInstructions({ accuracy }: Cell): boolean {
  return accuracy?.instructions !== undefined;
}

/** Without intervals, which `--json` and the page have: three more would fill a terminal. */
function followedText(rates: InstructionRates | undefined, decimals: number): string {
  const [strict, loose] = [rates?.instruction_strict.value ?? null, rates?.instruction_loose.value ?? null];
  return strict === null || loose === null ? '–' : `${percent(strict, decimals)}/${percent(loose, decimals)} %`;
}

function looseText(rates: InstructionRates | undefined, decimals: number): string {
  const share = rates?.prompt_loose.value ?? null;
  return share === null ? '–' : `${percent(share, decimals)} %`;
}

/** At the answer or its check, up to the user turn, at the judgement; at that of a reference turn, where there are any. */
function errorsOf({ accuracy, follow_up, reference }: Cell): number[] {
  const ofReference = reference === undefined ? [] : [reference.judge_error];
  return [accuracy?.error ?? 0, follow_up.error, follow_up.judge_error, ...ofReference];
}

function counted(name: string, count: (cell: Cell) => number, opts: Pick<Column, 'short' | 'rank'>): Column {
  return { name, align: 'right', isSet: (cell) => count(cell) > 0, text: (cell) => String(count(cell)), ...opts };
}

/** Judged turns; of how many asked for, where they are fewer. */
function countText({ follow_up, samples }: Cell): string {
  return follow_up.judged === samples ? String(samples) : `${follow_up.judged}/${samples}`;
}

function cappedText(share: number | null): string {
  return share === null ? '–' : percent(share, 0);
}

type Rendered = { column: Column; header: string; texts: string[]; width: number };

function rendered(column: Column, cells: Cell[], decimals: number): Rendered {
  return headed(column, { header: column.name, texts: cells.map((cell) => column.text(cell, decimals)) });
}

function abbreviated({ column, texts }: Rendered): Rendered {
  return headed(column, { header: column.short ?? column.name, texts });
}

function headed(column: Column, { header, texts }: { header: string; texts: string[] }): Rendered {
  const width = texts.reduce((most, text) => Math.max(most, displayWidth(text)), header.length);
  return { column, header, texts, width };
}

const gap = 2;

/** Cuts long names first, then drops columns by rank, until the rest fits or nothing more can go. */
function fit(all: Rendered[], width: number): { shown: Rendered[]; dropped: string[] } {
  const shown = [...all];
  const dropped: string[] = [];
  for (;;) {
    const excess = totalWidth(shown) - width;
    if (excess <= 0) return { shown, dropped };
    const spare = shown.reduce((sum, { column, width }) => sum + Math.max(0, width - (column.atLeast ?? width)), 0);
    const expendable = shown.filter(({ column }) => column.rank !== undefined);
    if (excess <= spare || expendable.length === 0) return { shown: shortened(shown, excess), dropped };
    const first = expendable.reduce((a, b) => ((b.column.rank ?? 0) < (a.column.rank ?? 0) ? b : a));
    shown.splice(shown.indexOf(first), 1);
    dropped.push(first.column.name);
  }
}

function totalWidth(shown: Rendered[]): number {
  return shown.reduce((sum, { width }) => sum + width, gap * Math.max(0, shown.length - 1));
}

/** Takes the excess from the columns that may be cut, the first ones first. */
function shortened(shown: Rendered[], excess: number): Rendered[] {
  let left = excess;
  return shown.map((one) => {
    const taken = Math.min(left, Math.max(0, one.width - (one.column.atLeast ?? one.width)));
    left -= taken;
    return { ...one, width: one.width - taken };
  });
}

function headerLine(shown: Rendered[], paint: Paint): string {
  return line(shown.map(({ column, header, width }) => paint('bold', pad(header, width, column.align))));
}

function rowLines(shown: Rendered[], cells: Cell[], paint: Paint): string[] {
  return cells.map((cell, row) =>
    line(
      shown.map(({ column, texts, width }) => {
        const text = pad(cut(texts[row] ?? '', width), width, column.align);
        return column.tone !== undefined && column.isSet(cell) ? paint(column.tone, text) : text;
      }),
    ),
  );
}

function line(fields: string[]): string {
  return fields.join(' '.repeat(gap)).trimEnd();
}

function notes(summary: Summary, shown: Rendered[], dropped: string[]): string[] {
  const { cells, samples, totals } = summary;
  const { prompt_tokens, completion_tokens, errors } = totals;
  const tokens = `${grouped(prompt_tokens)} prompt and ${grouped(completion_tokens)} completion tokens`;
  const [judging, cost] = [judgingText(summary), costText(summary)];
  const when = (holds: boolean, note: string) => (holds ? [note] : []);
  const ofReferences = cells.some(hasReference) ? '/at reference turns' : '';
  const shows = (name: string) => shown.some(({ column }) => column.name === name);
  return [
    `${grouped(samples)} user turns, ${tokens}, ${errors === 1 ? '1 error' : `${grouped(errors)} errors`}.`,
    ...when(judging !== null, `Judging took ${judging}.`),
    ...when(cost !== null, `Cost: ${cost}.`),
    cells.some(({ follow_up, reference }) => follow_up.undecided + (reference?.undecided ?? 0) > 0)
      ? 'Bands: undecided turns all not genuine – all genuine. Brackets: 95 % intervals, of both ends.'
      : 'Brackets: 95 % intervals.',
    ...when(
      cells.some(({ follow_up, samples }) => follow_up.judged !== samples),
      'n: turns judged/asked for.',
    ),
    ...when(shows('loose'), 'loose: answers right in one of eight forms, as IFEval counts them.'),
    ...when(shows('instructions'), 'instructions: single ones that were followed, strictly/loosely.'),
    ...when(
      shows('reference turns'),
      'reference turns: what people said in that place, by the same judge (once an item).',
    ),
    ...when(shows('capped'), 'capped: answers/user turns that hit their token limit.'),
    ...when(shows('errors'), `errors: at answers/up to user turns/at judgements${ofReferences}; they are in no rate.`),
    ...when(dropped.length > 0, `No room for: ${dropped.join(', ')} (a wider terminal or --json has them).`),
  ];
}
