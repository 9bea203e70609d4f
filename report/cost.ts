// What judging took and what a run cost, in words; null where there is nothing to say.
import type { Summary } from '../domain/summary.ts';
import { grouped } from './numbers.ts';

/** `12 000 prompt and 340 completion tokens`; null where no model judged. */
export function judgingText(totals: Summary['totals']): string | null {
  const { judge_prompt_tokens: prompt = 0, judge_completion_tokens: completion = 0 } = totals;
  if (prompt + completion === 0) return null;
  return `${grouped(prompt)} prompt and ${grouped(completion)} completion tokens`;
}

/** `US$ 1.20 for turns, US$ 0.31 for judging`; null where no price is known. */
export function costText({ usd_generation = null, usd_judging = null }: Summary['totals']): string | null {
  const parts = [
    ...(usd_generation === null ? [] : [`US$ ${dollars(usd_generation)} for turns`]),
    ...(usd_judging === null ? [] : [`US$ ${dollars(usd_judging)} for judging`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** Cents, and less than a cent as just that. */
export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? '<0.01' : usd.toFixed(2);
}
