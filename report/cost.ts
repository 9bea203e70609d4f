// What judging took and what a run cost, in words; null where there is nothing to say.
import type { Summary } from '../domain/summary.ts';
import { grouped } from './numbers.ts';

/** `12 000 prompt and 340 completion tokens`, and what no server counted; null where no model judged. */
export function judgingText({ totals }: Pick<Summary, 'totals'>): string | null {
  const { judge_prompt_tokens: prompt = 0, judge_completion_tokens: completion = 0, judge_uncounted = 0 } = totals;
  const parts = [
    ...(prompt + completion === 0 ? [] : [`${grouped(prompt)} prompt and ${grouped(completion)} completion tokens`]),
    ...(judge_uncounted === 0 ? [] : [`unknown tokens for ${judgements(judge_uncounted)}`]),
  ];
  return parts.length === 0 ? null : parts.join(', and ');
}

/**
 * `US$ 1.20 for turns, US$ 0.31 for judging, of the records kept`, and of what it is not the cost; null where no price is
 * known. What was paid for records that are there no more, such as errors that a later try mended, is in no sum.
 */
export function costText({ cells, totals }: Pick<Summary, 'cells' | 'totals'>): string | null {
  const { usd_generation = null, usd_judging = null, judge_uncounted = 0 } = totals;
  const parts = [
    ...(usd_generation === null ? [] : [`US$ ${dollars(usd_generation)} for turns`]),
    ...(usd_judging === null ? [] : [`US$ ${dollars(usd_judging)} for judging`]),
  ];
  if (parts.length === 0) return null;
  const unpriced = withoutPrices(cells, usd_judging);
  return [
    `${parts.join(', ')}, of the records kept`,
    ...(unpriced === null ? [] : [`no prices for ${unpriced}`]),
    ...(usd_judging === null || judge_uncounted === 0
      ? []
      : [`${judgements(judge_uncounted)} of unknown tokens counted as 0`]),
  ].join('; ');
}

/** Cents, and less than a cent as just that. */
export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? '<0.01' : usd.toFixed(2);
}

function withoutPrices(cells: Summary['cells'], judging: number | null): string | null {
  const models = new Set(cells.map(({ model }) => model));
  const priced = new Set(cells.filter(({ usd }) => (usd?.generation ?? null) !== null).map(({ model }) => model));
  const missing = models.size - priced.size;
  const judged = cells.some((cell) => cell.judging !== undefined);
  const who = [
    ...(missing === 0 ? [] : [missing === models.size ? 'the models' : `${missing} of ${models.size} models`]),
    ...(judged && judging === null ? ['the judge'] : []),
  ];
  return who.length === 0 ? null : who.join(' and ');
}

function judgements(count: number): string {
  return count === 1 ? '1 judgement' : `${grouped(count)} judgements`;
}
