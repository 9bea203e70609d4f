// How many items the published sets have. Another count is no fault: the file may be a part, on purpose.
import type { AdapterName } from '../../domain/spec/data.ts';

type Counts = Partial<Record<AdapterName, number>>;

const published: Counts = { ifeval: 541, ifbench: 300, 'gpqa-main': 448, 'gpqa-diamond': 198 };
/** How the paper chose its conversations is not known. */
const inThePaper: Counts = { healthbench: 1_470, coval: 100 };

/** A sentence where a file holds another number of items than the set has. */
export function countNote({ adapter, shown }: { adapter: AdapterName; shown: string }, count: number): string[] {
  const all = published[adapter] ?? inThePaper[adapter];
  if (all === undefined || all === count) return [];
  const where = adapter in published ? 'as published' : 'in the paper';
  return [`${shown} holds ${count} items; ${adapter} ${where} has ${all}.`];
}
