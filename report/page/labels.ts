// What the user turns were: counts of the judge's labels, as a table with bars.
import { type Label, labels } from '../../domain/records/record.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import { decimalsFor, grouped, percent } from '../numbers.ts';
import { type CellGroup, groupsOf } from './groups.ts';
import { type Markup, markup } from './markup.ts';

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

export function labelSection({ cells }: Summary): Markup {
  const used = labels.filter((label) => cells.some(({ follow_up }) => follow_up.labels[label] > 0));
  return markup`<section aria-labelledby="labels-title">
<h2 id="labels-title">What the user turns were</h2>
<div class="figures wide">
${groupsOf(cells).map((group) => labelTable(group, { used, decimals: decimalsFor(cells) }))}
</div>
${used.length === 0 ? null : glossary(used)}
</section>`;
}

function glossary(used: Label[]): Markup {
  return markup`<dl class="glossary">${used.map(
    (label) => markup`<div><dt>${words(label)}</dt><dd>${meanings[label]}</dd></div>`,
  )}</dl>`;
}

function labelTable(
  { model, data, cells }: CellGroup,
  { used, decimals }: { used: Label[]; decimals: number },
): Markup {
  const undecided = cells.some(({ follow_up }) => follow_up.undecided > 0);
  const row = (name: string, { kind, count }: { kind: string; count: (cell: Cell) => number }) =>
    markup`<tr class="${kind}"><th scope="row">${name}</th>${cells.map((cell) => shareField(count(cell), { cell, decimals }))}</tr>
`;
  return markup`<div class="scroll"><table class="labels">
<caption><bdi>${model}</bdi> <span class="on">on</span> <bdi>${data}</bdi></caption>
<thead><tr><th scope="col">Label</th>${cells.map(({ temperature }) => markup`<th scope="col"><i>T</i> = ${temperature}</th>`)}</tr></thead>
<tbody>
${used.map((label) =>
  row(words(label), {
    kind: label === 'plausible_followup' ? 'genuine' : 'decided',
    count: ({ follow_up }) => follow_up.labels[label],
  }),
)}${undecided ? row('undecided', { kind: 'undecided', count: ({ follow_up }) => follow_up.undecided }) : null}</tbody>
</table></div>
`;
}

function shareField(count: number, { cell, decimals }: { cell: Cell; decimals: number }): Markup {
  const { judged } = cell.follow_up;
  if (judged === 0) return markup`<td>–</td>`;
  if (count === 0) return markup`<td><span class="none">0</span></td>`;
  const share = count / judged;
  return markup`<td>${grouped(count)} <span class="share">${percent(share, decimals)} %</span><span class="bar" aria-hidden="true"><i style="width:${Number(
    (share * 100).toFixed(2),
  )}%"></i></span></td>`;
}

/** `new_task_prompt` as people read it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}
