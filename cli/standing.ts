// How a run stands: what `uturn status` shows, gathered from one look at it and from its store.
import type { RunBudget } from '../activities/run/budget.ts';
import { readSet } from '../activities/run/concurrency.ts';
import { readPins, readProgress, readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import { readPart } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { isReferenced } from '../domain/data/item.ts';
import type { CampaignProgress, StageTally } from '../domain/plan/boundary.ts';
import { type Concurrency, concurrencyOf } from '../domain/plan/concurrency.ts';
import { type Campaign, type Group, type Pin, treeCount, woven } from '../domain/plan/graph.ts';
import { outline, plannedSamples } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { type Stage, stages } from '../domain/records/record.ts';
import { itemSetOf, itemsOf } from '../report/pinned.ts';
import { recordsSoFar } from './come.ts';
import type { StagesInFlight, Waiting } from './open-work.ts';
import { versionOf } from './versions.ts';
import { isHeldByBudget, type Sources, type ViewState, viewRun } from './view.ts';

export type StandingStage = StageTally & { stage: Stage; wanted: number };

/** `blocks`: a block of items at one temperature and sample, through all its stages. */
export type StandingModel = {
  model: string;
  state: CampaignProgress['state'] | ViewState;
  blocks: { done: number; total: number };
  stages: StandingStage[];
  parked: { reason: string; blocks: number }[];
};

export type Standing = {
  run: string;
  name: string;
  state: ViewState;
  /** `temporal`: its workflows were asked. `store`: its last word. */
  seen_in: 'temporal' | 'store';
  /** Build of a lab's workers that it stays with, while it is open; null where any will do. */
  version: string | null;
  plan: string;
  tags: string[];
  created: string;
  /** User turns asked for. */
  samples: number;
  models: StandingModel[];
  /** Finished records in shards that are open; not in the stages' counts. */
  in_flight: StagesInFlight;
  waiting: Waiting[];
  errors: { stage: Stage; kind: string; count: number }[];
  /** Generated for this run, and calls made for it. */
  tokens: number;
  requests: number;
  /** Null where it has none. `used_up`: it is paused for that. */
  budget: (RunBudget & { used_up: boolean }) | null;
  /** Requests in flight at once, at most; `set`: by somebody, after it was begun. */
  concurrency: Concurrency & { set: boolean };
  /** What ended it before it could write how; problems it ended with. */
  problems: string[];
};

/** @throws ConfigProblem  there is no such run */
export async function standingOf(sources: Sources, run: string): Promise<Standing> {
  const doc = await readRun(sources.store, run);
  const plan = await getPlan(sources.store, doc.plan);
  const models = plan.models.map(({ id }) => id);
  const look = (at: Sources) => viewRun(at, run, models).then((view) => ({ view, live: at.client !== null }));
  const { view, live } = await look(sources).catch(() => look({ ...sources, client: null }));
  const set = await readSet(sources.store, run);
  const own: StandingModel[] = [];
  const campaigns = outline(plan, doc).map((one) => ({ ...one, groups: woven(one.groups) }));
  const { pins } = view.state === 'stopped' ? await readPins(sources.store, run) : { pins: new Map<string, Pin>() };
  const references = await referencesIn(sources.store, plan, campaigns[0]?.groups ?? []);
  for (const campaign of campaigns) {
    const progress = view.campaigns.find(({ model }) => model === campaign.model);
    const model = modelOf(campaign, { progress, state: view.state, references });
    own.push(view.state === 'stopped' ? await fromStore(sources.store, { plan, campaign, model, pins }) : model);
  }
  const tallies = own.flatMap(({ stages }) => stages);
  const inFlight = Object.values(view.inFlight);
  return {
    run,
    name: doc.name,
    state: view.state,
    seen_in: live ? 'temporal' : 'store',
    version: sources.client === null || view.end !== null ? null : await versionOf(sources.client, run),
    plan: doc.plan,
    tags: doc.tags,
    created: doc.created,
    samples: plannedSamples(plan),
    models: own,
    in_flight: view.inFlight,
    waiting: view.waiting,
    errors: await errorKinds(sources.store, run),
    tokens: sum(tallies, ({ tokens }) => tokens) + sum(inFlight, ({ tokens }) => tokens),
    requests: sum(tallies, ({ requests }) => requests),
    budget: view.budget === null ? null : { ...view.budget, used_up: isHeldByBudget(view) },
    concurrency: { ...concurrencyOf(doc, set ?? { models: {} }), set: set !== null },
    problems: [...(view.trouble === null ? [] : [view.trouble]), ...(view.end?.problems ?? [])],
  };
}

/** How many people's turns each data set holds, of those that are judged. */
async function referencesIn(store: Store, plan: Plan, groups: Group[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const group of groups) {
    if (found.has(group.data) || !group.stages.some(({ stage }) => stage === 'reference_judgement')) continue;
    found.set(group.data, (await itemsOf(store, plan, group)).filter(isReferenced).length);
  }
  return found;
}

type Look = { progress: CampaignProgress | undefined; state: ViewState; references: Map<string, number> };

function modelOf({ model, groups }: Campaign, { progress, state, references }: Look): StandingModel {
  const wanted = new Map<Stage, number>();
  for (const group of groups) {
    for (const { stage } of group.stages) {
      const once = stage === 'reference_judgement';
      const count = once ? (references.get(group.data) ?? 0) : group.items * group.samples;
      wanted.set(stage, (wanted.get(stage) ?? 0) + count);
    }
  }
  const zero: StageTally = { records: 0, errors: 0, made: 0, tokens: 0, requests: 0 };
  const reasons = Map.groupBy(progress?.parked ?? [], ({ reason }) => reason);
  return {
    model,
    state: stateOf(progress, state),
    blocks: { done: progress?.trees.done ?? 0, total: treeCount(groups) },
    stages: stages.flatMap((stage) => {
      const count = wanted.get(stage);
      return count === undefined ? [] : [{ stage, wanted: count, ...(progress?.tally[stage] ?? zero) }];
    }),
    parked: [...reasons].map(([reason, some]) => ({ reason, blocks: some.length })),
  };
}

type Saved = { plan: Plan; campaign: Campaign; model: StandingModel; pins: ReadonlyMap<string, Pin> };

/** Counts are saved now and then. Of a run that stopped in between, the records themselves say how far it came. */
async function fromStore(store: Store, { plan, campaign, model, pins }: Saved): Promise<StandingModel> {
  const held = new Map<Stage, number>();
  const sets = new Map<string, Awaited<ReturnType<typeof itemSetOf>>>();
  for (const group of campaign.groups) {
    const items = sets.get(group.data) ?? (await itemSetOf(store, plan, group));
    sets.set(group.data, items);
    const found = await recordsSoFar(store, { group, items, pins });
    for (const [stage, records] of found) held.set(stage, (held.get(stage) ?? 0) + records);
  }
  return {
    ...model,
    stages: model.stages.map((one) => ({ ...one, records: Math.max(one.records, held.get(one.stage) ?? 0) })),
  };
}

/** What was saved last may say that a model is at work; in a run that is not, it is not either. */
function stateOf(progress: CampaignProgress | undefined, run: ViewState): StandingModel['state'] {
  const open = progress === undefined || ['running', 'paused', 'parked'].includes(progress.state);
  const runIsOpen = ['running', 'paused', 'parked'].includes(run);
  return open && !runIsOpen ? run : (progress?.state ?? run);
}

/** Kinds of errors in the parts the run goes by; only parts that hold some are read. */
async function errorKinds(store: Store, run: string): Promise<Standing['errors']> {
  const kinds = new Map<string, Standing['errors'][number]>();
  // Where nothing failed there is no need to go through all pins.
  const words = await readProgress(store, run);
  const failed = words.some(({ tally }) => Object.values(tally).some(({ errors }) => errors > 0));
  if (!failed) return [];
  const { pins } = await readPins(store, run);
  for (const pin of pins.values()) {
    if (pin.errors === 0) continue;
    for (const { result } of await readPart(store, pin, pin.part)) {
      if (result.status !== 'error') continue;
      const name = `${result.stage} ${result.error.kind}`;
      const before = kinds.get(name) ?? { stage: result.stage, kind: result.error.kind, count: 0 };
      kinds.set(name, { ...before, count: before.count + 1 });
    }
  }
  return [...kinds.values()].toSorted((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
}

function sum<T>(things: T[], of: (thing: T) => number): number {
  return things.reduce((total, thing) => total + of(thing), 0);
}
