// A perturbation's conditions as a table in the terminal: each beside base, with what it changes.
import type { ConditionCell } from '../domain/summary.ts';
import { oneLine } from './escape.ts';
import { decimalsFor, followUpText, grouped, percent, rateText } from './numbers.ts';
import { displayWidth, pad } from './width.ts';

const headers = ['model', 'data', 'T', 'condition', 'n', 'genuine follow-ups', 'against base', 'changed', 'flipped'];
const right = ['T', 'n', 'genuine follow-ups', 'against base', 'changed', 'flipped'];

export function conditionsTable(cells: ConditionCell[]): string {
  const decimals = decimalsFor(cells);
  const cuts = cells.some(({ emptied }) => emptied !== undefined);
  const names = [...headers, ...(cuts ? ['emptied'] : [])];
  const rows = cells.map((cell) => [
    oneLine(cell.model),
    oneLine(cell.data),
    String(cell.temperature),
    cell.condition,
    grouped(cell.samples),
    followUpText(cell.follow_up, decimals),
    differenceText(cell, decimals),
    cell.changed === undefined ? '' : rateText(cell.changed, decimals),
    cell.flipped === undefined ? '' : rateText(cell.flipped, decimals),
    ...(cuts ? [cell.emptied === undefined ? '' : grouped(cell.emptied)] : []),
  ]);
  const lines = [names, ...rows];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => displayWidth(line[column] ?? ''))));
  const text = lines.map((line) =>
    line
      .map((word, column) => pad(word, widths[column] ?? 0, right.includes(names[column] ?? '') ? 'right' : 'left'))
      .join('  ')
      .trimEnd(),
  );
  return [...text, '', ...notes(cells), ''].join('\n');
}

/** `+4.1 [−1.0, 9.3]`, in percentage points of pairs that are decided on both sides. */
export function differenceText({ genuine }: ConditionCell, decimals: number): string {
  if (genuine === undefined) return '';
  const { difference, low, high } = genuine;
  if (difference === null || low === null || high === null) return '–';
  return `${points(difference, decimals)} [${points(low, decimals)}, ${points(high, decimals)}]`;
}

function points(share: number, decimals: number): string {
  const size = percent(Math.abs(share), decimals);
  return share < 0 ? `−${size}` : share > 0 ? `+${size}` : size;
}

function notes(cells: ConditionCell[]): string[] {
  const undecided = cells.reduce((sum, cell) => sum + (cell.undecided ?? 0), 0);
  const again = cells.some(({ condition }) => condition === 'again');
  return [
    'Against base, of the same answers: percentage points of genuine follow-ups; changed: user turns with another text; flipped: with another decision.',
    ...(undecided === 0
      ? []
      : [`${grouped(undecided)} pairs are undecided on one side, and in neither "against base" nor "flipped".`]),
    ...(again ? ['"again" is base once more, by other seeds: what it changes is chance.'] : []),
  ];
}
