// What a run may spend, and what it has spent.
import type { Usage } from '../records/record.ts';
import type { StageTally, Tally } from './boundary.ts';
import type { Prices } from './estimate.ts';

export const units = ['usd', 'tokens', 'gpu_hours'] as const;
export type Unit = (typeof units)[number];

/** Limits. A unit that is not there has none. Decides nothing about results. */
export type Budget = Partial<Record<Unit, number>>;

/** Tokens are those of prompts and completions together, of models and judges. */
export type Amount = Record<Unit, number>;

export const nothing: Amount = { usd: 0, tokens: 0, gpu_hours: 0 };

/** Of one model's campaign; null where no price is known: then its dollars count as none. */
export type CampaignPrices = { generation: Prices | null; judging: Prices | null };

/** What one campaign's finished shards took. */
export function spentOf(tally: Tally, prices: CampaignPrices): Amount {
  const stages = Object.entries(tally) as [keyof Tally, StageTally][];
  return addAll(stages.map(([stage, { spent }]) => amountOf(spent ?? { prompt: 0, completion: 0 }, { stage, prices })));
}

/** Tokens of one stage in every unit. */
export function amountOf(usage: Usage, at: { stage: keyof Tally; prices: CampaignPrices }): Amount {
  const judging = at.stage === 'judgement' || at.stage === 'reference_judgement';
  const prices = judging ? at.prices.judging : at.prices.generation;
  const usd = prices === null ? 0 : (usage.prompt * prices.prompt + usage.completion * prices.completion) / 1e6;
  return { ...nothing, usd, tokens: usage.prompt + usage.completion };
}

export function add(a: Amount, b: Amount): Amount {
  return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens, gpu_hours: a.gpu_hours + b.gpu_hours };
}

export function addAll(amounts: Amount[]): Amount {
  return amounts.reduce(add, nothing);
}

/** The units that a budget limits, in their order. */
export function limited(budget: Budget): Unit[] {
  return units.filter((unit) => budget[unit] !== undefined);
}

/** Whether something is left of every unit that is limited. */
export function isLeft(spent: Amount, limits: Budget): boolean {
  return limited(limits).every((unit) => spent[unit] < (limits[unit] ?? 0));
}
