// What a cell's records took: tokens of its judge, and money by the prices its run was started with.
import type { Judging } from './facts.ts';
import type { Prices } from './plan/estimate.ts';
import type { Usage } from './records/record.ts';
import type { Cell, Cost, Summary } from './summary.ts';

/** `judge`: null where no model judges. Prices are null where the config named none. */
export type Spenders = { model: Prices | null; judge: { prices: Prices | null } | null };

/** The cell with what it took. `judged`: by its judges. Nothing is added where no model judges and no price is known. */
export function withCost(cell: Cell, of: Spenders, judged: Judging): Cell {
  const judging = of.judge === null ? null : judged;
  const usd: Cost = {
    generation: costOf(cell.tokens, of.model),
    judging: judging === null || of.judge === null ? null : costOf(judging, of.judge.prices),
  };
  const known = usd.generation !== null || usd.judging !== null;
  return { ...cell, ...(judging !== null && { judging }), ...(known && { usd }) };
}

/** What cells share, such as the judgements of people's turns: in the total once, and in no cell. */
export type Shared = { judged: Judging[]; judge: Spenders['judge'] };

/** Sums over cells, and over what they share; money is null where no cell has any. */
export function totalCost(
  cells: Cell[],
  shared: Shared = { judged: [], judge: null },
): Omit<Summary['totals'], 'prompt_tokens' | 'completion_tokens' | 'errors'> {
  const judging = [...shared.judged, ...cells.flatMap((cell) => (cell.judging === undefined ? [] : [cell.judging]))];
  const ofCells = money(cells, 'judging');
  const ofShared = sum(shared.judged.map((usage) => costOf(usage, shared.judge?.prices ?? null) ?? 0));
  return {
    judge_prompt_tokens: sum(judging.map(({ prompt }) => prompt)),
    judge_completion_tokens: sum(judging.map(({ completion }) => completion)),
    judge_uncounted: sum(judging.map(({ uncounted }) => uncounted)),
    usd_generation: money(cells, 'generation'),
    usd_judging: ofCells === null ? null : ofCells + ofShared,
  };
}

function costOf({ prompt, completion }: Usage, prices: Prices | null): number | null {
  return prices === null ? null : (prompt * prices.prompt + completion * prices.completion) / 1e6;
}

function money(cells: Cell[], what: keyof Cost): number | null {
  const known = cells.flatMap(({ usd }) => (usd === undefined || usd[what] === null ? [] : [usd[what]]));
  return known.length === 0 ? null : sum(known);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
