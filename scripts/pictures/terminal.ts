// A recorded terminal as SVG: node scripts/pictures/terminal.ts '$ npm run quickstart' < typescript > docs/pictures/terminal.svg
// Record with: script -qec 'stty cols 100; npm run quickstart' typescript
import { readFileSync } from 'node:fs';

const column = 8.4;
const row = 20;
const pad = 18;
const rewritten = '\r\u001b[2K';
const colours = {
  plain: '#d5d9e0',
  bold: '#ffffff',
  dim: '#9aa3b2',
  yellow: '#e5c07b',
  red: '#f2777a',
  typed: '#8fd694',
} as const;
type Style = keyof typeof colours;
type Piece = { text: string; style: Style };

const sgr: Record<string, Style> = { '1': 'bold', '2': 'dim', '33': 'yellow', '31': 'red' };

/** A line's pieces: what the styles uturn uses (`util.styleText`) make of it. */
function pieces(line: string): Piece[] {
  const found: Piece[] = [];
  let style: Style = 'plain';
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    const code = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
    if (code !== undefined) style = sgr[code] ?? 'plain';
    else if (part !== '') found.push({ text: part, style });
  }
  return found;
}

/** A line that was rewritten in place shows a moment of it, and then what it came to. */
function moments(line: string): string[] {
  const states = line.split(rewritten).filter((state) => state !== '');
  const moment = states.length > 3 ? states[Math.floor(states.length * 0.7)] : undefined;
  return [...(moment === undefined ? [] : [`\u001b[2m${moment}`]), states.at(-1) ?? ''];
}

function escaped(text: string): string {
  // Plain spaces side by side would become one.
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0');
}

function drawn(line: Piece[], y: number): string {
  let at = 0;
  return line
    .map(({ text, style }) => {
      const [x, width] = [pad + at * column, text.length * column];
      at += text.length;
      if (text.trim() === '') return '';
      const weight = style === 'bold' ? ' font-weight="bold"' : '';
      return `<text x="${x.toFixed(1)}" y="${y}" textLength="${width.toFixed(1)}" fill="${colours[style]}"${weight}>${escaped(text)}</text>`;
    })
    .join('');
}

const recorded = readFileSync(0, 'utf8')
  .replaceAll('\r\n', '\n')
  .replace(/^Script (started|done).*\n?/gm, '')
  .trimEnd();
const typed: Piece[] = [{ text: process.argv[2] ?? '', style: 'typed' }];
const lines = [
  typed,
  ...recorded
    .replace(/\n{3,}/g, '\n\n')
    .split('\n')
    .flatMap(moments)
    .map(pieces),
];
const columns = Math.max(...lines.map((line) => line.reduce((sum, { text }) => sum + text.length, 0)));
const [width, height] = [Math.ceil(columns * column + 2 * pad), lines.length * row + 2 * pad - 6];

process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: ${escaped(process.argv[2] ?? '')}">
<rect width="100%" height="100%" rx="10" fill="#171a21"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${lines.map((line, index) => drawn(line, pad + index * row + 11)).join('\n')}
</g>
</svg>
`);
