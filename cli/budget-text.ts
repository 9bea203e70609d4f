// What a run may spend and has spent, in words.
import type { RunBudget } from '../activities/run/budget.ts';
import { type Amount, type Budget, limited, type Unit } from '../domain/plan/budget.ts';
import { dollars } from '../report/cost.ts';
import { grouped } from '../report/numbers.ts';

const words: Record<Unit, (spent: number, limit: number) => string> = {
  usd: (spent, limit) => `US$ ${dollars(spent)} of ${dollars(limit)}`,
  tokens: (spent, limit) => `${grouped(Math.round(spent))} of ${grouped(limit)} tokens`,
  gpu_hours: (spent, limit) => `${hours(spent)} of ${hours(limit)} GPU hours`,
};

/** `US$ 1.20 of 5.00, 12 000 of 20 000 tokens` */
export function budgetText({ limits, spent }: RunBudget): string {
  return limited(limits)
    .map((unit) => words[unit](spent[unit], limits[unit] ?? 0))
    .join(', ');
}

/** `US$ 5.00, 20 000 tokens` */
export function limitsText(limits: Budget): string {
  return limited(limits).length === 0
    ? 'none'
    : limited(limits)
        .map((unit) => amountText(unit, limits[unit] ?? 0))
        .join(', ');
}

/** What to do about a budget that is used up. */
export function usedUpText(run: string, budget: RunBudget): string {
  return `The budget of ${run} is used up: ${budgetText(budget)}.\nRaise it: uturn resume ${run} ${raised(budget).join(' ')}`;
}

/** Options with which there is room again: the limits that are reached, doubled. */
function raised({ limits, spent }: RunBudget): string[] {
  const reached = limited(limits).filter((unit) => spent[unit] >= (limits[unit] ?? 0));
  return (reached.length === 0 ? limited(limits) : reached).map((unit) => {
    const enough = Math.max(2 * (limits[unit] ?? 0), 2 * spent[unit]);
    return `--budget ${unit}=${Number(enough.toPrecision(2))}`;
  });
}

/** Its unit, as it stands after a number. */
export function amountText(unit: Unit, amount: Amount[Unit]): string {
  if (unit === 'usd') return `US$ ${dollars(amount)}`;
  return unit === 'tokens' ? `${grouped(Math.round(amount))} tokens` : `${hours(amount)} GPU hours`;
}

function hours(value: number): string {
  return value > 0 && value < 0.01 ? '<0.01' : String(Number(value.toFixed(2)));
}
