// What earlier runs in the store saw of the same models and the same judge: some of their records, the newest first.
import { readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import { listRuns } from '../activities/store/runs.ts';
import { readPart } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { type Observed, seen, together } from '../domain/plan/observed.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan, PlannedModel } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { shortHashOf } from '../domain/records/canonical.ts';
import type { Stage, StageRecord, Turn } from '../domain/records/record.ts';
import { type CountedPart, openPinned } from '../report/pinned.ts';

/** Requests of one stage. `data`: digest of the items. */
export type SeenAt = { data: string; temperature: number; stage: Stage; seen: Observed };

/** By the model's name in the plan that is asked for. */
export type Earlier = { models: Map<string, SeenAt[]>; judge: SeenAt[] };

const mostRuns = 8;
/** Of a stage of one model in one run. */
const mostParts = 3;

/** `own`: keys of stages that were looked through already. A run that cannot be read tells nothing. */
export async function seenEarlier(store: Store, plan: Plan, own: ReadonlySet<string>): Promise<Earlier> {
  const found: Earlier = { models: new Map(plan.models.map(({ id }) => [id, []])), judge: [] };
  for (const doc of (await newestRuns(store)).slice(0, mostRuns)) {
    try {
      await look(store, doc, { plan, own, found });
    } catch (problem) {
      if (!(problem instanceof ConfigProblem)) throw problem;
    }
  }
  return found;
}

/** A turn that a model made, or a judgement that one was asked for; nothing of others. */
export function observed({ result, meta }: StageRecord): Observed[] {
  if (result.status === 'error') return [];
  if (result.stage !== 'assistant_turn' && result.stage !== 'user_turn')
    return meta.usage === undefined ? [] : [seen({ tokens: meta.usage.completion, ms: meta.ms })];
  const { finish, tokens } = result.body as Turn;
  return finish === 'given' ? [] : [seen({ tokens, ms: meta.ms })];
}

type Looking = { plan: Plan; own: ReadonlySet<string>; found: Earlier };

async function look(store: Store, doc: RunDoc, { plan, own, found }: Looking): Promise<void> {
  const earlier = await getPlan(store, doc.plan);
  const sameJudge = shortHashOf(nameOfJudge(earlier)) === shortHashOf(nameOfJudge(plan));
  const pairs = plan.models.flatMap((model) => {
    const same = earlier.models.find((one) => isSame(one, model));
    return same === undefined ? [] : [{ model: model.id, there: same.id }];
  });
  if (pairs.length === 0) return;
  const pinned = await openPinned(store, doc.run);
  for (const { model, groups } of outline(earlier, doc)) {
    const to = pairs.find(({ there }) => there === model)?.model;
    for (const group of groups) {
      const data = earlier.data.find(({ id }) => id === group.data)?.items ?? '';
      for (const { stage, key } of group.stages) {
        const isTurn = stage === 'assistant_turn' || stage === 'user_turn';
        const into = isTurn ? found.models.get(to ?? '') : stage === 'judgement' && sameJudge ? found.judge : undefined;
        if (into === undefined || own.has(key)) continue;
        const all = await Promise.all(spread(pinned.parts(group, stage)).map((part) => seenIn(store, part)));
        into.push({ data, temperature: group.temperature, stage, seen: together(all) });
      }
    }
  }
}

async function seenIn(store: Store, part: CountedPart): Promise<Observed> {
  return together((await readPart(store, part, part.part)).flatMap(observed));
}

function isSame(a: PlannedModel, b: PlannedModel): boolean {
  const name = ({ identity, adapter, reasoning }: PlannedModel) => shortHashOf({ identity, adapter, reasoning });
  return name(a) === name(b);
}

function nameOfJudge({ judge: { llm } }: Plan): unknown {
  return llm === undefined ? null : { model: llm.model, identity: llm.identity };
}

async function newestRuns(store: Store): Promise<RunDoc[]> {
  const docs = await Promise.all((await listRuns(store)).map((run) => readRun(store, run).catch(() => null)));
  return docs.filter((doc) => doc !== null).toSorted((a, b) => b.created.localeCompare(a.created));
}

function spread<T>(things: T[]): T[] {
  const step = Math.max(1, things.length / mostParts);
  return things.filter((_, n) => Math.floor(n / step) !== Math.floor((n - 1) / step) || n === 0).slice(0, mostParts);
}
