// Whether a family of cells became worse than it was: pass, fail, or no answer yet.
import { adjusted } from './adjusted.ts';
import type { Resampling } from './bootstrap.ts';
import { detectable } from './detectable.ts';
import { type Paired, type PairedItem, paired } from './paired.ts';

/**
 * `alpha`: the share of false alarms that is put up with, two-sided; intervals have the level 1 − alpha. `at_least`: the smallest
 * drop that matters, as a share. `power`: the chance with which a drop is to be found that is named as detectable.
 */
export type Gate = { alpha: number; power: number; at_least: number };

/** Where nobody says another. */
export const usualGate: Gate = { alpha: 0.05, power: 0.8, at_least: 0.05 };

export type Verdict = 'pass' | 'fail' | 'inconclusive';

/**
 * Why: `dropped` (fail) · `drop_excluded` (pass) · inconclusive: `nothing_to_compare`; `too_few`, no drop of any size could
 * fail; `maybe_chance`, a drop that would matter was measured and may be chance; `drop_not_excluded`, what was measured does
 * not matter, and what is not excluded would.
 */
export type Reason =
  | 'dropped'
  | 'drop_excluded'
  | 'nothing_to_compare'
  | 'too_few'
  | 'maybe_chance'
  | 'drop_not_excluded';

export type CellVerdict = Paired & {
  verdict: Verdict;
  reason: Reason;
  /** Over the family, after Benjamini and Hochberg. */
  p_adjusted: number | null;
  /** The smallest drop that would fail with the gate's power, were this the only cell to drop; null where none would. */
  detectable: number | null;
};

/**
 * A cell fails where its drop is no chance (adjusted p ≤ alpha) and measures `at_least` or more. It passes where its interval
 * excludes a drop of `at_least` or more, be it worse by less or not. In the same order as the family.
 */
export function verdicts(family: PairedItem[][], gate: Gate, how: Resampling): CellVerdict[] {
  checked(gate);
  const cells = family.map((items) => paired(items, { level: 1 - gate.alpha, ...how }));
  const ps = adjusted(cells.map(({ p }) => p));
  const alpha = gate.alpha / Math.max(1, cells.filter(({ p }) => p !== null).length);
  return cells.map((cell, at): CellVerdict => {
    const design = { items: cell.items, samples: cell.samples, churn: cell.variance ?? 0, alpha };
    const found = { ...cell, p_adjusted: ps[at] ?? null, detectable: detectable({ ...gate, ...design }) };
    const reason = reasonOf(found, gate);
    return { verdict: verdictOf(reason), reason, ...found };
  });
}

/** Of all cells: fail where one fails, pass where all pass. No cells are inconclusive. */
export function overall(verdicts: Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.length > 0 && verdicts.every((one) => one === 'pass') ? 'pass' : 'inconclusive';
}

function reasonOf(cell: Omit<CellVerdict, 'verdict' | 'reason'>, { alpha, at_least }: Gate): Reason {
  const { difference, low, p_adjusted } = cell;
  if (difference === null || low === null || p_adjusted === null) return 'nothing_to_compare';
  const matters = difference <= -at_least;
  if (matters && p_adjusted <= alpha) return 'dropped';
  if (low > -at_least) return 'drop_excluded';
  if (cell.detectable === null) return 'too_few';
  return matters ? 'maybe_chance' : 'drop_not_excluded';
}

function verdictOf(reason: Reason): Verdict {
  if (reason === 'dropped') return 'fail';
  return reason === 'drop_excluded' ? 'pass' : 'inconclusive';
}

function checked({ alpha, power, at_least }: Gate): void {
  const isShare = (one: number) => one > 0 && one < 1;
  if (!isShare(alpha) || !isShare(power) || !(at_least > 0 && at_least <= 1))
    throw new RangeError(
      `alpha ${alpha}, power ${power} and at_least ${at_least} are no gate: each lies between 0 and 1`,
    );
}
