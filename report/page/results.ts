// The table of cells: every rate with its interval, as text and as a mark on a scale from 0 to 100 %.
import type { Rate } from '../../domain/stats/rate.ts';
import type { Cell, FollowUp, InstructionRates, Summary } from '../../domain/summary.ts';
import { decimalsFor, followUpRate, followUpText, grouped, rateText } from '../numbers.ts';
import { type Markup, markup } from './markup.ts';
import { cellTable } from './table.ts';

export function resultSection({ cells }: Summary): Markup {
  const columns = allColumns.filter(({ isSet }) => cells.some(isSet));
  const decimals = decimalsFor(cells);
  const shown = columns.map(({ name, kind, show }) => ({ name, kind, show: (cell: Cell) => show(cell, decimals) }));
  return markup`<section id="results" aria-labelledby="results-title">
<h2 id="results-title">Results</h2>
${cellTable(cells, {
  name: 'Table of results',
  kind: 'results',
  columns: [{ name: 'n', kind: 'number', show: countOf }, ...shown],
})}
<p class="note">Brackets and bars are 95 % intervals: Wilson’s with one sample per item, by resampling items with several.
<i>n</i> is the number of user turns that were judged, undecided ones among them${
    cells.some((cell) => cell.follow_up.judged !== cell.samples) ? ', of as many as were asked for' : ''
  }.
Answers that could not be scored, or were cut off before they came to one, count as not right; what failed is in no rate.${
    cells.some(({ accuracy }) => accuracy?.instructions !== undefined)
      ? ` An answer to instructions is right if it follows all of them as it stands, loosely right if in one of eight
forms (without its first or last line, without asterisks); single instructions are counted beside it.`
      : ''
  }${
    cells.some(hasReference)
      ? markup` <i>Reference turns</i> are what people said next after the same answers, held to the same judge, each once:
the share to measure a model’s turns by.`
      : null
  }</p>
</section>`;
}

type Column = {
  name: string;
  kind: 'rate' | 'number' | 'status';
  isSet: (cell: Cell) => boolean;
  show: (cell: Cell, decimals: number) => Markup;
};

const allColumns: Column[] = [
  {
    name: 'Answers right',
    kind: 'rate',
    isSet: ({ accuracy }) => accuracy !== null,
    show: ({ accuracy }, decimals) =>
      accuracy === null
        ? markup`–`
        : markup`${rateText(accuracy.rate, decimals)}${mark(accuracy.rate, { tone: 'accuracy', core: null })}`,
  },
  instructed('Right, loosely', ({ prompt_loose }) => prompt_loose),
  instructed('Instructions', ({ instruction_strict }) => instruction_strict),
  instructed('Instructions, loosely', ({ instruction_loose }) => instruction_loose),
  {
    name: 'Genuine follow-ups',
    kind: 'rate',
    isSet: () => true,
    show: ({ follow_up }, decimals) => followUpMarkup(follow_up, decimals),
  },
  {
    name: 'Reference turns',
    kind: 'rate',
    isSet: hasReference,
    show: ({ reference }, decimals) => (reference === undefined ? markup`–` : followUpMarkup(reference, decimals)),
  },
  counted('Undecided', ({ follow_up }) => follow_up.undecided),
  counted('Wrong', ({ accuracy }) => accuracy?.wrong ?? 0),
  counted('Unscored', ({ accuracy }) => accuracy?.unscored ?? 0),
  counted('Truncated', ({ accuracy }) => accuracy?.truncated ?? 0),
  counted('Answer errors', ({ accuracy }) => accuracy?.error ?? 0),
  counted('Turn errors', ({ follow_up }) => follow_up.error),
  counted('Judge errors', ({ follow_up }) => follow_up.judge_error),
  counted('Reference judge errors', ({ reference }) => reference?.judge_error ?? 0),
  {
    name: 'State',
    kind: 'status',
    isSet: ({ state }) => state !== 'complete',
    show: ({ state }) => markup`<span class="state ${state}">${state}</span>`,
  },
];

function hasReference({ reference }: Cell): boolean {
  return reference !== undefined;
}

function followUpMarkup(turns: FollowUp, decimals: number): Markup {
  const { if_none, if_all, undecided } = turns;
  const core: [number, number] | null = undecided > 0 ? [if_none.value ?? 0, if_all.value ?? 0] : null;
  return markup`${followUpText(turns, decimals)}${mark(followUpRate(turns), { tone: 'follow-up', core })}`;
}

function instructed(name: string, rateOf: (rates: InstructionRates) => Rate): Column {
  return {
    name,
    kind: 'rate',
    isSet: ({ accuracy }) => accuracy?.instructions !== undefined,
    show: ({ accuracy }, decimals) => {
      if (!accuracy?.instructions) return markup`–`;
      const rate = rateOf(accuracy.instructions);
      return markup`${rateText(rate, decimals)}${mark(rate, { tone: 'accuracy', core: null })}`;
    },
  };
}

function counted(name: string, count: (cell: Cell) => number): Column {
  return {
    name,
    kind: 'number',
    isSet: (cell) => count(cell) > 0,
    show: (cell) => (count(cell) === 0 ? markup`<span class="none">0</span>` : markup`${grouped(count(cell))}`),
  };
}

function countOf({ follow_up, samples }: Cell): string {
  return follow_up.judged === samples ? grouped(samples) : `${grouped(follow_up.judged)} of ${grouped(samples)}`;
}

/** The interval as a bar on a track from 0 to 100 %, with the value as a tick or, where undecided, the band as a thicker bar. */
function mark(
  rate: Rate,
  { tone, core }: { tone: 'accuracy' | 'follow-up'; core: [number, number] | null },
): Markup | null {
  if (rate.low === null || rate.high === null) return null;
  const place = (low: number, high: number) => `left:${css(low)};width:${css(high - low)}`;
  return markup`<span class="mark ${tone}" aria-hidden="true"><i class="interval" style="${place(rate.low, rate.high)}"></i>${
    core === null ? null : markup`<i class="core" style="${place(core[0], core[1])}"></i>`
  }${rate.value === null ? null : markup`<i class="value" style="left:${css(rate.value)}"></i>`}</span>`;
}

const css = (share: number) => `${Number((share * 100).toFixed(2))}%`;
