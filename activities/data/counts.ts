// How many items the published sets have. Another count is no fault: the file may be a part, on purpose.
import type { AdapterName } from '../../domain/spec/data.ts';

const published: Partial<Record<AdapterName, number>> = {
  ifeval: 541,
  ifbench: 300,
  'gpqa-main': 448,
  'gpqa-diamond': 198,
};

/** A sentence where a file holds another number of items than the set has. */
export function countNote({ adapter, shown }: { adapter: AdapterName; shown: string }, count: number): string[] {
  const all = published[adapter];
  if (all === undefined || all === count) return [];
  return [`${shown} holds ${count} items; ${adapter} as published has ${all}.`];
}
