// Kinds of errors with an example of each, and what waits to be resumed. Messages come from servers: escaped, and cut.
import type { FailureKind, Failures, ParkedTrees } from '../failures.ts';
import { grouped } from '../numbers.ts';
import { words } from './labels.ts';
import { type Markup, markup } from './markup.ts';
import { plainTable, temperature } from './table.ts';

export function failureTables({ kinds, records, seen, parked, problems }: Failures, run: string): Markup {
  return markup`${problems.length === 0 ? null : markup`<p class="error">The run stopped: ${problems.map((problem, at) => [at === 0 ? null : '; ', markup`<bdi>${cut(problem)}</bdi>`])}</p>`}
${kinds.length === 0 ? null : kindTable(kinds)}
${
  seen < records
    ? markup`<p class="note">Counted among ${grouped(seen)} of ${grouped(records)} error records, from parts drawn by the plan’s seed. All of them: <code>uturn records ${run} --status error</code>.</p>`
    : null
}
${parked.length === 0 ? null : parkedTable(parked)}`;
}

function kindTable(kinds: FailureKind[]): Markup {
  return plainTable({
    name: 'Kinds of errors',
    kind: 'kinds',
    head: [
      { name: 'Model', kind: 'text' },
      { name: 'At', kind: 'text' },
      { name: 'Kind', kind: 'text' },
      { name: 'Records', kind: 'number' },
      { name: 'For example', kind: 'text' },
    ],
    rows: kinds.map(({ model, stage, kind, count, example }) => ({
      about: { model },
      fields: [
        markup`<bdi>${model}</bdi>`,
        words(stage),
        markup`<code>${kind}</code>`,
        grouped(count),
        exampleText(example),
      ],
    })),
  });
}

function exampleText({ data, temperature, item, message }: FailureKind['example']): Markup {
  return markup`<span class="message"><bdi>${item}</bdi> <span class="share">of <bdi>${data}</bdi>, <i>T</i> = ${temperature}</span><br>${messageText(message)}</span>`;
}

function parkedTable(parked: ParkedTrees[]): Markup {
  return markup`<h3>Waiting to be resumed</h3>
${plainTable({
  name: 'Parked shards',
  kind: 'kinds',
  head: [
    { name: 'Model', kind: 'text' },
    { name: 'Data', kind: 'text' },
    temperature,
    { name: 'Shards', kind: 'number' },
    { name: 'What they met last', kind: 'text' },
  ],
  rows: parked.map(({ model, data, temperature, trees, reason }) => ({
    about: { model, data, temperature },
    fields: [
      markup`<bdi>${model}</bdi>`,
      markup`<bdi>${data}</bdi>`,
      temperature,
      grouped(trees),
      markup`<span class="message">${messageText(reason)}</span>`,
    ],
  })),
})}`;
}

function messageText(message: string | null): Markup {
  if (message === null) return markup`<span class="share">withheld: private data</span>`;
  return markup`<bdi>${cut(message)}</bdi>`;
}

/** Characters of a message: enough to know it by. */
const longest = 400;

function cut(message: string): string {
  return message.length > longest ? `${message.slice(0, longest)}…` : message;
}
