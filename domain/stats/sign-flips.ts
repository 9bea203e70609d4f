// A test of paired differences: where nothing changed but by chance, what an item had before and what it has after could
// as well be the other way round, so each difference could have either sign (R. A. Fisher, The Design of Experiments,
// 1935, §21). All 2ⁿ choices of signs are counted, as a distribution of sums that grows by one item after the other.
// With differences of −1, 0 and 1 this is the exact test of McNemar.
import { cumulative } from './normal.ts';

/** Steps that all sizes together may have, and differences from which on they are many. */
const finest = 2 ** 15;
const many = 2 ** 12;

/**
 * Two-sided p-value of differences, each a multiple of `unit`: the share of all choices of signs whose sum is as far from 0
 * as theirs, or farther. No difference: 1. Never 0.
 * Where the unit is too fine to count in, differences are rounded to 32,768ths of their sum; more than 4,096 of them are
 * so many that their sum is taken for normal.
 */
export function signFlips(differences: number[], unit: number): number {
  const sizes = differences.map(Math.abs);
  const total = sum(sizes);
  if (total === 0) return 1;
  if (sizes.filter((size) => size > 0).length > many) return normally(differences);

  const step = Math.max(unit, total / finest);
  const steps = sizes.map((size) => Math.round(size / step));
  const observed = Math.abs(sum(steps.map((size, at) => size * Math.sign(differences[at] ?? 0))));
  const chances = distribution(steps.filter((size) => size > 0));
  const most = chances.length - 1;
  let tail = 0;
  for (let plus = 0; most - 2 * plus >= observed; plus++) tail += chances[plus] ?? 0;
  return observed === 0 ? 1 : Math.min(1, Math.max(2 * tail, Number.MIN_VALUE));
}

/** Chances of how many steps have the sign plus. */
function distribution(steps: number[]): Float64Array {
  const chances = new Float64Array(sum(steps) + 1);
  chances[0] = 1;
  let reach = 0;
  for (const step of steps) {
    for (let plus = reach; plus >= 0; plus--) {
      const half = (chances[plus] ?? 0) / 2;
      chances[plus] = half;
      chances[plus + step] = (chances[plus + step] ?? 0) + half;
    }
    reach += step;
  }
  return chances;
}

function normally(differences: number[]): number {
  const deviation = Math.sqrt(sum(differences.map((one) => one * one)));
  return Math.max(2 * cumulative(-Math.abs(sum(differences)) / deviation), Number.MIN_VALUE);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
