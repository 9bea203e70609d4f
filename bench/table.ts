// The results as a person reads them.
import { type Gate, type Resumed, type Row, settingOf } from './results.ts';

type Column = [head: string, cell: (row: Row) => string];

const columns: Column[] = [
  ['contestant', (row) => row.contestant],
  ['items', (row) => String(row.items)],
  ['samples/s', (row) => row.samples_per_s.toFixed(0)],
  ['from–to', (row) => `${row.slowest.toFixed(0)}–${row.fastest.toFixed(0)}`],
  ['workflow', (row) => row.workflow_samples_per_s?.toFixed(0) ?? '–'],
  ['whole run', (row) => row.whole_samples_per_s.toFixed(0)],
  ['CPU s/1000', (row) => row.cpu_s_per_1000.toFixed(2)],
  ['peak MB', (row) => row.peak_mb.toFixed(0)],
  ['events', (row) => (row.events === null ? '–' : `${row.events.total} (${row.events.most})`)],
  ['bytes/sample', (row) => row.bytes_per_sample?.toFixed(0) ?? '–'],
  ['noise', (row) => row.others_cores.toFixed(2)],
  ['served', (row) => String(row.served)],
  ['other calls', (row) => String(row.other_requests)],
];

export function tableOf(rows: Row[]): string {
  return [...Map.groupBy(rows, settingOf)].map(([setting, of]) => `${setting}\n${grid(of)}`).join('\n\n');
}

function grid(rows: Row[]): string {
  const cells = [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  const padded = (line: string[]) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return cells.map(padded).join('\n');
}

export function resumedText(resumed: Resumed[]): string {
  return resumed
    .map(
      ({ store, seconds, again }) =>
        `uturn-${store}: ${seconds.toFixed(1)} s after kill -9 it asked again, for ${again} samples a second time`,
    )
    .join('\n');
}

export function gatesText(title: string, gates: Gate[]): string {
  const lines = gates.map(
    ({ name, wanted, got, verdict }) => `  ${verdict.padEnd(12)}  ${name}: ${got}, wanted ${wanted}`,
  );
  return [title, ...lines].join('\n');
}

export function summaryLine(gates: Gate[], goals: Gate[]): string {
  const of = (list: Gate[], verdict: Gate['verdict']) => list.filter((one) => one.verdict === verdict).length;
  const said = (name: string, list: Gate[]) =>
    `${of(list, 'passed')} of ${list.length - of(list, 'not measured')} ${name}`;
  const open = of(gates, 'not measured');
  return `bench: ${said('gates', gates)} passed, ${said('goals', goals)} reached${open > 0 ? `; ${open} gates not measured` : ''}`;
}
