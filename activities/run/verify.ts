// Looking through a whole store: every object against its name, and every run against what it goes by.

import type { Campaign } from '../../domain/plan/graph.ts';
import { outline } from '../../domain/plan/outline.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { inLanes } from '../store/lanes.ts';
import { getPlan } from '../store/plans.ts';
import { listRuns } from '../store/runs.ts';
import { isPart, isSegment, shardFolder } from '../store/shard.ts';
import { faultIn } from '../store/soundness.ts';
import type { Store } from '../store/store.ts';
import { readEnding, readPins, readRun, readWithheld } from './documents.ts';
import { checkSources } from './whole.ts';

export type Kind = 'plans' | 'blobs' | 'parts' | 'segments' | 'documents' | 'others';

/** `found`: what is missing or damaged, with what to do. */
export type Verified = { checked: Record<Kind, number>; runs: number; found: Found[] };
export type Found = { path: string; what: string; advice: string };

const lanes = 16;
const sayEvery = 1_000;

/** Reads everything. @throws WorldProblem, and ConfigProblem where the store itself cannot be used */
export async function verifyStore(store: Store, opts: { report(line: string): void }): Promise<Verified> {
  const checked: Record<Kind, number> = { plans: 0, blobs: 0, parts: 0, segments: 0, documents: 0, others: 0 };
  const found = new Map<string, Found>();
  let seen = 0;
  await inLanes(store.below(''), lanes, async (path) => {
    const bytes = await store.read(path);
    if (bytes === null) return;
    const fault = await faultIn(path, bytes);
    if (fault !== null) found.set(path, { path, what: `damaged: ${fault}`, advice: adviceFor(path, 'damaged') });
    checked[kindOf(path)] += 1;
    seen += 1;
    if (seen % sayEvery === 0) opts.report(`${seen} objects read`);
  });

  const runs = await listRuns(store);
  for (const run of runs) {
    for (const one of await lacks(store, run)) if (!found.has(one.path)) found.set(one.path, one);
  }
  return { checked, runs: runs.length, found: [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** What a run goes by and is not there. */
async function lacks(store: Store, run: string): Promise<Found[]> {
  const found: Found[] = [];
  const looked = async <T>(look: () => Promise<T>): Promise<T | null> => {
    try {
      return await look();
    } catch (problem) {
      if (!(problem instanceof ConfigProblem) || problem.place.file === undefined) throw problem;
      const path = problem.place.file.slice(store.uri.length + 1);
      found.push({ path, what: problem.message, advice: problem.advice });
      return null;
    }
  };
  const leftOut = await looked(async () => {
    const [doc, without] = [await readRun(store, run), await readWithheld(store, run)];
    const plan = await getPlan(store, doc.plan);
    await checkSources(store, plan, without);
    return keysWithout(outline(plan, doc), without);
  });
  await looked(() => readEnding(store, run));
  const pins = await looked(() => readPins(store, run));
  for (const [key, ofStage] of Map.groupBy(pins?.pins.values() ?? [], (pin) => pin.key)) {
    if (leftOut?.has(key)) continue;
    const missing = new Set(ofStage.map((pin) => shardFolder(pin) + pin.part));
    for await (const path of store.below(`stages/${key}`)) missing.delete(path);
    for (const path of missing)
      found.push({ path, what: `missing: ${run} goes by it`, advice: adviceFor(path, 'missing') });
  }
  return found;
}

/** Keys of stages that an imported run came without. */
function keysWithout(campaigns: Campaign[], without: ReadonlySet<string>): Set<string> {
  const groups = campaigns.flatMap((campaign) => campaign.groups.filter(({ data }) => without.has(data)));
  return new Set(groups.flatMap(({ stages }) => stages.map(({ key }) => key)));
}

function kindOf(path: string): Kind {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path.startsWith('plans/')) return 'plans';
  if (path.startsWith('blobs/')) return 'blobs';
  if (path.startsWith('runs/') || path.startsWith('nights/')) return 'documents';
  if (path.startsWith('stages/')) return isPart(name) ? 'parts' : isSegment(name) ? 'segments' : 'others';
  return 'others';
}

const restore = {
  damaged: 'Delete it, and restore it from a copy: uturn store sync <copy> <this store>.',
  missing: 'Restore it from a copy: uturn store sync <copy> <this store>.',
};

function adviceFor(path: string, fault: keyof typeof restore): string {
  const kind = kindOf(path);
  if (kind === 'parts') return `${restore[fault]} Or have it made again: uturn resume <run>.`;
  if (kind === 'segments') return 'Nothing has to be done: lines that cannot be read are made again.';
  if (kind === 'plans' || kind === 'blobs')
    return `${restore[fault]} Or plan the experiment again from the same config and data.`;
  return restore[fault];
}
