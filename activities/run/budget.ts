// What a run may spend and has spent, as its documents say.
import { isDeepStrictEqual } from 'node:util';
import type { CampaignProgress } from '../../domain/plan/boundary.ts';
import { type Amount, addAll, type Budget, type CampaignPrices, limited, spentOf } from '../../domain/plan/budget.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { latest, latestNumber, putVersion } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { begunExecutions, pinsName } from './documents.ts';
import { limits, pinBatch } from './shapes.ts';

const folder = 'budgets';

/** The limits a run goes by: those that somebody set last, else its config's. */
export async function readLimits(store: Store, { run, budget }: RunDoc): Promise<Budget> {
  return (await latest(store, { run, name: folder }, limits))?.value ?? budget ?? {};
}

/** Nothing is written where they are what the run goes by already. */
export async function saveLimits(store: Store, doc: RunDoc, wanted: Budget): Promise<void> {
  if (isDeepStrictEqual(await readLimits(store, doc), wanted)) return;
  const n = ((await latestNumber(store, { run: doc.run, name: folder })) ?? -1) + 1;
  await putVersion(store, doc.run, { name: folder, n, value: wanted });
}

export function campaignPrices({ prices }: RunDoc, model: string): CampaignPrices {
  return { generation: prices?.models[model] ?? null, judging: prices?.judge ?? null };
}

/** What a run's campaigns spent by what they wrote down last; `counts` says which. */
export async function spentSaved(
  store: Store,
  doc: RunDoc,
  counts: (of: { execution: number; model: string }) => boolean,
): Promise<Amount> {
  const spent: Amount[] = [];
  for (const executionFolder of await store.list(`runs/${doc.run}/pins/`)) {
    const execution = Number.parseInt(executionFolder, 10);
    for (const modelFolder of await store.list(`runs/${doc.run}/pins/${executionFolder}`)) {
      const model = modelFolder.slice(0, -1);
      if (!counts({ execution, model })) continue;
      const last = await latest(store, { run: doc.run, name: pinsName(execution, model) }, pinBatch);
      if (last !== null) spent.push(spentOf(last.value.progress.tally, campaignPrices(doc, model)));
    }
  }
  return addAll(spent);
}

/** Limits and spending of a run. */
export type RunBudget = { limits: Budget; spent: Amount };

/** What campaigns of the execution under way say themselves, by model. */
export type Live = Map<string, CampaignProgress>;

/** Null where the run has no budget. */
export async function readBudget(store: Store, doc: RunDoc, live: Live): Promise<RunBudget | null> {
  const set = await readLimits(store, doc);
  return limited(set).length === 0 ? null : { limits: set, spent: await spentInAll(store, doc, live) };
}

/** What a run has spent, as far as it is known. */
export async function spentInAll(store: Store, doc: RunDoc, live: Live): Promise<Amount> {
  const current = await begunExecutions(store, doc.run);
  const saved = await spentSaved(store, doc, ({ execution, model }) => execution !== current || !live.has(model));
  const now = [...live].map(([model, { tally }]) => spentOf(tally, campaignPrices(doc, model)));
  return addAll([saved, ...now]);
}
