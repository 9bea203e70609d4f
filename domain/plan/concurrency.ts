// Requests in flight at once, as somebody set them while a run was there, in place of its config's.
import type { RunDoc } from './run-doc.ts';

/** By model, and at a judge that is a model. What is not in it stays as the run was begun with. */
export type Concurrency = { models: Record<string, number>; judge?: number };

/** The later word counts. */
export function withWord(set: Concurrency, word: Concurrency): Concurrency {
  return { ...set, ...word, models: { ...set.models, ...word.models } };
}

/** What a run goes by: every model's, and the judge's where a model judges. */
export function concurrencyOf({ engines, judge }: Pick<RunDoc, 'engines' | 'judge'>, set: Concurrency): Concurrency {
  const models = Object.entries(engines).map(([id, { concurrency }]) => [id, set.models[id] ?? concurrency] as const);
  return { models: Object.fromEntries(models), ...(judge && { judge: set.judge ?? judge.concurrency }) };
}
