// Comma-separated values (RFC 4180): fields in quotes may hold commas, line ends and doubled quotes.

/** `line`: where the row begins, counted from 1. */
export type CsvRow = { line: number; fields: string[] };

/** What separates the columns of a first line that names this one, where it is no comma. */
export function otherSeparator(header: string, column: string): 'semicolons' | 'tabs' | null {
  const named = (separator: string) =>
    header.split(separator).some((name) => name.replaceAll('"', '').trim() === column);
  return named(';') ? 'semicolons' : named('\t') ? 'tabs' : null;
}

export type CsvFault = { line: number; message: string; advice: string };

/**
 * All rows that hold anything, up to the first fault. Lines end with LF or CRLF; a quote inside a field that does not
 * begin with one is a quote.
 */
export function parseCsv(text: string): { rows: CsvRow[]; fault: CsvFault | null } {
  const rows: CsvRow[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const row: CsvRow = { line, fields: [] };
    let more = true;
    while (more) {
      const field = fieldAt(text, at);
      if (field === null) return { rows, fault: { line, ...unclosed } };
      row.fields.push(field.value);
      line += field.feeds;
      at = field.end;
      more = text[at] === ',';
      if (more) at += 1;
    }
    const ending = lineEndAt(text, at);
    if (ending === null) return { rows, fault: { line, ...trailing } };
    if (row.fields.length > 1 || row.fields[0]?.trim() !== '') rows.push(row);
    at += ending;
    line += 1;
  }
  return { rows, fault: null };
}

const unclosed = {
  message: 'opens a quote that is never closed.',
  advice: 'A quote inside a field in quotes is written twice: "".',
};
const trailing = {
  message: 'goes on behind a closing quote.',
  advice: 'A field is in quotes as a whole, and a quote inside it is written twice: "".',
};

type Field = { value: string; end: number; feeds: number };

/** The field that begins here, the index behind it and its line feeds; null where its quote is never closed. */
function fieldAt(text: string, start: number): Field | null {
  if (text[start] !== '"') {
    plainEnd.lastIndex = start;
    const end = plainEnd.exec(text)?.index ?? text.length;
    return { value: text.slice(start, end), end, feeds: 0 };
  }
  const close = closingQuote(text, start + 1);
  if (close === null) return null;
  const value = text.slice(start + 1, close).replaceAll('""', '"');
  return { value, end: close + 1, feeds: value.split('\n').length - 1 };
}

const plainEnd = /,|\r?\n/g;

function closingQuote(text: string, from: number): number | null {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return null;
}

/** Characters of the line end that stands here, 0 at the end of the text, null where something else does. */
function lineEndAt(text: string, at: number): number | null {
  if (at === text.length) return 0;
  if (text[at] === '\n') return 1;
  return text.startsWith('\r\n', at) ? 2 : null;
}
