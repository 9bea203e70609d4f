// Choices that narrow the page: a select for each field in which its parts differ. The script shows what matches.
import { words } from './labels.ts';
import { type Markup, markup, type Piece } from './markup.ts';

export type Field = { field: string; name: string; values: string[] };

/** Null where there is nothing to choose from and nothing else is asked for. */
export function filterBar(name: string, fields: Field[], more: Piece = null): Markup | null {
  const choices = fields.map(choice).filter((one) => one !== null);
  if (choices.length === 0 && more === null) return null;
  return markup`<div class="filters" role="search" aria-label="${name}">
${choices}
${more}
</div>`;
}

function choice({ field, name, values }: Field): Markup | null {
  const distinct = [...new Set(values)];
  if (distinct.length < 2) return null;
  return markup`<label>${name} <select data-filter="${field}" autocomplete="off"><option value="">all</option>${distinct.map(
    (value) => markup`<option value="${value}">${words(value)}</option>`,
  )}</select></label>`;
}
