// Every record that a run goes by, hashed again, and held against the record that it was made from.
import { getBlob } from '../../activities/store/blobs.ts';
import { type LookedPart, lookAtPart } from '../../activities/store/faults.ts';
import { inLanes } from '../../activities/store/lanes.ts';
import type { Store } from '../../activities/store/store.ts';
import type { Group, StageNode } from '../../domain/plan/graph.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { StageRecord } from '../../domain/records/record.ts';
import { type CountedPart, openPinned, type Pinned } from '../pinned.ts';

/** `record`: which of a part's, counted from 1; null where it is none in particular. `path`: in the store. */
export type Fault = { path: string; record: number | null; item: string | null; sample: number | null; what: string };

/** `blobs`: data sets, templates, prompts. */
export type Checked = { records: number; parts: number; blobs: number; bytes: number; faults: Fault[] };

/** `without`: data sets that are not in this store. */
type Of = { doc: RunDoc; plan: Plan; without?: ReadonlySet<string> };

const lanes = 4;
const sayEvery = 1_000;

/** Reads all of a run, each part once where cells share it. @throws WorldProblem, and ConfigProblem where its pins cannot be read */
export async function checkRecords(store: Store, at: Of, opts: { report(line: string): void }): Promise<Checked> {
  const checked: Checked = { records: 0, parts: 0, blobs: 0, bytes: 0, faults: [] };
  const pinned = await openPinned(store, at.doc.run);
  const counted = new Set<string>();
  const look = async (part: CountedPart, node: StageNode): Promise<LookedPart> => {
    const looked = await lookAtPart(store, part, part.part);
    if (counted.has(looked.path)) return looked;
    counted.add(looked.path);
    checked.records += looked.records.length;
    checked.parts += 1;
    checked.bytes += looked.bytes;
    checked.faults.push(...looked.faults.map((fault) => ({ path: looked.path, ...fault })));
    checked.faults.push(...misplaced(looked, part, node));
    if (checked.parts % sayEvery === 0) opts.report(`${checked.parts} parts read`);
    return looked;
  };
  await inLanes(treesOf(at, pinned), lanes, (tree) => checkTree(tree, { look, faults: checked.faults }));
  await checkBlobs(store, at, checked);
  checked.faults = distinct(checked.faults);
  return checked;
}

/** The parts of one block and sample, by the place of their stage in the group. */
type TreeParts = { stages: StageNode[]; parts: (CountedPart | null)[] };

function* treesOf({ doc, plan, without }: Of, pinned: Pinned): Generator<TreeParts> {
  for (const { groups } of outline(plan, doc)) {
    for (const group of groups) {
      if (without?.has(group.data)) continue;
      const parts = group.stages.map(({ stage }) => byTree(pinned.parts(group, stage)));
      for (const tree of treeNames(group))
        yield { stages: group.stages, parts: parts.map((one) => one.get(tree) ?? null) };
    }
  }
}

function byTree(parts: CountedPart[]): Map<string, CountedPart> {
  return new Map(parts.map((part) => [`${part.block}-${part.sample}`, part]));
}

function* treeNames({ blocks, samples }: Group): Generator<string> {
  for (let sample = 0; sample < samples; sample += 1)
    for (let block = 0; block < blocks; block += 1) yield `${block}-${sample}`;
}

type Checking = { look(part: CountedPart, node: StageNode): Promise<LookedPart>; faults: Fault[] };

async function checkTree({ stages, parts }: TreeParts, { look, faults }: Checking): Promise<void> {
  const found: (LookedPart | null)[] = [];
  for (const [place, node] of stages.entries()) {
    const part = parts[place] ?? null;
    const looked = part === null ? null : await look(part, node);
    found.push(looked);
    const source = node.after === null ? null : (found[node.after] ?? null);
    if (looked !== null && source !== null && isReadable(source)) faults.push(...strayed(looked, source));
  }
}

/** Sound records, though perhaps not those of its name: then what was made from them says which are others. */
function isReadable({ records, faults }: LookedPart): boolean {
  return records.length > 0 && faults.every(({ record }) => record === null);
}

/** Records that stand where others belong, and parts that hold more or fewer than was written down. */
function misplaced({ path, records, faults }: LookedPart, part: CountedPart, node: StageNode): Fault[] {
  const strangers = records.flatMap(({ result }, at) => {
    const belongs = result.key === node.key && result.stage === node.stage && result.sample === part.sample;
    return belongs ? [] : [of(path, at, result, 'it belongs to another shard')];
  });
  const errors = records.filter(({ result }) => result.status === 'error').length;
  if (faults.length > 0 || (records.length === part.records && errors === part.errors)) return strangers;
  const what = `it holds ${records.length} records, ${errors} of them errors; the run wrote down ${part.records} and ${part.errors}`;
  return [...strangers, { path, record: null, item: null, sample: null, what }];
}

/** Records that were made from another one than the run goes by. */
function strayed({ path, records }: LookedPart, source: LookedPart): Fault[] {
  const hashes = new Map(source.records.map(({ hash, result }) => [result.item, hash]));
  return records.flatMap(({ result }, at) =>
    hashes.get(result.item) === result.from
      ? []
      : [of(path, at, result, `it was made from another record than the one in ${source.path}`)],
  );
}

function of(path: string, at: number, { item, sample }: StageRecord['result'], what: string): Fault {
  return { path, record: at + 1, item, sample, what };
}

async function checkBlobs(store: Store, { plan, without }: Of, checked: Checked): Promise<void> {
  const items = plan.data.filter(({ id }) => !without?.has(id)).map((data) => data.items);
  const templates = plan.models.flatMap(({ template }) => (template.source === 'jinja' ? [template.sha256] : []));
  const prompts = plan.judge.llm === undefined ? [] : [plan.judge.llm.prompt];
  for (const digest of new Set([...items, ...templates, ...prompts])) {
    try {
      const { byteLength } = await getBlob(store, digest);
      checked.bytes += byteLength;
      checked.blobs += 1;
    } catch (problem) {
      if (!(problem instanceof ConfigProblem)) throw problem;
      checked.faults.push({ path: `blobs/${digest}`, record: null, item: null, sample: null, what: problem.message });
    }
  }
}

/** What cells share is looked at once for each of them. */
function distinct(faults: Fault[]): Fault[] {
  const named = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return [...named.values()].sort((a, b) =>
    a.path === b.path ? (a.record ?? 0) - (b.record ?? 0) : a.path < b.path ? -1 : 1,
  );
}
