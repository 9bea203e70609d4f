// Text of others in Markdown: on one line, and nothing in it is a mark.
import { oneLine } from '../escape.ts';

export function md(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>|~#&$]/g, '\\$&');
}

export type Align = 'left' | 'right';

/** A table of GitHub's Markdown. Fields are Markdown already. */
export function table(head: [name: string, align: Align][], rows: string[][]): string {
  const line = (fields: string[]) => `| ${fields.join(' | ')} |`;
  const ruler = head.map(([, align]) => (align === 'right' ? '---:' : '---'));
  return [line(head.map(([name]) => name)), line(ruler), ...rows.map(line)].join('\n');
}
