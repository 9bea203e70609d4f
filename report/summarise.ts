// From a run's pinned parts to its summary. Reads the store and nothing else.
import { readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { cellFrom, failedSamples } from '../domain/cell.ts';
import { type Spenders, totalCost, withCost } from '../domain/cost.ts';
import type { Judging } from '../domain/facts.ts';
import { plannedSamples } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { drawing } from '../domain/stats/draws.ts';
import type { Cell, ConditionCell, Provenance, Summary } from '../domain/summary.ts';
import { cellInput } from './cell-input.ts';
import { conditionCells } from './conditions.ts';
import { factsOf } from './facts.ts';

/** The whole summary of a run as its pins stand now. `without`: data sets whose cells are left out, and out of the totals. */
export async function summarise(
  store: Store,
  run: string,
  opts: { without?: ReadonlySet<string> } = {},
): Promise<Summary> {
  const doc = await readRun(store, run);
  const plan = await getPlan(store, doc.plan);
  const cells: Cell[] = [];
  const shared = new Map<string, Judging>();
  const drawn = drawing(plan.seed);
  let errors = 0;
  for await (const at of factsOf(store, doc, plan, opts)) {
    const input = { ...cellInput(plan, at), drawn };
    cells.push(withCost(cellFrom(input), spendersOf(doc, plan, at.model), at.facts.judgement.judging()));
    errors += failedSamples(input);
    const key = at.group.stages.find(({ stage }) => stage === 'reference_judgement')?.key;
    if (key !== undefined && at.facts.reference) shared.set(key, at.facts.reference.judging());
  }
  const conditions: ConditionCell[] = [];
  if (plan.conditions !== undefined) {
    for await (const { cell, at, failed } of conditionCells(store, doc, plan, { ...opts, drawn })) {
      conditions.push({ ...cell, ...withCost(cell, spendersOf(doc, plan, at.model), at.facts.judgement.judging()) });
      if (cell.condition !== 'base') errors += failed;
    }
  }
  const measured = [...cells, ...conditions.filter(({ condition }) => condition !== 'base')];
  return {
    format: 1,
    run,
    plan: doc.plan,
    name: doc.name,
    samples: plannedSamples(plan),
    cells,
    ...(plan.conditions !== undefined && { conditions }),
    totals: {
      prompt_tokens: sum(measured, (cell) => cell.tokens.prompt),
      completion_tokens: sum(measured, (cell) => cell.tokens.completion),
      errors,
      ...totalCost(measured, { judged: [...shared.values()], judge: judgePrices(doc, plan) }),
    },
    provenance: provenanceOf(doc, plan),
  };
}

function spendersOf(doc: RunDoc, plan: Plan, model: string): Spenders {
  return { model: doc.prices?.models[model] ?? null, judge: judgePrices(doc, plan) };
}

function judgePrices(doc: RunDoc, plan: Plan): Spenders['judge'] {
  return plan.judge.llm === undefined ? null : { prices: doc.prices?.judge ?? null };
}

function judgesOf({ judge: { rules, llm } }: Plan): string {
  if (llm === undefined) return 'rules only';
  const known = 'weights' in llm.identity ? `weights ${llm.identity.weights}` : `at ${llm.identity.url}`;
  return `${rules === null ? '' : 'rules, then '}${llm.model}, ${known}, prompt ${llm.prompt}`;
}

function provenanceOf(doc: RunDoc, plan: Plan): Provenance {
  return {
    uturn: doc.uturn,
    plan: doc.plan,
    run: doc.run,
    seed: plan.seed,
    models: plan.models.map((model) => ({
      id: model.id,
      weights: 'weights' in model.identity ? model.identity.weights : null,
      address: 'url' in model.identity ? model.identity.url : null,
      engine: [model.engine.name, model.engine.version].filter(Boolean).join(' '),
      template: model.template.sha256,
      ...(model.reasoning !== undefined && { reasoning: model.reasoning }),
    })),
    data: plan.data.map((data) => ({
      id: data.id,
      adapter: data.adapter,
      file: data.file,
      items: data.items,
      count: data.count,
      limit: plan.limit,
      ...(data.private && { private: data.private }),
    })),
    judge: judgesOf(plan),
    sampling: { ...plan.sampling },
    max_tokens: plan.max_tokens,
    ...(plan.system !== undefined && { system: plan.system }),
  };
}

function sum<T>(things: T[], of: (thing: T) => number): number {
  return things.reduce((total, thing) => total + of(thing), 0);
}
