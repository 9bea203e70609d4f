// What failed, and what ran into a limit: everything that makes a rate rest on less than was asked for.
import type { Rate } from '../../domain/stats/rate.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import { decimalsFor, grouped, rateText } from '../numbers.ts';
import { type CellGroup, groupsOf } from './groups.ts';
import { type Markup, markup } from './markup.ts';

export function troubleSection({ cells }: Summary): Markup {
  const troubled = cells.filter(isTroubled);
  return markup`<section aria-labelledby="trouble-title">
<h2 id="trouble-title">What failed or was cut off</h2>
${troubled.length === 0 ? markup`<p>Nothing: no errors, no turn at its token limit, no cell unfinished.</p>` : table(troubled)}
</section>`;
}

/** Only what happened somewhere has a column. */
const columns: Column[] = [
  counted('Answers failed', ({ accuracy }) => accuracy?.error ?? 0),
  counted('User turns failed', ({ follow_up }) => follow_up.error),
  counted('Judgements failed', ({ follow_up }) => follow_up.judge_error),
  counted('Judgements of reference turns failed', ({ reference }) => reference?.judge_error ?? 0),
  capped('Answers at their token limit', (cell) => cell.capped.assistant),
  capped('User turns at theirs', (cell) => cell.capped.user),
  {
    name: 'State',
    kind: 'state',
    isSet: ({ state }) => state !== 'complete',
    show: ({ state }) => markup`<span class="state ${state}">${state}</span>`,
  },
];

type Column = {
  name: string;
  kind: 'number' | 'rate' | 'state';
  isSet: (cell: Cell) => boolean;
  show: (cell: Cell, decimals: number) => Markup;
};

function counted(name: string, of: (cell: Cell) => number): Column {
  return { name, kind: 'number', isSet: (cell) => of(cell) > 0, show: (cell) => count(of(cell)) };
}

function capped(name: string, of: (cell: Cell) => Rate): Column {
  return {
    name,
    kind: 'rate',
    isSet: (cell) => (of(cell).value ?? 0) > 0,
    show: (cell, decimals) => cappedText(of(cell), decimals),
  };
}

function isTroubled(cell: Cell): boolean {
  return columns.some(({ isSet }) => isSet(cell));
}

function table(cells: Cell[]): Markup {
  const shown = columns.filter(({ isSet }) => cells.some(isSet));
  return markup`<div class="scroll" role="region" aria-label="Table of failures" tabindex="0">
<table class="trouble">
<thead><tr><th scope="col" class="number"><abbr title="sampling temperature">T</abbr></th>${shown.map(
    ({ name, kind }) => markup`<th scope="col" class="${kind}">${name}</th>`,
  )}</tr></thead>
${groupsOf(cells).map((group) => groupRows(group, { shown, decimals: decimalsFor(cells) }))}
</table>
</div>
${cells.some(hasFailures) ? note : null}`;
}

function groupRows(
  { model, data, cells }: CellGroup,
  { shown, decimals }: { shown: Column[]; decimals: number },
): Markup {
  return markup`<tbody>
<tr class="group"><th scope="rowgroup" colspan="${shown.length + 1}"><span><bdi>${model}</bdi> <span class="on">on</span> <bdi>${data}</bdi></span></th></tr>
${cells.map(
  (cell) => markup`<tr><th scope="row" class="number">${cell.temperature}</th>${shown.map(
    ({ kind, show }) => markup`<td class="${kind}">${show(cell, decimals)}</td>`,
  )}</tr>
`,
)}</tbody>`;
}

function hasFailures({ follow_up, reference, accuracy, state }: Cell): boolean {
  const ofReference = reference?.judge_error ?? 0;
  return state !== 'complete' || follow_up.error + follow_up.judge_error + ofReference + (accuracy?.error ?? 0) > 0;
}

const note = markup`<p class="note">A failed answer leaves no user turn to judge, so it counts under both. The state is <i>failed</i> where more failed than the
config allows, <i>pending</i> where something is still to be done; <code>uturn resume</code> takes up both.</p>`;

function count(errors: number): Markup {
  return errors === 0 ? markup`<span class="none">0</span>` : markup`<strong>${grouped(errors)}</strong>`;
}

function cappedText(rate: Rate, decimals: number): Markup {
  if (rate.value === null) return markup`–`;
  return rate.value === 0 ? markup`<span class="none">0</span>` : markup`${rateText(rate, decimals)}`;
}
