// What became of the same samples in another run: labels and outcomes side by side, item by item.
import type { Store } from '../../activities/store/store.ts';
import { type Group, ownStages } from '../../domain/plan/graph.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { Judgement, Score, Stage, StageRecord } from '../../domain/records/record.ts';
import { openPinned } from '../pinned.ts';
import type { RunOf } from '../records.ts';

/** `before`, `after`: `right`, or `plausible_followup (genuine)`; `missing` where one run has no record. */
export type Change = {
  model: string;
  data: string;
  temperature: number;
  item: string;
  sample: number;
  stage: Stage;
  before: string;
  after: string;
};

/** `compared`: verdicts that were given anew. What references say is the same for all cells, and is here once. */
export type Changes = { compared: number; changed: Change[] };

export type Of = Omit<RunOf, 'store'>;

/** Verdicts of two runs over the same turns, a block at a time in memory. Stages that they share are not looked at. */
export async function changesBetween(store: Store, before: Of, after: Of): Promise<Changes> {
  const [old, now] = [await openPinned(store, before.doc.run), await openPinned(store, after.doc.run)];
  const changes: Changes = { compared: 0, changed: [] };
  for (const { cell, stage, groups, block, sample } of placesOf(before, after)) {
    if (!isVerdict(stage)) continue;
    const was = verdictsIn(await old.records({ group: groups.before, stage, block, sample }));
    const is = verdictsIn(await now.records({ group: groups.after, stage, block, sample }));
    // One that takes fewer items lacks the others on purpose.
    const alike = groups.before.items === groups.after.items;
    for (const item of new Set([...(alike ? was.keys() : []), ...is.keys()])) {
      const [one, two] = [was.get(item) ?? 'missing', is.get(item) ?? 'missing'];
      changes.compared += 1;
      if (one !== two) changes.changed.push({ ...cell, item, sample, stage, before: one, after: two });
    }
  }
  return changes;
}

type Place = {
  cell: Pick<Change, 'model' | 'data' | 'temperature'>;
  stage: Stage;
  groups: { before: Group; after: Group };
  block: number;
  sample: number;
};

/** Where both runs have records of their own: stages that they share, and samples that only one was asked for, are left out. */
export function* placesOf(before: Of, after: Of): Generator<Place> {
  const seen = new Set<string>();
  const others = outline(after.plan, after.doc);
  for (const [at, { model, groups }] of outline(before.plan, before.doc).entries()) {
    for (const [place, group] of groups.map(ownStages).entries()) {
      const other = others[at]?.groups[place];
      if (other === undefined) continue;
      const cell = { model, data: group.data, temperature: group.temperature };
      for (const { stage, key } of group.stages) {
        const isAnew = !other.stages.some((node) => node.key === key);
        if (!isAnew || seen.has(key)) continue;
        seen.add(key);
        for (const tree of treesIn(other)) yield { cell, stage, groups: { before: group, after: other }, ...tree };
      }
    }
  }
}

function* treesIn({ blocks, samples }: Group): Generator<Pick<Place, 'block' | 'sample'>> {
  for (let sample = 0; sample < samples; sample += 1)
    for (let block = 0; block < blocks; block += 1) yield { block, sample };
}

function isVerdict(stage: Stage): boolean {
  return stage === 'judgement' || stage === 'reference_judgement' || stage === 'score';
}

function verdictsIn(records: StageRecord[]): Map<string, string> {
  return new Map(records.map((record) => [record.result.item, verdictOf(record)]));
}

/** Words alone, no text of the data: private data may be compared too. */
function verdictOf({ result }: StageRecord): string {
  if (result.status === 'error') return 'error';
  if (result.stage === 'score') return (result.body as Score).outcome;
  const { label, genuine } = result.body as Judgement;
  return label === null ? 'undecided' : `${label} (${genuine ? 'genuine' : 'not genuine'})`;
}
