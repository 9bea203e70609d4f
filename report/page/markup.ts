// HTML that is safe by construction: whatever is put into a template is escaped, unless it is markup itself.
import { html } from '../escape.ts';

export type Markup = { readonly markup: string };

export type Piece = Markup | string | number | null | Piece[];

/** Strings are escaped (quote attributes!), lists joined, null is nothing. */
export function markup(parts: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return { markup: parts.map((part, at) => part + (at < pieces.length ? textOf(pieces[at] ?? null) : '')).join('') };
}

/** Text of ours that is markup already. Never for anything that came from outside. */
export function trusted(text: string): Markup {
  return { markup: text };
}

function textOf(piece: Piece): string {
  if (piece === null) return '';
  if (typeof piece === 'string') return html(piece);
  if (typeof piece === 'number') return String(piece);
  return Array.isArray(piece) ? piece.map(textOf).join('') : piece.markup;
}

/** What is read of markup: its text, without tags. */
export function plain({ markup }: Markup): string {
  const text = markup
    .replace(/<\/p>\s*/g, '\u0000')
    .replace(/\n/g, ' ')
    .replaceAll('\u0000', '\n')
    .replace(/<[^>]*>/g, '');
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => meant[entity] ?? entity);
}

const meant: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
