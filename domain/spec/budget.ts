// `budget:`: what a run may spend before it pauses.
import { z } from 'zod';
import type { Budget } from '../plan/budget.ts';
import { maybe, refuse } from './words.ts';

const limit = z.number().gt(0);

export const budget = maybe(
  z
    .strictObject({
      usd: maybe(limit).describe('US dollars, by the prices stated for models and judge.'),
      tokens: maybe(limit).describe('Tokens of prompts and completions, of models and judge together.'),
      gpu_hours: maybe(limit).describe('Hours for which models that uturn serves are up, times the GPUs they take.'),
    })
    .superRefine(
      (one, ctx) => {
        if (Object.values(one).some((value) => value !== null)) return;
        refuse(ctx, [], { message: 'limits nothing.', advice: 'Give it `usd`, `tokens` or `gpu_hours`.' });
      },
      { when: ({ issues }) => issues.length === 0 },
    ),
).describe('What the run may spend: at a limit it pauses. Decides nothing about results.');

type Given = z.output<typeof budget>;

/** The limits that are set; null where there are none. */
export function budgetOf(given: Given): Budget | null {
  if (given === null) return null;
  const set = Object.entries(given).filter(([, value]) => value !== null);
  return set.length === 0 ? null : Object.fromEntries(set);
}
