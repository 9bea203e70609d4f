// `kind: sweep`: models × data sets × temperatures × samples.
import { z } from 'zod';
import { uncountable } from '../plan/countable.ts';
import { budget, budgetOf } from './budget.ts';
import { data } from './data.ts';
import { maxTokens, sampling, temperatures } from './generation.ts';
import { judge } from './judge.ts';
import { type ModelSpec, models } from './model.ts';
import { maybe, refuse } from './words.ts';

const share = z.number().min(0).max(1);

const repeatable = z.object({ temperatures: z.array(z.unknown()), samples: z.int(), force: z.boolean() });

export const repeatedGreedy = z.superRefine<z.infer<typeof repeatable>>(
  ({ temperatures, samples, force }, ctx) => {
    if (samples <= 1 || force || !temperatures.includes(0)) return;
    refuse(ctx, ['samples'], {
      message: `${samples} samples at temperature 0 would be the same turn ${samples} times.`,
      advice: 'Take 0 out of temperatures, set samples to 1, or add `force: true` to measure just that.',
    });
  },
  { when: ({ value }) => repeatable.safeParse(value).success },
);

/** What a run's name may be, in a config or on the command line. */
export const experimentName = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Fields of every experiment that asks models for turns. */
export const turnFields = {
  name: z
    .string()
    .regex(experimentName, 'is no name for an experiment: up to 63 of a-z, 0-9 and "-", no "-" first.')
    .describe('Name of the experiment, part of the names of its runs.'),
  models,
  data,
  temperatures,
  samples: z.int().min(1).max(1000).default(1).describe('Times every item is asked at every temperature.'),
  force: z.boolean().default(false).describe('Allow more than one sample at temperature 0.'),
  limit: maybe(z.int().min(1)).describe('Items taken from the start of every data set. Default: all.'),
  seed: z.int().min(0).default(0).describe("Every sample's own seed is derived from this one."),
  max_tokens: maxTokens,
  system: maybe(z.string()).describe(
    'System message of every conversation that has none of its own; it may be empty. Default: none.',
  ),
  sampling,
  judge,
  template_date: z.iso
    .date('is no date such as 2026-01-01.')
    .default('2026-01-01')
    .describe('The date that a chat template which prints one is given.'),
  max_error_share: share.default(0.1).describe('A cell in which a larger share of items failed is marked failed.'),
  budget,
};

const fields = z.object(turnFields);

/** What must hold between them. */
export const countableBudget = z.superRefine<z.output<typeof fields>>(
  ({ budget: given, models, judge }, ctx) => {
    const at = {
      models: models.map((model) => ({ id: model.id, priced: model.prices !== null, place: placeOf(model) })),
      judge: judge.llm === null ? null : { priced: judge.llm.prices !== null },
    };
    for (const { unit, ...said } of uncountable(budgetOf(given) ?? {}, at)) refuse(ctx, ['budget', unit], said);
  },
  { when: ({ issues }) => issues.length === 0 },
);

export const sweepSpec = z
  .strictObject({ kind: z.literal('sweep').describe('What kind of experiment this is.'), ...turnFields })
  .check(repeatedGreedy, countableBudget);

function placeOf(model: ModelSpec): 'serve' | 'url' | 'local' {
  if ('serve' in model) return 'serve';
  return 'url' in model ? 'url' : 'local';
}

/** A sweep as configured, every default filled in. Paths are still relative to the file. */
export type SweepSpec = z.output<typeof sweepSpec>;
