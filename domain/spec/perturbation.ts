// `kind: perturbation`: what a model says as the user when its own answer is cut off, or ends in a question.
import { z } from 'zod';
import type { Condition } from '../perturbation/condition.ts';
import { countableBudget, repeatedGreedy, turnFields } from './sweep.ts';
import { unique } from './words.ts';

const conditions = z
  .array(z.enum(['truncated', 'question']))
  .check(
    unique(
      (name) => name,
      (name) => ({ message: `names ${name} a second time.`, advice: 'Name each condition once.' }),
    ),
  )
  .default(['truncated', 'question'])
  .describe(
    'What is done to an answer before its model goes on as the user: its last quarter is cut off (at least 25 tokens), or a question is put behind it.',
  );

const doses = z
  .array(z.int().min(1).max(99))
  .check(
    unique(
      (percent) => String(percent),
      (percent) => ({ message: `names ${percent} a second time.`, advice: 'Name each percentage once.' }),
    ),
  )
  .default([])
  .describe('Percentages of an answer’s tokens to be cut off its end, each a condition of its own.');

export const perturbationSpec = z
  .strictObject({
    kind: z.literal('perturbation').describe('What kind of experiment this is.'),
    ...turnFields,
    conditions,
    doses,
  })
  .check(repeatedGreedy, countableBudget);

/** A perturbation as configured, every default filled in. Paths are still relative to the file. */
export type PerturbationSpec = z.output<typeof perturbationSpec>;

/** Base first, which every other is held against. */
export function conditionsIn({ conditions, doses }: PerturbationSpec): Condition[] {
  const cuts = doses.toSorted((a, b) => a - b).map((percent) => ({ kind: 'cut' as const, percent }));
  return [{ kind: 'base' }, ...conditions.map((kind) => ({ kind })), ...cuts];
}
