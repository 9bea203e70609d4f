// What a folder of model files holds, as one digest. Hundreds of gigabytes are read once, until a file changes.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import { hashOf, sha256 } from '../../domain/records/canonical.ts';
import type { Home } from '../../local/home.ts';
import { sha256OfFile } from '../../local/llama/weights.ts';
import { readRecord, writeRecord } from '../../local/records.ts';

export type DigestDeps = { home: Home; report(line: string): void };

/** Digest by which results on a model's weights are known: of its folder's content, or of its commit on the hub. */
export async function weightsOf(
  { model, revision }: { model: string; revision: string | null },
  deps: DigestDeps,
): Promise<string> {
  return revision === null ? folderDigest(model, deps) : sha256(`hub:${model}@${revision}`);
}

/**
 * Digest of the weights and of what an engine reads beside them: configuration and tokenizer, by name and content. The
 * folder's own path, and what is only there to be read by people, is not in it.
 * @throws ConfigProblem  no such folder, or no weights in it
 */
export async function folderDigest(folder: string, deps: DigestDeps): Promise<string> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new ConfigProblem(`the folder ${folder} cannot be read`, { advice: 'Check the path.', cause });
  });
  const weights = weightsIn(names);
  if (weights.length === 0) {
    throw new ConfigProblem(`${folder} holds no weights`, {
      advice: 'A model’s folder has *.safetensors (or *.bin, *.pt) files beside its config.json.',
    });
  }
  const files: [string, string][] = [];
  for (const name of [...weights, ...names.filter((one) => beside.test(one))].sort()) {
    files.push([name, await fileDigest(join(folder, name), deps)]);
  }
  return hashOf(files);
}

const beside = /^(?!\.).*\.(?:json|model|tiktoken|py)$|^(?:merges|vocab)\.txt$/;

/** One format is loaded, safetensors first. */
function weightsIn(names: string[]): string[] {
  const formats = [/^(?!\.).*\.safetensors$/, /^(?!\.).*\.(?:bin|pt|pth)$/];
  const found = formats.map((format) => names.filter((name) => format.test(name)));
  return found.find((some) => some.length > 0) ?? [];
}

const known = z.object({ path: z.string(), stamp: z.string(), sha256: z.string() });

/** A file whose size, times and inode are what they were is not read again. */
async function fileDigest(path: string, { home, report }: DigestDeps): Promise<string> {
  const full = resolve(path);
  const { size, mtimeNs, ctimeNs, ino } = await stat(full, { bigint: true });
  const stamp = [size, mtimeNs, ctimeNs, ino].join(' ');
  const folder = join(home.dir, 'digests');
  const record = join(folder, `${sha256(full.toWellFormed()).slice(0, 32)}.json`);
  const found = await readRecord(record, known);
  if (found.state === 'read' && found.value.path === full && found.value.stamp === stamp) return found.value.sha256;

  if (size > 1_000_000_000n) report(`reading ${full} for its digest (${Math.round(Number(size) / 1e9)} GB)`);
  const digest = await sha256OfFile(full);
  await mkdir(folder, { recursive: true });
  // Two engines may read one file at once; who comes second has the same to write.
  await writeRecord(record, { path: full, stamp, sha256: digest }).catch(() => undefined);
  return digest;
}
