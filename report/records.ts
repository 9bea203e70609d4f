// A run's records one after another, in the plan's order, with one block at a time in memory.
import type { ItemSet } from '../activities/data/items.ts';
import type { Store } from '../activities/store/store.ts';
import { blockRange } from '../domain/plan/blocks.ts';
import { type Group, ownStages } from '../domain/plan/graph.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Judgement, Label, Outcome, Score, Stage, StageRecord } from '../domain/records/record.ts';
import { itemSetOf, openPinned, type Pinned, type PinnedPlace } from './pinned.ts';
import { privateData, withheldRecord } from './withheld.ts';

/** A record with what its stage key hides: where in the plan it stands. `private`: its texts are withheld. */
export type PlacedRecord = {
  model: string;
  data: string;
  temperature: number;
  condition?: string;
  private?: true;
  record: StageRecord;
};

/**
 * Every field narrows. `label` and `outcome` choose samples, by their judgement and their score, whatever stage is
 * shown of them; `undecided` are the turns that no judge decided, outcome `error` the answers that are not there or
 * could not be checked.
 */
export type RecordFilter = {
  stage?: Stage | undefined;
  model?: string | undefined;
  data?: string | undefined;
  temperature?: number | undefined;
  item?: string | undefined;
  sample?: number | undefined;
  status?: 'ok' | 'error' | undefined;
  label?: Label | 'undecided' | undefined;
  outcome?: Outcome | undefined;
};

export type RunOf = { store: Store; doc: RunDoc; plan: Plan };

/**
 * By model, data set, temperature, sample and item; the stages of one sample stand together. Texts of private data are
 * withheld unless `privateTexts` says otherwise.
 */
export async function* recordsOf(
  { store, doc, plan }: RunOf,
  filter: RecordFilter,
  opts: { privateTexts: 'withheld' | 'shown' } = { privateTexts: 'withheld' },
): AsyncGenerator<PlacedRecord> {
  const pinned = await openPinned(store, doc.run);
  const withheld = opts.privateTexts === 'shown' ? new Set<string>() : privateData(plan);
  for (const { model, groups } of outline(plan, doc)) {
    if (!fits(filter.model, model)) continue;
    for (const group of groups.map(ownStages)) {
      const { data, temperature, condition } = group;
      const under = condition === undefined ? {} : { condition };
      if (!fits(filter.data, data) || !fits(filter.temperature, temperature)) continue;
      const items = await itemSetOf(store, plan, group);
      for await (const record of groupRecords(pinned, { group, items, filter }))
        yield withheld.has(data)
          ? { model, data, temperature, ...under, private: true, record: withheldRecord(record) }
          : { model, data, temperature, ...under, record };
    }
  }
}

type InGroup = { group: Group; items: Pick<ItemSet, 'slice'>; filter: RecordFilter };

async function* groupRecords(pinned: Pinned, { group, items, filter }: InGroup): AsyncGenerator<StageRecord> {
  for (let sample = 0; sample < group.samples; sample += 1) {
    if (!fits(filter.sample, sample)) continue;
    for (let block = 0; block < group.blocks; block += 1) {
      const { start, end } = blockRange(block, group.size, group.items);
      const ids = items.slice(start, end).map(({ id }) => id);
      const asked = ids.filter((item) => fits(filter.item, item));
      if (asked.length > 0) yield* blockRecords(pinned, { group, block, sample }, { items: asked, filter });
    }
  }
}

type Block = Omit<PinnedPlace, 'stage'>;

async function* blockRecords(
  pinned: Pinned,
  at: Block,
  { items, filter }: { items: string[]; filter: RecordFilter },
): AsyncGenerator<StageRecord> {
  const chosen = await chooser(pinned, at, filter);
  const stages = at.group.stages.map(({ stage }) => stage).filter((stage) => fits(filter.stage, stage));
  const found = await Promise.all(stages.map((stage) => byItem(pinned, { ...at, stage })));
  for (const item of items.filter(chosen)) {
    for (const records of found) {
      const record = records.get(item);
      if (record !== undefined && fits(filter.status, record.result.status)) yield record;
    }
  }
}

/** Whether an item's sample has the label and the outcome asked for. */
async function chooser(
  pinned: Pinned,
  at: Block,
  { label, outcome }: RecordFilter,
): Promise<(item: string) => boolean> {
  const none = new Map<string, never>();
  const judgements = label === undefined ? none : await byItem<Judgement>(pinned, { ...at, stage: 'judgement' });
  const scores = outcome === undefined ? none : await byItem<Score>(pinned, { ...at, stage: 'score' });
  const answers = outcome === 'error' ? await byItem(pinned, { ...at, stage: 'assistant_turn' }) : none;
  return (item) => {
    const judgement = judgements.get(item)?.result;
    const score = scores.get(item)?.result;
    const failed = score?.status === 'error' || answers.get(item)?.result.status === 'error';
    const itsLabel = judgement?.status === 'ok' ? (judgement.body.label ?? 'undecided') : null;
    const itsOutcome = failed ? 'error' : score?.status === 'ok' ? score.body.outcome : null;
    return fits(label, itsLabel) && fits(outcome, itsOutcome);
  };
}

async function byItem<Body = unknown>(pinned: Pinned, place: PinnedPlace): Promise<Map<string, StageRecord<Body>>> {
  const records = await pinned.records<Body>(place);
  return new Map(records.map((record) => [record.result.item, record]));
}

function fits<T>(wanted: T | undefined, value: T | null): boolean {
  return wanted === undefined || wanted === value;
}
