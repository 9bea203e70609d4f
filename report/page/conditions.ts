// What was done to answers, and what it changed: each condition beside base.
import type { ConditionCell, Summary } from '../../domain/summary.ts';
import { differenceText } from '../conditions-table.ts';
import { decimalsFor, followUpText, grouped, rateText } from '../numbers.ts';
import { type Markup, markup } from './markup.ts';
import { type Head, plainTable, type Row, temperature } from './table.ts';

/** Null where nothing was done to answers. */
export function conditionSection({ conditions }: Summary): Markup | null {
  if (conditions === undefined || conditions.length === 0) return null;
  const decimals = decimalsFor(conditions);
  const cuts = conditions.some(({ emptied }) => emptied !== undefined);
  const head: Head[] = [
    { name: 'Model', kind: 'text' },
    { name: 'Data', kind: 'text' },
    temperature,
    { name: 'Condition', kind: 'text' },
    { name: 'n', kind: 'number' },
    { name: 'Genuine follow-ups', kind: 'rate' },
    { name: 'Against base', kind: 'rate' },
    { name: 'Changed', kind: 'rate' },
    { name: 'Flipped', kind: 'rate' },
    ...(cuts ? [{ name: 'Emptied', kind: 'number' } satisfies Head] : []),
  ];
  const rows = conditions.map((cell) => rowOf(cell, { decimals, cuts }));
  return markup`<section id="conditions" aria-labelledby="conditions-title">
<h2 id="conditions-title">By condition</h2>
<p>Each answer was made once and went through every condition, so conditions are compared pair by pair.</p>
${plainTable({ name: 'Conditions beside base', kind: 'conditions', head, rows })}
<p class="note"><em>truncated</em>: the last quarter of an answer is cut off, at least 25 tokens; <em>cut-50</em>: half of it; <em>question</em>: a question is put
behind it; <em>again</em>: nothing is done, by other seeds, so what it changes is chance. Against base: percentage points of genuine follow-ups, among pairs that are decided on
both sides. Changed: user turns with another text; flipped: with another decision. Emptied: answers that a cut left nothing of.</p>
</section>`;
}

function rowOf(cell: ConditionCell, { decimals, cuts }: { decimals: number; cuts: boolean }): Row {
  const { model, data, temperature, condition, samples, follow_up, changed, flipped, emptied } = cell;
  return {
    about: { model, data, temperature },
    fields: [
      markup`<bdi>${model}</bdi>`,
      markup`<bdi>${data}</bdi>`,
      temperature,
      condition,
      grouped(samples),
      followUpText(follow_up, decimals),
      differenceText(cell, decimals),
      changed === undefined ? '' : rateText(changed, decimals),
      flipped === undefined ? '' : rateText(flipped, decimals),
      ...(cuts ? [emptied === undefined ? '' : grouped(emptied)] : []),
    ],
  };
}
