// Numbers as people read them: the same in the terminal and on the page, and on every machine (no locale).
import type { Rate } from '../domain/stats/rate.ts';
import type { Cell, FollowUp } from '../domain/summary.ts';

/** Decimals of a percentage: one says something only where there are a hundred cases or more. */
export function decimalsFor(cells: Cell[]): number {
  return cells.some((cell) => cell.samples >= 100) ? 1 : 0;
}

/** `61.3`, `61`. What is not quite none, or not quite all, is never rounded to it: `<1`, `>99`. */
export function percent(share: number, decimals: number): string {
  const step = 10 ** -decimals;
  const shown = (share * 100).toFixed(decimals);
  if (share > 0 && Number(shown) === 0) return `<${step.toFixed(decimals)}`;
  if (share < 1 && Number(shown) === 100) return `>${(100 - step).toFixed(decimals)}`;
  return share === 0 || share === 1 ? (share * 100).toFixed(0) : shown;
}

/** `61.3 % [58.6, 63.9]`; `–` where there is no rate. */
export function rateText(rate: Rate, decimals: number): string {
  if (rate.value === null) return '–';
  return `${percent(rate.value, decimals)} % ${intervalText(rate, decimals)}`;
}

/** `[58.6, 63.9]` */
export function intervalText(rate: Rate, decimals: number): string {
  if (rate.low === null || rate.high === null) return '–';
  return `[${percent(rate.low, decimals)}, ${percent(rate.high, decimals)}]`;
}

/**
 * A follow-up rate as one rate. While turns are undecided it has no value: only the interval from the lower end of
 * "none of them is genuine" to the upper end of "all are".
 */
export function followUpRate({ if_none, if_all, undecided, judged }: FollowUp): Rate {
  if (undecided === 0) return if_none;
  return { value: null, low: if_none.low, high: if_all.high, n: judged };
}

/** `12.0 %`, or the band `0–65 %`: without an interval, where there is little room. */
export function followUpShort({ if_none, if_all }: FollowUp, decimals: number): string {
  if (if_none.value === null || if_all.value === null) return '–';
  const ends = [percent(if_none.value, decimals), percent(if_all.value, decimals)];
  return `${[...new Set(ends)].join('–')} %`;
}

/** `12.0 % [9.1, 15.8]`, or the band `0–65 % [0, 71]` while turns are undecided. */
export function followUpText(followUp: FollowUp, decimals: number): string {
  const { if_none, if_all, undecided } = followUp;
  if (undecided === 0 || if_none.value === null || if_all.value === null) return rateText(if_none, decimals);
  const band = `${percent(if_none.value, decimals)}–${percent(if_all.value, decimals)} %`;
  return `${band} ${intervalText(followUpRate(followUp), decimals)}`;
}

/** Whole number with thin spaces between groups of three, from five digits on: `12 345`. */
export function grouped(count: number): string {
  const digits = String(count);
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
