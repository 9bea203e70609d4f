// Cells of one model on one data set, by temperature: how the page puts them together.
import type { Cell } from '../../domain/summary.ts';

export type CellGroup = { model: string; data: string; cells: Cell[] };

/** In order of first appearance; temperatures ascend. */
export function groupsOf(cells: Cell[]): CellGroup[] {
  const groups = new Map<string, CellGroup>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.model, cell.data]);
    const group = groups.get(key) ?? { model: cell.model, data: cell.data, cells: [] };
    group.cells.push(cell);
    groups.set(key, group);
  }
  for (const group of groups.values()) group.cells.sort((a, b) => a.temperature - b.temperature);
  return [...groups.values()];
}
