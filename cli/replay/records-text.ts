// What replaying from records found, in sentences.
import { oneLine } from '../../report/escape.ts';
import { grouped } from '../../report/numbers.ts';
import type { Checked, Fault } from '../../report/replay/checked.ts';
import type { CellDifference, EndingCompared } from '../../report/replay/ending.ts';
import { leftOut } from '../withheld.ts';
import { counted, megabytes } from '../words.ts';
import type { FileCompared } from './against.ts';
import type { RecordsReplay } from './records.ts';

/** Of many only the first are shown; `--json` has all. */
const most = 20;

export function recordsText({ run, withheld, checked, ending, files }: RecordsReplay): string {
  const lines = [readText(checked)];
  lines.push(...some(checked.faults.map(faultText)));
  if (checked.faults.length > 0) {
    lines.push('Nothing was made of records that are not what they were. Restore them from a copy of the store.');
    return `${lines.join('\n')}\n`;
  }
  if (files === null) lines.push(...partText(run, ending, withheld));
  else lines.push(...endingText(run, ending), ...filesText(files));
  return `${lines.join('\n')}\n`;
}

function readText({ records, parts, blobs, bytes, faults }: Checked): string {
  const read = `${grouped(records)} records in ${counted(parts, 'part')} and ${counted(blobs, 'blob')} were read, ${megabytes(bytes)}`;
  return faults.length === 0
    ? `${read}: every record is what was hashed when it was made.`
    : `${read}: ${counted(faults.length, 'fault')}.`;
}

function faultText({ path, record, item, sample, what }: Fault): string {
  const which = record === null ? '' : ` record ${record}`;
  const whose = item === null ? '' : ` (item ${oneLine(item)}, sample ${sample})`;
  return `  ${path}${which}${whose}: ${what}`;
}

/** Of an imported run that lacks private data. */
function partText(run: string, ending: EndingCompared | null, withheld: string[]): string[] {
  const without = `${leftOut(withheld)} So there are no totals and no files.`;
  if (ending === null) return [without];
  if (!ending.equal) return [...endingText(run, ending), without];
  return [`The other cells made from them are those of ${ending.file}, field by field.`, without];
}

function endingText(run: string, ending: EndingCompared | null): string[] {
  if (ending === null) return [`${run} has not ended: there is no summary to hold this one against.`];
  if (ending.equal)
    return [`The summary made from them is that of ${ending.file}, byte for byte (${grouped(ending.bytes)} bytes).`];
  const head = `The summary made from them is not that of ${ending.file}:`;
  const found = ending.differences.map(differenceText);
  return [head, ...(found.length > 0 ? some(found) : ['  the same fields and values, written otherwise'])];
}

function differenceText({ cell, field, ...values }: CellDifference): string {
  const whose = cell === null ? '' : `${oneLine(`${cell.model} · ${cell.data} · T ${cell.temperature}`)}: `;
  return `  ${whose}${field} was ${valueText('there' in values, values.there)}, and is ${valueText('made' in values, values.made)} by the records`;
}

function valueText(isThere: boolean, value: unknown): string {
  return isThere ? short(JSON.stringify(value)) : 'not there';
}

function filesText({ files, others, against }: NonNullable<RecordsReplay['files']>): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const made = `${counted(files.length, 'file')} of a report`;
  if (against === null)
    return [`${made} were made (${megabytes(bytes)}), and held against nothing: --against <folder> does that.`];
  const unlike = files.filter((file) => file.equal === false);
  if (unlike.length === 0) return [`${made} are those in ${against}, byte for byte.`, ...othersText(others, against)];
  return [
    `${unlike.length} of ${made} are not those in ${against}:`,
    ...some(unlike.map(fileText)),
    ...othersText(others, against),
  ];
}

function fileText({ path, missing, first }: FileCompared): string {
  if (missing) return `  ${path} is not there`;
  if (first === undefined) return `  ${path} differs in bytes that are no text`;
  const there = first.there === null ? 'has ended' : short(first.there);
  const made = first.made === null ? 'have nothing more' : `say ${short(first.made)}`;
  return `  ${path} line ${first.line}: there it ${first.there === null ? there : `is ${there}`}; the records ${made}`;
}

function othersText(others: string[], against: string): string[] {
  return others.length === 0
    ? []
    : [`${against} holds what no report of this run has: ${others.slice(0, 5).map(oneLine).join(', ')}`];
}

function some(lines: string[]): string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `  and ${lines.length - most} more`];
}

function short(text: string | undefined): string {
  const line = oneLine(text ?? '');
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
