// An archive of a run put into a store: every object checked, nothing replaced, and the run's own documents last.
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import { checkedPath } from '../store/paths.ts';
import { documentText } from '../store/runs.ts';
import { faultIn } from '../store/soundness.ts';
import type { Store } from '../store/store.ts';
import type { TarEntry } from '../store/tar.ts';
import { type Manifest, manifestName } from './archive.ts';
import { withheldFile } from './documents.ts';

/** `added`: objects that the store lacked. */
export type Unpacked = { manifest: Manifest; objects: number; added: number; bytes: number };

const schema = z.looseObject({
  format: z.literal(1),
  run: z.string(),
  plan: z.string(),
  uturn: z.string(),
  parts: z.int().min(0),
  blobs: z.int().min(0),
  withheld: z.array(z.string()),
  documents: z.record(z.string(), z.string()),
});

/** `file` is only named in problems. @throws ConfigProblem  something in it is damaged, missing or not its own; WorldProblem */
export async function unpackRun(store: Store, entries: AsyncIterable<TarEntry>, file: string): Promise<Unpacked> {
  const refuse = (why: string) =>
    new ConfigProblem(`this archive cannot be imported: ${why}`, {
      place: { file },
      advice: 'What was imported before stays, and does no harm. Have the archive made or copied again.',
    });
  let manifest: Manifest | null = null;
  const documents = new Map<string, Uint8Array>();
  const found = { objects: 0, added: 0, bytes: 0, parts: 0, blobs: 0, plans: 0 };
  for await (const { path, bytes } of entries) {
    if (manifest === null) {
      manifest = path === manifestName ? manifestIn(bytes) : null;
      if (manifest === null) throw refuse(`it does not begin with ${manifestName}`);
      await checkFree(store, manifest);
      continue;
    }
    const kind = kindOf(checkedPath(path), manifest);
    if (kind === null) throw refuse(`${path} does not belong into an archive of ${manifest.run}`);
    const fault =
      manifest.documents[path] === undefined ? await faultIn(path, bytes) : documentFault(manifest, path, bytes);
    if (fault !== null) throw refuse(`${path} is damaged: ${fault}`);
    found.objects += 1;
    found.bytes += bytes.byteLength;
    if (kind === 'documents') {
      documents.set(path, Buffer.from(bytes));
      continue;
    }
    found[kind] += 1;
    const outcome = await store.create(path, bytes);
    if (outcome === 'created') found.added += 1;
  }
  if (manifest === null) throw refuse('it is empty');
  const whole =
    found.plans === 1 &&
    found.parts === manifest.parts &&
    found.blobs === manifest.blobs &&
    documents.size === Object.keys(manifest.documents).length;
  if (!whole) throw refuse('it does not hold all that it says');
  const added = await putDocuments(store, manifest, documents);
  return { manifest, objects: found.objects, added: found.added + added, bytes: found.bytes };
}

/** The run is there once all that it goes by is. */
async function putDocuments(store: Store, manifest: Manifest, documents: Map<string, Uint8Array>): Promise<number> {
  let added = 0;
  const put = async (path: string, bytes: Uint8Array | string) => {
    if ((await store.create(path, bytes)) === 'created') added += 1;
  };
  for (const [path, bytes] of documents) await put(path, bytes);
  if (manifest.withheld.length > 0)
    await put(`runs/${manifest.run}/${withheldFile}`, documentText({ data: manifest.withheld }));
  return added;
}

/** @throws ConfigProblem  the store has a run of this name that says something else */
async function checkFree(store: Store, { run, documents }: Manifest): Promise<void> {
  for (const [path, digest] of Object.entries(documents)) {
    const there = await store.read(path);
    if (there !== null && sha256(there) !== digest)
      throw new ConfigProblem(`the store has a run ${run} already, and it says something else`, {
        place: { file: `${store.uri}/${path}` },
        advice: 'Import it into a store of its own: UTURN_STORE=<folder> uturn import <file>',
      });
  }
}

type Kind = 'plans' | 'blobs' | 'parts' | 'documents';

/** Null where an archive of this run has no business with the path. */
function kindOf(path: string, { run, plan, documents }: Manifest): Kind | null {
  if (path === `plans/${plan}.json`) return 'plans';
  if (/^blobs\/[0-9a-f]{64}$/.test(path)) return 'blobs';
  if (/^stages\/[0-9a-f]+\/\d+-\d+\/part-[0-9a-f]{64}\.jsonl\.gz$/.test(path)) return 'parts';
  return path.startsWith(`runs/${run}/`) && documents[path] !== undefined ? 'documents' : null;
}

function documentFault({ documents }: Manifest, path: string, bytes: Uint8Array): string | null {
  return sha256(bytes) === documents[path] ? null : 'it does not have the SHA-256 that the archive gives it';
}

function manifestIn(bytes: Uint8Array): Manifest | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
