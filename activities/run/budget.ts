// What a run may spend and has spent, as its documents say.
import { isDeepStrictEqual } from 'node:util';
import type { CampaignProgress } from '../../domain/plan/boundary.ts';
import {
  type Amount,
  addAll,
  amountOf,
  type Budget,
  type CampaignPrices,
  limited,
  nothing,
  spentOf,
} from '../../domain/plan/budget.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { allVersions, latest, latestNumber, putVersion } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { begunExecutions, pinsName } from './documents.ts';
import { judgeTests } from './judge-tests.ts';
import { beginning, limits, pinBatch, runEnding } from './shapes.ts';

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
  const saved = await savedProgress(store, doc, current);
  return addAll([
    await spentBefore(store, doc, current),
    spentIn(doc, [...new Map([...saved, ...live]).values()], await endedHours(store, doc, current)),
  ]);
}

/** What the executions before this one spent, with what was found of them later, and what trying its judge took. */
export async function spentBefore(store: Store, doc: RunDoc, execution: number): Promise<Amount> {
  const begun = await allVersions(store, { run: doc.run, name: 'begins' }, beginning);
  const found = begun.flatMap(({ value }) => value.found ?? []);
  const spent = found.map(({ model, stage, spent }) => amountOf(spent, { stage, prices: campaignPrices(doc, model) }));
  for (let earlier = 1; earlier < execution; earlier += 1) {
    const progress = await savedProgress(store, doc, earlier);
    spent.push(spentIn(doc, [...progress.values()], await endedHours(store, doc, earlier)));
  }
  for (const { usage } of await judgeTests(store, doc.run))
    if (usage !== null) spent.push(amountOf(usage, { stage: 'judgement', prices: campaignPrices(doc, '') }));
  return addAll(spent);
}

/** What the campaigns of an execution wrote down last. */
async function savedProgress(store: Store, { run }: RunDoc, execution: number): Promise<Live> {
  const progress: Live = new Map();
  for (const name of await store.list(`runs/${run}/${pinsName(execution, '')}`)) {
    const model = name.slice(0, -1);
    const last = await latest(store, { run, name: pinsName(execution, model) }, pinBatch);
    if (last !== null) progress.set(model, last.value.progress);
  }
  return progress;
}

/** GPU hours that an execution took, where it came to its end. */
async function endedHours(store: Store, { run }: RunDoc, execution: number): Promise<number | null> {
  const ends = await allVersions(store, { run, name: 'ends' }, runEnding);
  return ends.find(({ n }) => n === execution)?.value.end.gpu_hours ?? null;
}

/** `hours`: null where only the campaigns say them. Of those that share an engine the longest user is taken. */
function spentIn(doc: RunDoc, progress: CampaignProgress[], hours: number | null): Amount {
  const byEngine = new Map<string, number>();
  for (const { model, gpu_hours = 0 } of progress) {
    const location = doc.engines[model];
    const engine = location?.kind === 'serve' ? location.id : model;
    byEngine.set(engine, Math.max(gpu_hours, byEngine.get(engine) ?? 0));
  }
  const held = [...byEngine.values()].reduce((sum, one) => sum + one, 0);
  return addAll([
    ...progress.map(({ model, tally }) => spentOf(tally, campaignPrices(doc, model))),
    { ...nothing, gpu_hours: hours ?? held },
  ]);
}
