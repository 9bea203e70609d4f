// What failed, and what ran into a limit: everything that makes a rate rest on less than was asked for.
import type { Rate } from '../../domain/stats/rate.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import { decimalsFor, grouped, rateText } from '../numbers.ts';
import { type Markup, markup } from './markup.ts';

export function troubleSection({ cells }: Summary): Markup {
  const troubled = cells.filter(isTroubled);
  return markup`<section aria-labelledby="trouble-title">
<h2 id="trouble-title">What failed or was cut off</h2>
${troubled.length === 0 ? markup`<p>Nothing: no errors, no turn at its token limit, no cell unfinished.</p>` : table(troubled)}
</section>`;
}

function isTroubled({ accuracy, follow_up, capped, state }: Cell): boolean {
  const counts = [accuracy?.error ?? 0, follow_up.error, follow_up.judge_error];
  const shares = [capped.assistant.value ?? 0, capped.user.value ?? 0];
  return state !== 'complete' || [...counts, ...shares].some((number) => number > 0);
}

function table(cells: Cell[]): Markup {
  const decimals = decimalsFor(cells);
  return markup`<div class="scroll" role="region" aria-label="Table of failures" tabindex="0">
<table class="trouble">
<thead><tr><th scope="col">Model</th><th scope="col">Data</th><th scope="col" class="number"><abbr title="sampling temperature">T</abbr></th>
<th scope="col" class="number">Answers failed</th><th scope="col" class="number">User turns failed</th><th scope="col" class="number">Judgements failed</th>
<th scope="col">Answers at their token limit</th><th scope="col">User turns at theirs</th><th scope="col">State</th></tr></thead>
<tbody>
${cells.map(
  ({
    model,
    data,
    temperature,
    accuracy,
    follow_up,
    capped,
    state,
  }) => markup`<tr><th scope="row"><bdi>${model}</bdi></th><td><bdi>${data}</bdi></td><td class="number">${temperature}</td>
<td class="number">${accuracy === null ? '–' : count(accuracy.error)}</td><td class="number">${count(follow_up.error)}</td><td class="number">${count(follow_up.judge_error)}</td>
<td>${cappedText(capped.assistant, decimals)}</td><td>${cappedText(capped.user, decimals)}</td><td><span class="state ${state}">${state}</span></td></tr>
`,
)}</tbody>
</table>
</div>
<p class="note">A failed answer leaves no user turn to judge, so it counts under both. The state is <i>failed</i> where more failed than the
config allows, <i>pending</i> where something is still to be done; <code>uturn resume</code> takes up both.</p>`;
}

function count(errors: number): Markup {
  return errors === 0 ? markup`<span class="none">0</span>` : markup`<strong>${grouped(errors)}</strong>`;
}

function cappedText(rate: Rate, decimals: number): Markup {
  return rate.value === 0 ? markup`<span class="none">0</span>` : markup`${rateText(rate, decimals)}`;
}
