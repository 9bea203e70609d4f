// How many requests of a run may be in flight, as a person reads it.
import type { Concurrency } from '../domain/plan/concurrency.ts';

export function concurrencyText({ models, judge }: Concurrency): string {
  const named = Object.entries(models).map(([model, most]) => `${model} ${most}`);
  return [...named, ...(judge === undefined ? [] : [`judge ${judge}`])].join(', ');
}
