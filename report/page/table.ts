// Tables. On a phone each row becomes a card, so every field knows its column's name, and roles are said, which cards undo.
import type { Cell } from '../../domain/summary.ts';
import { type Markup, markup, type Piece } from './markup.ts';

export type Head = { name: Piece; kind: 'rate' | 'number' | 'status' | 'text'; card?: string };

/** What a row is about, for the filters. */
export type About = { model?: string; data?: string; temperature?: number };
export type Row = { about: About; fields: Piece[] };

export const temperature: Head = {
  name: markup`<abbr title="sampling temperature">T</abbr>`,
  kind: 'number',
  card: 'T',
};

/** The first field of each row is its header. */
export function plainTable({
  name,
  kind,
  head,
  rows,
}: {
  name: string;
  kind: string;
  head: Head[];
  rows: Row[];
}): Markup {
  return framed(
    name,
    markup`<table class="cards ${kind}" role="table">
${headRow(head)}
<tbody role="rowgroup">
${rows.map((row) => line(row, { head, kind: 'first' }))}</tbody>
</table>`,
  );
}

export type Column = Head & { show: (cell: Cell) => Piece };

/** A body for each data set, a row for each model and temperature, in the order of the cells. */
export function cellTable(
  cells: Cell[],
  { name, kind, columns }: { name: string; kind: string; columns: Column[] },
): Markup {
  const head: Head[] = [{ name: 'Model', kind: 'text' }, temperature, ...columns];
  const bodies = [...Map.groupBy(cells, ({ data }) => data)].map(([data, its]) => {
    const models = [...Map.groupBy(its, ({ model }) => model).values()];
    const rows = models.map((all) =>
      all
        .toSorted((a, b) => a.temperature - b.temperature)
        .map((cell, at) => {
          const { model, temperature } = cell;
          const fields = [markup`<bdi>${model}</bdi>`, temperature, ...columns.map(({ show }) => show(cell))];
          return line({ about: { model, temperature }, fields }, { head, kind: at === 0 ? 'first' : 'again' });
        }),
    );
    return markup`<tbody role="rowgroup" data-data="${data}">
<tr class="group" role="row"><th scope="rowgroup" role="rowheader" colspan="${head.length}"><span><bdi>${data}</bdi></span></th></tr>
${rows}</tbody>
`;
  });
  return framed(
    name,
    markup`<table class="cards cells ${kind}" role="table">
${headRow(head)}
${bodies}</table>`,
  );
}

/** In a place of its own that scrolls where the table is too wide. */
function framed(name: string, table: Markup): Markup {
  return markup`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
${table}
</div>`;
}

function headRow(head: Head[]): Markup {
  const cells = head.map(({ name, kind }) => markup`<th scope="col" role="columnheader" class="${kind}">${name}</th>`);
  return markup`<thead role="rowgroup"><tr role="row">${cells}</tr></thead>`;
}

function line({ about, fields }: Row, { head, kind }: { head: Head[]; kind: 'first' | 'again' }): Markup {
  const attributes = (['model', 'data', 'temperature'] as const).map((field) =>
    about[field] === undefined ? null : markup` data-${field}="${String(about[field])}"`,
  );
  const [first, ...others] = fields;
  return markup`<tr role="row" class="row ${kind}"${attributes}><th scope="row" role="rowheader" class="${head[0]?.kind ?? 'text'}">${first ?? null}</th>${others.map(
    (field, at) => {
      const {
        name,
        kind,
        card = typeof name === 'string' ? name : '',
      } = head[at + 1] ?? { name: '', kind: 'text' as const };
      return markup`<td role="cell" class="${kind}" data-name="${card}">${field}</td>`;
    },
  )}</tr>
`;
}
