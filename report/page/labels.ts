// What the user turns were: the judge's labels as bars, and the counts behind them.
import { type Label, labels } from '../../domain/records/record.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import type { Drawn } from '../figures/draw.ts';
import { decimalsFor, grouped, percent } from '../numbers.ts';
import { figureFlow, type Showing } from './figures.ts';
import { type Markup, markup } from './markup.ts';
import { cellTable } from './table.ts';

/** The labels in plain words. */
export const meanings: Record<Label, string> = {
  plausible_followup: 'says something a person who had read the answer might say',
  previous_turn_restate: 'says the question again',
  new_task_prompt: 'asks for something new, as if there had been no answer',
  assistant_turn_restate: 'says the answer again, or goes on with it',
  malformed_artifact: 'holds template markers or other debris',
  meta_planning: 'talks about what the user might say instead of saying it',
  degenerate_short: 'is empty or next to it',
  other: 'none of these',
};

export function labelSection({ cells }: Summary, figures: Drawn[], showing: Showing): Markup {
  const used = labels.filter((label) => cells.some(({ follow_up }) => follow_up.labels[label] > 0));
  return markup`<section id="labels" aria-labelledby="labels-title">
<h2 id="labels-title">What the user turns were</h2>
${used.length === 0 ? null : glossary(used)}
${figureFlow(figures, showing)}
<details${cells.length > fewCells ? null : markup` open`}><summary>The counts behind the bars</summary>
${counts(cells, used)}
</details>
</section>`;
}

/** So many rows need not be asked for. */
const fewCells = 12;

function glossary(used: Label[]): Markup {
  return markup`<dl class="glossary">${used.map(
    (label) => markup`<div><dt>${words(label)}</dt><dd>${meanings[label]}</dd></div>`,
  )}</dl>`;
}

function counts(cells: Cell[], used: Label[]): Markup {
  const decimals = decimalsFor(cells);
  const undecided = cells.some(({ follow_up }) => follow_up.undecided > 0);
  return cellTable(cells, {
    name: 'Labels',
    kind: 'labels',
    columns: [
      { name: 'judged', kind: 'number', show: ({ follow_up }) => grouped(follow_up.judged) },
      ...used.map((label) => ({
        name: words(label),
        kind: 'number' as const,
        show: (cell: Cell) => share(cell.follow_up.labels[label], { cell, decimals }),
      })),
      ...(undecided
        ? [
            {
              name: 'undecided',
              kind: 'number' as const,
              show: (cell: Cell) => share(cell.follow_up.undecided, { cell, decimals }),
            },
          ]
        : []),
    ],
  });
}

function share(count: number, { cell, decimals }: { cell: Cell; decimals: number }): Markup {
  const { judged } = cell.follow_up;
  if (judged === 0) return markup`–`;
  if (count === 0) return markup`<span class="none">0</span>`;
  return markup`${grouped(count)} <span class="share">${percent(count / judged, decimals)} %</span>`;
}

/** `new_task_prompt` as people read it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}
