// How long completions will be and how fast they come, by the records that are most like them.
import { isEnough, meanTokens, type Observed, type Speed, speedOf, together } from '../domain/plan/observed.ts';
import type { Stage } from '../domain/records/record.ts';
import type { SeenAt } from './earlier.ts';

/** Tokens of one turn, or of a judge's reply. `from`: the mean of `turns` in the store; assumed where there are too few, of a turn half of its limit. */
export type Length = { tokens: number; from: 'store' | 'assumed'; turns: number };

export type Place = { data: string; temperature: number; stage: Stage };

/** `by`: the records it is the mean of. */
export type CellLength = { tokens: number; from: Length['from']; by: SeenAt[] };

/** By what is most like a place, of what there is enough of: its cell, its data, or its model. Never above the limit. */
export function lengthAt(all: SeenAt[], at: Place, cap: number): CellLength {
  const stage = all.filter((one) => one.stage === at.stage);
  const data = stage.filter((one) => one.data === at.data);
  const cell = data.filter((one) => one.temperature === at.temperature);
  const by = [cell, data, stage].find((some) => isEnough(sumOf(some)));
  if (by === undefined) return { tokens: cap / 2, from: 'assumed', by: stage };
  return { tokens: Math.min(cap, meanTokens(sumOf(by))), from: 'store', by };
}

/** Of all requests of a stage that were seen; null where they are too few. */
export function speedAt(all: SeenAt[], stage: Stage): { speed: Speed | null; seen: Observed } {
  const seen = sumOf(all.filter((one) => one.stage === stage));
  return { speed: speedOf(seen), seen };
}

/** Lengths of several cells as one: their mean by calls, and `store` only where all of them are. */
export function lengthOfAll(cells: { length: CellLength; calls: number }[]): Length {
  const made = cells.some(({ calls }) => calls > 0) ? cells.filter(({ calls }) => calls > 0) : cells;
  const weight = made.reduce((sum, { calls }) => sum + Math.max(calls, 1), 0);
  const tokens = made.reduce((sum, { length, calls }) => sum + length.tokens * Math.max(calls, 1), 0);
  const known = made.every(({ length }) => length.from === 'store');
  return {
    tokens: weight === 0 ? 0 : tokens / weight,
    from: known && made.length > 0 ? 'store' : 'assumed',
    turns: sumOf([...new Set(made.flatMap(({ length }) => length.by))]).turns,
  };
}

function sumOf(some: SeenAt[]): Observed {
  return together(some.map(({ seen }) => seen));
}
