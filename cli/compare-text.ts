// What `uturn compare` prints for people.

import type { Measure } from '../domain/pairing.ts';
import type { Gate } from '../domain/stats/verdict.ts';
import type { ComparedCell, Comparison } from '../report/compare.ts';
import type { CellName } from '../report/compare-cells.ts';
import type { ToldFlip, ToldSide } from '../report/compare-flips.ts';
import { oneLine, pictured } from '../report/escape.ts';
import { percent } from '../report/numbers.ts';
import { cut } from '../report/width.ts';
import { type Align, columns } from './columns.ts';

const titles: Record<Measure, string> = { accuracy: 'Answers right', follow_up: 'Genuine follow-ups' };

/** `verdicts`: whether each cell's is shown. */
export type TextOptions = { width: number; verdicts: 'shown' | 'hidden' };

/** Every piece ends its line. */
export function* comparisonText(found: Comparison, opts: TextOptions): Generator<string> {
  const { before, after, gate } = found;
  yield `before  ${oneLine(before.run)}${standing(before.ended)}\nafter   ${oneLine(after.run)}${standing(after.ended)}\n`;
  yield* cellsText(found.cells, gate, opts);
  yield* notInBoth(found);
  yield* planText(found, opts.width);
}

/** The tables alone. */
export function* cellsText(all: ComparedCell[], gate: Gate, opts: Pick<TextOptions, 'verdicts'>): Generator<string> {
  for (const measure of ['accuracy', 'follow_up'] as const) {
    const cells = all.filter((cell) => cell.measure === measure);
    if (cells.length > 0) yield `\n${titles[measure]}\n${table(cells, opts)}${leftOut(cells)}`;
  }
  const level = percent(1 - gate.alpha, 0);
  yield `\nBrackets: ${level} % intervals. adj. p: over all ${all.length} rows. h: effect size.\n`;
  yield `detectable: the smallest drop that would be found with a power of ${percent(gate.power, 0)} %; –: none would be.\n`;
}

function standing(ended: string | null): string {
  if (ended === 'complete') return '';
  return ended === null ? '  (has not ended)' : `  (${ended})`;
}

type Column = { name: string; align: Align; text(cell: ComparedCell): string };

const always: Column[] = [
  { name: 'model', align: 'left', text: ({ model }) => model },
  { name: 'data', align: 'left', text: ({ data }) => data },
  { name: 'T', align: 'right', text: ({ temperature }) => String(temperature) },
  { name: 'pairs', align: 'right', text: ({ samples }) => String(samples) },
  { name: 'before', align: 'right', text: ({ before }) => share(before) },
  { name: 'after', align: 'right', text: ({ after }) => share(after) },
  { name: 'change', align: 'right', text: changeText },
  { name: 'p', align: 'right', text: ({ p }) => chance(p) },
  { name: 'adj. p', align: 'right', text: ({ p_adjusted }) => chance(p_adjusted) },
  { name: 'h', align: 'right', text: ({ effect }) => (effect === null ? '–' : signed(effect, 2)) },
  { name: 'lost', align: 'right', text: ({ lost }) => String(lost) },
  { name: 'gained', align: 'right', text: ({ gained }) => String(gained) },
  { name: 'detectable', align: 'right', text: ({ detectable }) => share(detectable) },
];

const verdict: Column = {
  name: 'verdict',
  align: 'left',
  text: (cell) => `${cell.verdict}: ${cell.reason.replaceAll('_', ' ')}`,
};

function table(cells: ComparedCell[], { verdicts }: Pick<TextOptions, 'verdicts'>): string {
  const shown = verdicts === 'shown' ? [...always, verdict] : always;
  return columns(
    shown.map(({ name }) => name),
    cells.map((cell) => shown.map(({ text }) => text(cell))),
    shown.map(({ align }) => align),
  );
}

function share(value: number | null): string {
  return value === null ? '–' : `${percent(value, 1)} %`;
}

/** In points. */
function changeText({ difference, low, high }: ComparedCell): string {
  if (difference === null || low === null || high === null) return '–';
  return `${signed(100 * difference, 1)} [${signed(100 * low, 1)}, ${signed(100 * high, 1)}]`;
}

function signed(value: number, decimals: number): string {
  const digits = Math.abs(value).toFixed(decimals);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '−' : '+'}${digits}`;
}

function chance(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

const compared = new Set(['right', 'wrong', 'unscored', 'truncated', 'genuine', 'not_genuine']);

/** Which samples are in no pair, and what they are on either side. */
function leftOut(cells: ComparedCell[]): string {
  const left = cells.reduce((sum, cell) => sum + cell.left_out, 0);
  if (left === 0) return '';
  const count = (side: 'before' | 'after', fate: string) =>
    cells.reduce((sum, { fates }) => sum + (Object.entries(fates[side]).find(([name]) => name === fate)?.[1] ?? 0), 0);
  const names = cells.flatMap(({ fates }) => [...Object.keys(fates.before), ...Object.keys(fates.after)]);
  const why = [...new Set(names)]
    .filter((fate) => !compared.has(fate))
    .map((fate) => `${fate.replace('_', ' ')} ${count('before', fate)}/${count('after', fate)}`);
  return `${left} ${left === 1 ? 'pair is' : 'pairs are'} left out; before/after: ${why.join(', ')}.\n`;
}

function* notInBoth({ before, after, only, items }: Comparison): Generator<string> {
  const named = (cells: CellName[]) =>
    oneLine(cells.map(({ model, data, temperature }) => `${model} × ${data} × ${temperature}`).join(', '));
  if (only.before.length > 0) yield `Only in ${oneLine(before.run)}: ${named(only.before)}\n`;
  if (only.after.length > 0) yield `Only in ${oneLine(after.run)}: ${named(only.after)}\n`;
  for (const { data, same, changed, only_before, only_after } of items) {
    const others = changed.length + only_before.length + only_after.length;
    if (others === 0) continue;
    const why = `${changed.length} changed, ${only_before.length} only before, ${only_after.length} only after`;
    yield `${oneLine(`${data}: ${same} items are the same in both; ${why}`)}\n`;
  }
}

function* planText({ plans }: Comparison, width: number): Generator<string> {
  if (plans.length === 0) {
    yield '\nThe plans are the same.\n';
    return;
  }
  yield '\nWhat the plans ask differently\n';
  for (const one of plans) {
    const before = 'before' in one ? valueText(one.before) : 'nothing';
    const after = 'after' in one ? valueText(one.after) : 'nothing';
    yield `  ${cut(oneLine(`${one.field}: ${before} → ${after}`), width - 2)}\n`;
  }
}

/** Of digests the start, which tells two of them apart. */
function valueText(value: unknown): string {
  return JSON.stringify(value).replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, '$1…');
}

/** What flipped, to read: both user turns, or both answers. */
export async function* flipsText(flips: AsyncIterable<ToldFlip>): AsyncGenerator<string> {
  let heading: string | null = null;
  for await (const { model, data, temperature, measure, item, sample, before, after } of flips) {
    const now = oneLine(`${titles[measure]} · ${data} · ${model} · T ${temperature}`);
    if (now !== heading) yield `\n${now}\n`;
    heading = now;
    yield `  ${oneLine(item)} · sample ${sample}: ${sideText(before)} → ${sideText(after)}\n`;
    yield `    before: ${said(before)}\n    after:  ${said(after)}\n`;
  }
}

function sideText({ fate, why }: ToldSide): string {
  return oneLine(`${fate.replace('_', ' ')}${why === null ? '' : ` (${why})`}`);
}

function said({ text, sha256 }: ToldSide): string {
  if (sha256 !== undefined) return `private, SHA-256 ${sha256}`;
  if (text === null) return 'nothing is there';
  return text.trim() === '' ? '(empty)' : pictured(text).replaceAll('\n', '\n            ');
}
