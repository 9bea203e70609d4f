// What the run took: tokens and money, by model.
import type { Cell, Summary } from '../../domain/summary.ts';
import { costText, dollars, judgingText } from '../cost.ts';
import { grouped } from '../numbers.ts';
import { type Markup, markup } from './markup.ts';
import { type Head, plainTable } from './table.ts';

export function tookSection(summary: Summary): Markup {
  const { cells, totals } = summary;
  const models = [...Map.groupBy(cells, ({ model }) => model)].map(([model, its]) => sums(model, its));
  const shown = columns.filter(({ is }) => models.some(is));
  const cost = costText(summary);
  const judging = judgingText(summary);
  return markup`<section id="took" aria-labelledby="took-title">
<h2 id="took-title">What it took</h2>
<p>${grouped(totals.prompt_tokens)} tokens in prompts and ${grouped(totals.completion_tokens)} generated${
    judging === null ? '' : `; judging took ${judging}`
  }.${cost === null ? '' : ` Cost: ${cost}.`}</p>
${plainTable({
  name: 'Tokens and cost by model',
  kind: 'took',
  head: [{ name: 'Model', kind: 'text' }, ...shown.map(({ name }): Head => ({ name, kind: 'number' }))],
  rows: models.map((one) => ({
    about: { model: one.model },
    fields: [markup`<bdi>${one.model}</bdi>`, ...shown.map(({ text }) => text(one))],
  })),
})}
<p class="note">Of the records kept: what failed and was made again is in no sum. Generated tokens are those of answers and user turns together.</p>
</section>`;
}

const columns: { name: string; is: (one: Sums) => boolean; text: (one: Sums) => string }[] = [
  { name: 'User turns', is: () => true, text: ({ samples }) => grouped(samples) },
  { name: 'Prompt tokens', is: () => true, text: ({ prompt }) => grouped(prompt) },
  { name: 'Generated', is: () => true, text: ({ completion }) => grouped(completion) },
  {
    name: 'Generated a sample',
    is: () => true,
    text: ({ samples, completion }) => (samples === 0 ? '–' : grouped(Math.round(completion / samples))),
  },
  { name: 'Judge’s prompt tokens', is: isJudged, text: ({ judging }) => grouped(judging?.prompt ?? 0) },
  { name: 'Judge’s replies', is: isJudged, text: ({ judging }) => grouped(judging?.completion ?? 0) },
  { name: 'US$', is: ({ usd }) => usd !== null, text: ({ usd }) => (usd === null ? '–' : dollars(usd)) },
];

function isJudged({ judging }: Sums): boolean {
  return judging !== null;
}

type Sums = {
  model: string;
  samples: number;
  prompt: number;
  completion: number;
  judging: { prompt: number; completion: number } | null;
  usd: number | null;
};

function sums(model: string, cells: Cell[]): Sums {
  const sum = (of: (cell: Cell) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  const priced = cells.some(({ usd }) => usd !== undefined && (usd.generation ?? usd.judging) !== null);
  return {
    model,
    samples: sum(({ samples }) => samples),
    prompt: sum(({ tokens }) => tokens.prompt),
    completion: sum(({ tokens }) => tokens.completion),
    judging: cells.some(({ judging }) => judging !== undefined)
      ? {
          prompt: sum(({ judging }) => judging?.prompt ?? 0),
          completion: sum(({ judging }) => judging?.completion ?? 0),
        }
      : null,
    usd: priced ? sum(({ usd }) => (usd?.generation ?? 0) + (usd?.judging ?? 0)) : null,
  };
}
