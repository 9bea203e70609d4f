// From a run's pinned parts to its summary. Reads the store and nothing else.
import { readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { type CellInput, cellFrom, failedSamples } from '../domain/cell.ts';
import { type Judged, type Spenders, totalCost, withCost } from '../domain/cost.ts';
import { type Item, isReferenced } from '../domain/data/item.ts';
import type { Group } from '../domain/plan/graph.ts';
import { outline, plannedSamples } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Judgement, Score, Stage, StageRecord, Turn } from '../domain/records/record.ts';
import type { Cell, Provenance, Summary } from '../domain/summary.ts';
import { itemsOf, openPinned, type Pinned } from './pinned.ts';

/** One cell's records by stage, with the items they are about. */
export type CellRecords = {
  model: string;
  group: Group;
  items: Item[];
  assistant: StageRecord<Turn>[];
  user: StageRecord<Turn>[];
  judgement: StageRecord<Judgement>[];
  reference: StageRecord<Judgement>[];
  score: StageRecord<Score>[];
};

/** Goes through a run cell by cell, so that only one cell's records are in memory. */
export async function* cellsOf(store: Store, doc: RunDoc, plan: Plan): AsyncGenerator<CellRecords> {
  const pinned = await openPinned(store, doc.run);
  for (const campaign of outline(plan, doc.occasion)) {
    for (const group of campaign.groups) {
      const of = <Body>(stage: Stage) => stageRecords<Body>(pinned, group, stage);
      yield {
        model: campaign.model,
        group,
        items: await itemsOf(store, plan, group),
        assistant: await of<Turn>('assistant_turn'),
        user: await of<Turn>('user_turn'),
        judgement: await of<Judgement>('judgement'),
        reference: await of<Judgement>('reference_judgement'),
        score: await of<Score>('score'),
      };
    }
  }
}

/** The whole summary of a run as its pins stand now. */
export async function summarise(store: Store, run: string): Promise<Summary> {
  const doc = await readRun(store, run);
  const plan = await getPlan(store, doc.plan);
  const cells: Cell[] = [];
  const shared = new Map<string, Judged>();
  let errors = 0;
  for await (const at of cellsOf(store, doc, plan)) {
    const input = cellInput(plan, at);
    cells.push(withCost(cellFrom(input), spendersOf(doc, plan, at.model), { ...input, judgement: at.judgement }));
    errors += failedSamples(input);
    const key = at.reference[0]?.result.key;
    if (key !== undefined) shared.set(key, { ...input, judgement: at.reference });
  }
  return {
    format: 1,
    run,
    plan: doc.plan,
    name: doc.name,
    samples: plannedSamples(plan),
    cells,
    totals: {
      prompt_tokens: sum(cells, (cell) => cell.tokens.prompt),
      completion_tokens: sum(cells, (cell) => cell.tokens.completion),
      errors,
      ...totalCost(cells, { judged: [...shared.values()], judge: judgePrices(doc, plan) }),
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

function cellInput(plan: Plan, at: CellRecords): CellInput {
  const { scored = false, references = false } = plan.data.find((data) => data.id === at.group.data) ?? {};
  const { assistant, user, judgement, reference } = at;
  return {
    model: at.model,
    data: at.group.data,
    temperature: at.group.temperature,
    items: at.items.map((item) => item.id),
    samples: at.group.samples,
    records: { assistant, user, judgement, reference, score: scored ? at.score : null },
    unchecked: new Set(at.items.flatMap((item) => (item.answer === null ? [item.id] : []))),
    referenced: new Set(references ? at.items.filter(isReferenced).map(({ id }) => id) : []),
    maxErrorShare: plan.max_error_share,
    seed: plan.seed,
  };
}

async function stageRecords<Body>(pinned: Pinned, group: Group, stage: Stage): Promise<StageRecord<Body>[]> {
  const records: StageRecord<Body>[] = [];
  for (let sample = 0; sample < group.samples; sample += 1) {
    for (let block = 0; block < group.blocks; block += 1) {
      records.push(...(await pinned.records<Body>({ group, stage, block, sample })));
    }
  }
  return records;
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
