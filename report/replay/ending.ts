// What records say held against what their run said when it ended.
import { readEnding } from '../../activities/run/documents.ts';
import { documentText, latestBytes } from '../../activities/store/runs.ts';
import type { Store } from '../../activities/store/store.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import { type Difference, differences } from './differences.ts';

/** `file`: of the store. `cell`: whose field it is, null of the run as a whole. Equal is equal byte for byte. */
export type EndingCompared = { file: string; bytes: number; equal: boolean; differences: CellDifference[] };
export type CellDifference = Difference & { cell: Pick<Cell, 'model' | 'data' | 'temperature'> | null };

/**
 * The same of the cells that are there, where some data sets are not: their values, not their bytes. Totals and what ends say of the whole
 * cannot be made.
 */
export async function compareCells(
  store: Store,
  summary: Summary,
  without: ReadonlySet<string>,
): Promise<EndingCompared | null> {
  const [ending, stored] = [await readEnding(store, summary.run), await latestBytes(store, placeOf(summary))];
  if (ending === null || stored === null) return null;
  const cells = ending.summary.cells.filter(({ data }) => !without.has(data));
  const made = JSON.parse(documentText(summary.cells)) as Cell[];
  const found = differences({ summary: { cells } }, { summary: { cells: made } });
  const compared = found.map((one) => placed(one, [cells, made]));
  return { file: stored.path, bytes: stored.bytes.byteLength, equal: found.length === 0, differences: compared };
}

/** Null where the run has not ended. @throws ConfigProblem  what it wrote at its end cannot be read */
export async function compareEnding(store: Store, summary: Summary): Promise<EndingCompared | null> {
  const [ending, stored] = [await readEnding(store, summary.run), await latestBytes(store, placeOf(summary))];
  if (ending === null || stored === null) return null;
  const end = { ...ending.end, samples: summary.samples, errors: summary.totals.errors };
  const made = documentText({ end, summary });
  const equal = Buffer.from(made).equals(stored.bytes);
  const found = equal ? [] : differences(JSON.parse(new TextDecoder().decode(stored.bytes)), JSON.parse(made));
  const cells = [ending.summary.cells, summary.cells];
  return {
    file: stored.path,
    bytes: stored.bytes.byteLength,
    equal,
    differences: found.map((one) => placed(one, cells)),
  };
}

function placeOf({ run }: Summary) {
  return { run, name: 'ends' };
}

function placed({ field, ...values }: Difference, cells: Cell[][]): CellDifference {
  const [, at = '', name = ''] = /^summary\.cells\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const cell = at === '' ? undefined : cells.map((ones) => ones[Number(at)]).find((one) => one !== undefined);
  if (cell === undefined) return { cell: null, field, ...values };
  const { model, data, temperature } = cell;
  return { cell: { model, data, temperature }, field: name, ...values };
}
