// What a config would do if it were run: cells, what the store holds of them, calls, tokens, money and time.
import type { Planned } from '../activities/planning/plan.ts';
import { type RunBudget, readBudget } from '../activities/run/budget.ts';
import { readEnding, readRun } from '../activities/run/documents.ts';
import { add, type Budget, isLeft, limited, nothing, type Unit } from '../domain/plan/budget.ts';
import { type Duration, sideBySide } from '../domain/plan/duration.ts';
import { type Estimate, together } from '../domain/plan/estimate.ts';
import { type Campaign, woven } from '../domain/plan/graph.ts';
import { outline, plannedSamples } from '../domain/plan/outline.ts';
import { shortHashOf } from '../domain/records/canonical.ts';
import { budgetOf } from '../domain/spec/budget.ts';
import { type SeenAt, seenEarlier } from './earlier.ts';
import { type HeldStage, heldStages } from './held.ts';
import type { Reading } from './session.ts';
import { placeOf } from './start.ts';
import {
  type LookedCell,
  type PreviewJudge,
  type PreviewModel,
  type SizedCell,
  takenBy,
  takenByJudge,
} from './takes.ts';

export type PreviewCell = {
  model: string;
  data: string;
  temperature: number;
  items: number;
  samples: number;
  stages: HeldStage[];
};

/** `state`: of the run that `uturn run` would return to; `new` where it would start one. */
export type Preview = {
  plan: string;
  name: string;
  run: string;
  state: 'new' | 'complete' | 'unfinished';
  samples: number;
  /** Only where one is put before conversations. */
  system?: string;
  cells: PreviewCell[];
  models: PreviewModel[];
  /** Null where no model judges. */
  judge: PreviewJudge | null;
  /** Models and judge work side by side. */
  total: Estimate & { time: Duration };
  /** Of the run, and which of its limits the whole is expected to reach; null where it has none. */
  budget: (RunBudget & { reached: Unit[] }) | null;
};

/** Looks at the store and the models' tokenizers. Generates nothing, and writes no record. */
export async function preview(
  at: Reading,
  found: Planned,
  opts: { name: string | null; report(line: string): void },
): Promise<Preview> {
  const plan = shortHashOf(found.plan);
  const name = opts.name ?? found.name;
  const place = await placeOf(at.store, { name, plan }, { again: 'when changed' });
  const ending = place.there ? await readEnding(at.store, place.run) : null;

  const campaigns = outline(found.plan, place);
  const looked: LookedCell[] = [];
  for (const campaign of campaigns) looked.push(...(await cellsOf(at, found, campaign)));
  const own = new Set(looked.flatMap(({ stages }) => stages.map(({ key }) => key)));
  const earlier = await seenEarlier(at.store, found.plan, own);

  const models: PreviewModel[] = [];
  const sized: SizedCell[] = [];
  for (const campaign of campaigns) {
    const cells = looked.filter(({ model }) => model === campaign.model);
    const seen = [...seenIn(cells), ...(earlier.models.get(campaign.model) ?? [])];
    const taken = await takenBy(at, found, { campaign, cells, seen, report: opts.report });
    models.push(taken.model);
    sized.push(...taken.cells);
  }
  const judge = await takenByJudge(at, found, { cells: sized, seen: [...seenIn(looked), ...earlier.judge] });
  const all = judge === null ? models : [...models, judge];
  const total = { ...together(all), time: sideBySide(all.map(({ time }) => time)) };
  return {
    plan,
    name,
    run: place.run,
    state: !place.there ? 'new' : ending?.end.state === 'complete' ? 'complete' : 'unfinished',
    samples: plannedSamples(found.plan),
    ...(found.plan.system !== undefined && { system: found.plan.system }),
    cells: looked.map(cellIn),
    models,
    judge,
    total,
    budget: await budgetFor(at, found, { run: place.there ? place.run : null, total }),
  };
}

/** A run that is there goes by its own limits, and has spent some. */
async function budgetFor(
  { store }: Reading,
  found: Planned,
  { run, total }: { run: string | null; total: Estimate },
): Promise<Preview['budget']> {
  const limits = budgetOf(found.spec.budget) ?? {};
  const budget =
    run === null ? { limits, spent: nothing } : await readBudget(store, await readRun(store, run), new Map());
  if (budget === null || limited(budget.limits).length === 0) return null;
  const more = { ...nothing, usd: total.usd?.expected ?? 0, tokens: total.prompt.expected + total.completion.expected };
  const reached = limited(budget.limits).filter((unit) => !isLeft(add(budget.spent, more), pick(budget.limits, unit)));
  return { ...budget, reached };
}

function pick(limits: Budget, unit: Unit): Budget {
  return { [unit]: limits[unit] };
}

async function cellsOf(at: Reading, found: Planned, { model, groups }: Campaign): Promise<LookedCell[]> {
  const cells: LookedCell[] = [];
  for (const group of woven(groups)) {
    const { data, temperature, items, samples } = group;
    const digest = found.plan.data.find(({ id }) => id === data)?.items ?? '';
    const stages = await heldStages(at.store, group, found.items.get(data) ?? []);
    cells.push({ model, data, digest, temperature, items, samples, stages });
  }
  return cells;
}

function seenIn(cells: LookedCell[]): SeenAt[] {
  return cells.flatMap(({ digest, temperature, stages }) =>
    stages.map(({ stage, seen }) => ({ data: digest, temperature, stage, seen })),
  );
}

function cellIn({ digest: _, stages, ...cell }: LookedCell): PreviewCell {
  return { ...cell, stages: stages.map(({ seen: _seen, ...stage }) => stage) };
}
