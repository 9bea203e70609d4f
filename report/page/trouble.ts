// What failed and why, and what ran into a limit: everything that makes a rate rest on less than was asked for.
import type { Rate } from '../../domain/stats/rate.ts';
import { rate } from '../../domain/stats/wilson.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import type { Failures } from '../failures.ts';
import { decimalsFor, grouped, rateText } from '../numbers.ts';
import { failureTables } from './failures.ts';
import { type Markup, markup } from './markup.ts';
import { cellTable, plainTable } from './table.ts';

export function troubleSection({ cells, run }: Summary, failures: Failures): Markup {
  const troubled = cells.filter(isTroubled);
  const nothing = troubled.length === 0 && failures.kinds.length === 0 && failures.parked.length === 0;
  return markup`<section id="trouble" aria-labelledby="trouble-title">
<h2 id="trouble-title">What failed or was cut off</h2>
${
  nothing
    ? markup`<p>Nothing: no errors, no turn at its token limit, no turn undecided, no cell unfinished.</p>`
    : [
        byModel(cells),
        failureTables(failures, run),
        byCell(troubled, decimalsFor(cells)),
        cells.some(hasFailures) ? note : null,
      ]
}
</section>`;
}

/** What no answer was made of, though nothing went wrong on the way: told beside the rest, and no trouble by itself. */
const aside: Column[] = [
  tallied('Unscored', ({ accuracy }) => accuracy?.unscored ?? 0),
  tallied('Truncated', ({ accuracy }) => accuracy?.truncated ?? 0),
];

/** Only what happened somewhere has a column. */
const columns: Column[] = [
  counted('Answers failed', ({ accuracy }) => accuracy?.error ?? 0),
  counted('User turns failed', ({ follow_up }) => follow_up.error),
  counted('Judgements failed', ({ follow_up }) => follow_up.judge_error),
  counted('Judgements of reference turns failed', ({ reference }) => reference?.judge_error ?? 0),
  tallied('Undecided', ({ follow_up }) => follow_up.undecided),
  ...aside,
  capped('Answers at their token limit', (cell) => cell.capped.assistant),
  capped('User turns at theirs', (cell) => cell.capped.user),
  {
    name: 'State',
    kind: 'status',
    isSet: ({ state }) => state !== 'complete',
    show: ({ state }) => markup`<span class="state ${state}">${state}</span>`,
    together: (cells) => statesOf(cells),
  },
];

type Column = {
  name: string;
  kind: 'number' | 'rate' | 'status';
  isSet: (cell: Cell) => boolean;
  show: (cell: Cell, decimals: number) => Markup;
  /** Of all cells of a model. */
  together: (cells: Cell[], decimals: number) => Markup;
};

function counted(name: string, of: (cell: Cell) => number): Column {
  const together = (cells: Cell[]) => count(cells.reduce((sum, cell) => sum + of(cell), 0));
  return { name, kind: 'number', isSet: (cell) => of(cell) > 0, show: (cell) => together([cell]), together };
}

/** Counted too, but nothing failed. */
function tallied(name: string, of: (cell: Cell) => number): Column {
  const together = (cells: Cell[]) => number(cells.reduce((sum, cell) => sum + of(cell), 0));
  return { name, kind: 'number', isSet: (cell) => of(cell) > 0, show: (cell) => together([cell]), together };
}

function capped(name: string, of: (cell: Cell) => Rate): Column {
  return {
    name,
    kind: 'rate',
    isSet: (cell) => (of(cell).value ?? 0) > 0,
    show: (cell, decimals) => cappedText(of(cell), decimals),
    together: (cells, decimals) => cappedText(pooled(cells.map(of)), decimals),
  };
}

/** Samples of several cells, as if they were independent: an interval a little too narrow, of something that should be near 0. */
function pooled(rates: Rate[]): Rate {
  const n = rates.reduce((sum, one) => sum + one.n, 0);
  return rate(Math.min(n, Math.round(rates.reduce((sum, { value, n }) => sum + (value ?? 0) * n, 0))), n);
}

function isTroubled(cell: Cell): boolean {
  return columns.some((column) => !aside.includes(column) && column.isSet(cell));
}

function byModel(cells: Cell[]): Markup | null {
  const shown = columns.filter(({ isSet }) => cells.some(isSet));
  if (shown.length === 0) return null;
  const decimals = decimalsFor(cells);
  return plainTable({
    name: 'Failures by model',
    kind: 'trouble',
    head: [{ name: 'Model', kind: 'text' }, ...shown],
    rows: [...Map.groupBy(cells, ({ model }) => model)].map(([model, its]) => ({
      about: { model },
      fields: [markup`<bdi>${model}</bdi>`, ...shown.map(({ together }) => together(its, decimals))],
    })),
  });
}

function byCell(cells: Cell[], decimals: number): Markup | null {
  const shown = columns.filter(({ isSet }) => cells.some(isSet));
  if (cells.length === 0) return null;
  return markup`<details><summary>By cell</summary>
${cellTable(cells, {
  name: 'Failures by cell',
  kind: 'trouble',
  columns: shown.map(({ name, kind, show }) => ({ name, kind, show: (cell: Cell) => show(cell, decimals) })),
})}
</details>`;
}

function statesOf(cells: Cell[]): Markup {
  const states = (['failed', 'pending'] as const).flatMap((state) => {
    const n = cells.filter((cell) => cell.state === state).length;
    return n === 0 ? [] : [markup`<span class="state ${state}">${n === 1 ? '1 cell' : `${n} cells`} ${state}</span> `];
  });
  return states.length === 0 ? markup`<span class="state complete">complete</span>` : markup`${states}`;
}

function hasFailures({ follow_up, reference, accuracy, state }: Cell): boolean {
  const ofReference = reference?.judge_error ?? 0;
  return state !== 'complete' || follow_up.error + follow_up.judge_error + ofReference + (accuracy?.error ?? 0) > 0;
}

const note = markup`<p class="note">A failed answer leaves no user turn to judge, so it counts under both. The state is <i>failed</i> where more failed than the
config allows, <i>pending</i> where something is still to be done; <code>uturn resume</code> takes up both.</p>`;

function count(errors: number): Markup {
  return errors === 0 ? number(errors) : markup`<strong>${grouped(errors)}</strong>`;
}

function number(count: number): Markup {
  return count === 0 ? markup`<span class="none">0</span>` : markup`${grouped(count)}`;
}

function cappedText(rate: Rate, decimals: number): Markup {
  if (rate.value === null) return markup`–`;
  return rate.value === 0 ? markup`<span class="none">0</span>` : markup`${rateText(rate, decimals)}`;
}
