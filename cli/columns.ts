// Rows as aligned text: what the commands that look print on a terminal.
import { oneLine } from '../report/escape.ts';
import { displayWidth, pad } from '../report/width.ts';

export type Align = 'left' | 'right';

/** A header and its rows, two spaces between columns. What is in a cell is shown on one line and never interpreted. */
export function columns(headers: string[], rows: string[][], aligns: Align[] = []): string {
  const lines = [headers, ...rows].map((row) => row.map(oneLine));
  const widths = headers.map((_, column) => Math.max(...lines.map((row) => displayWidth(row[column] ?? ''))));
  const line = (row: string[]) => row.map((text, column) => pad(text, widths[column] ?? 0, aligns[column] ?? 'left'));
  return lines.map((row) => `${line(row).join('  ').trimEnd()}\n`).join('');
}
