// New limits for a run that is there: checked before anything is begun.
import { type Live, spentInAll } from '../activities/run/budget.ts';
import { getPlan } from '../activities/store/plans.ts';
import { type Amount, type Budget, limited } from '../domain/plan/budget.ts';
import { uncountable } from '../domain/plan/countable.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { amountText } from './budget-text.ts';
import { glancing } from './glance.ts';
import type { Reading } from './session.ts';
import { liveProgress } from './view.ts';

/**
 * @throws ConfigProblem  a limit is below what is spent already, or nobody could tell it to be reached
 */
export async function checkLimits(at: Reading, doc: RunDoc, wanted: Budget): Promise<void> {
  if (limited(wanted).length === 0) return;
  const plan = await getPlan(at.store, doc.plan);
  const models = plan.models.map(({ id }) => {
    const place = doc.engines[id]?.kind ?? 'url';
    return { id, priced: (doc.prices?.models[id] ?? null) !== null, place };
  });
  const judge = plan.judge.llm === undefined ? null : { priced: (doc.prices?.judge ?? null) !== null };
  for (const { unit, message, advice } of uncountable(wanted, { models, judge }))
    throw new ConfigProblem(`--budget ${unit} ${message}`, { advice });

  const spent = await spentNow(
    at,
    doc,
    models.map(({ id }) => id),
  );
  for (const unit of limited(wanted)) {
    const limit = wanted[unit] ?? 0;
    if (spent[unit] < limit) continue;
    throw new ConfigProblem(
      `--budget ${unit}=${limit} would begin nothing: ${doc.run} has spent ${amountText(unit, spent[unit])} already`,
      { advice: 'Give a limit above that. It is for the whole run, what was spent before included.' },
    );
  }
}

async function spentNow({ home, store }: Reading, doc: RunDoc, models: string[]): Promise<Amount> {
  const live: Live = await glancing(home, async (client) =>
    client === null ? new Map() : liveProgress(client, doc.run, models),
  );
  return spentInAll(store, doc, live);
}
