// A run as one archive: its plan, documents, pinned parts and what its plan names. Texts of private data stay at home.

import { outline } from '../../domain/plan/outline.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import { getPlan } from '../store/plans.ts';
import { documentText } from '../store/runs.ts';
import { shardFolder } from '../store/shard.ts';
import { faultIn } from '../store/soundness.ts';
import type { Store } from '../store/store.ts';
import type { TarEntry } from '../store/tar.ts';
import { pinKey, readPins, readRun } from './documents.ts';

export const manifestName = 'uturn-export.json';

/**
 * What an archive says of itself. `documents`: SHA-256 of what is not named by its content, by path. `withheld`: data sets whose
 * items, turns and verdicts are not in it.
 */
export type Manifest = {
  format: 1;
  run: string;
  plan: string;
  uturn: string;
  parts: number;
  blobs: number;
  withheld: string[];
  documents: Record<string, string>;
};

export type Archived = { manifest: Manifest; entries: AsyncGenerator<TarEntry> };

/** Every object is checked on its way. @throws ConfigProblem  one is missing or damaged */
export async function archiveOf(store: Store, run: string): Promise<Archived> {
  const doc = await readRun(store, run);
  const plan = await getPlan(store, doc.plan);
  const withheld = plan.data.flatMap((data) => (data.private ? [data.id] : []));
  const parts = await partsOf(store, { doc, plan }, new Set(withheld));
  const blobs = blobsOf(plan, new Set(withheld));
  const documents: Record<string, string> = {};
  for await (const path of store.below(`runs/${run}`)) documents[path] = sha256(await read(store, path));
  const inOrder = Object.keys(documents).sort();
  const manifest: Manifest = {
    format: 1,
    run,
    plan: doc.plan,
    uturn: doc.uturn,
    parts: parts.length,
    blobs: blobs.length,
    withheld,
    documents: Object.fromEntries(inOrder.map((path) => [path, documents[path] ?? ''])),
  };
  return { manifest, entries: entriesOf(store, manifest, [`plans/${doc.plan}.json`, ...blobs, ...parts, ...inOrder]) };
}

async function* entriesOf(store: Store, manifest: Manifest, paths: string[]): AsyncGenerator<TarEntry> {
  yield { path: manifestName, bytes: Buffer.from(documentText(manifest)) };
  for (const path of paths) yield { path, bytes: await read(store, path) };
}

/** Those that the run goes by, each once, in an order that is always the same. */
async function partsOf(
  store: Store,
  { doc, plan }: { doc: RunDoc; plan: Plan },
  without: Set<string>,
): Promise<string[]> {
  const { pins } = await readPins(store, doc.run);
  const paths = new Set<string>();
  for (const { groups } of outline(plan, doc)) {
    for (const { data, stages, blocks, samples } of groups) {
      if (without.has(data)) continue;
      for (const { key } of stages)
        for (let sample = 0; sample < samples; sample += 1)
          for (let block = 0; block < blocks; block += 1) {
            const pin = pins.get(pinKey({ key, block, sample }));
            if (pin !== undefined) paths.add(shardFolder(pin) + pin.part);
          }
    }
  }
  return [...paths].sort();
}

function blobsOf(plan: Plan, without: Set<string>): string[] {
  const items = plan.data.filter(({ id }) => !without.has(id)).map((data) => data.items);
  const templates = plan.models.flatMap(({ template }) => (template.source === 'jinja' ? [template.sha256] : []));
  const prompts = plan.judge.llm === undefined ? [] : [plan.judge.llm.prompt];
  return [...new Set([...items, ...templates, ...prompts])].sort().map((digest) => `blobs/${digest}`);
}

async function read(store: Store, path: string): Promise<Uint8Array> {
  const bytes = await store.read(path);
  const fault = bytes === null ? 'it is missing' : await faultIn(path, bytes);
  if (bytes !== null && fault === null) return bytes;
  throw new ConfigProblem(`this cannot be exported: ${fault}`, {
    place: { file: `${store.uri}/${path}` },
    advice:
      'Restore it from a copy of the store: uturn store sync <copy> <this store>. Damaged files have to be deleted first.',
  });
}
