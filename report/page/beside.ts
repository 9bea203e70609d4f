// The paper's figures beside ours, where the cell is the same.
import type { Reference } from '../../domain/reference.ts';
import type { Summary } from '../../domain/summary.ts';
import { decimalsFor, grouped, intervalText, rateText } from '../numbers.ts';
import { type Beside, besidePublished, type Printed } from '../published.ts';
import { type Markup, markup, type Piece } from './markup.ts';
import { plainTable, type Row, temperature } from './table.ts';

export function besideSection({ cells, provenance }: Summary, reference: Reference | null): Markup | null {
  const rows = reference === null ? [] : besidePublished(cells, reference, provenance.data);
  if (reference === null || rows.length === 0) return null;
  const decimals = decimalsFor(cells);
  return markup`<section id="published" aria-labelledby="published-title">
<h2 id="published-title">Beside the paper</h2>
<p>These cells are also in <cite>${reference.paper}</cite>: the same model by name, data set and temperature, answers left as they are.
${counted(rows)}</p>
${plainTable({
  name: 'Our figures and the paper’s',
  kind: 'published',
  head: [
    { name: 'Model', kind: 'text' },
    { name: 'Data', kind: 'text' },
    temperature,
    { name: 'Rate', kind: 'text' },
    { name: 'Ours', kind: 'rate' },
    { name: 'Paper', kind: 'text' },
    { name: 'Difference', kind: 'number' },
  ],
  rows: rows.map((row) => line(row, decimals)),
})}
<p class="note">Differences are in percentage points, ours less theirs (the first, where several are printed); <b>bold</b> where the printed value lies outside our interval. The paper’s are
read from a copy without its tables, one printed figure at a time, each with its place; a † marks one that another place of the same
paper contradicts. Its judge, limits on tokens and weights may not be those of this run.</p>
</section>`;
}

function counted(rows: Beside[]): string {
  const comparable = rows.filter((row) => difference(row) !== null);
  if (comparable.length === 0) return '';
  const inside = comparable.filter((row) => !isOutside(row)).length;
  return `Within our 95 % intervals lie ${grouped(inside)} of ${grouped(comparable.length)} printed rates.`;
}

function line(row: Beside, decimals: number): Row {
  const { model, data, temperature, metric, ours, printed } = row;
  const apart = difference(row);
  return {
    about: { model, data, temperature },
    fields: [
      markup`<bdi>${model}</bdi>`,
      markup`<bdi>${data}</bdi>${asked(row)}`,
      temperature,
      metric === 'accuracy' ? 'right' : 'genuine',
      ours.value === null ? intervalText(ours, decimals) : rateText(ours, decimals),
      printed.map((one, at) => [at === 0 ? null : markup`<br>`, sourceText(one)]),
      apart === null ? '–' : isOutside(row) ? markup`<b>${apart}</b>` : apart,
    ],
  };
}

function asked({ items: { ours, theirs } }: Beside): Piece {
  return theirs === null || ours === theirs
    ? null
    : markup` <span class="share">${grouped(ours)} of ${grouped(theirs)} items</span>`;
}

function sourceText({ printed, source, disputed }: Printed): Markup {
  return markup`${printed}${disputed ? '†' : ''} <span class="share">${source}</span>`;
}

/** Against the first printed value, since sources that agree print the same. */
function difference({ ours, printed }: Beside): string | null {
  const value = printed.find((one) => one.value !== null)?.value ?? null;
  if (ours.value === null || value === null) return null;
  const points = (ours.value - value) * 100;
  const shown = Math.abs(points).toFixed(1);
  return shown === '0.0' ? '0.0' : `${points < 0 ? '−' : '+'}${shown}`;
}

function isOutside({ ours, printed }: Beside): boolean {
  const value = printed.find((one) => one.value !== null)?.value ?? null;
  if (value === null || ours.low === null || ours.high === null) return false;
  // A printed value has one decimal.
  return value < ours.low - 0.0005 || value > ours.high + 0.0005;
}
