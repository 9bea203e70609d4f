// The files of a model that uturn serves, as far as a plan needs them: configuration, adapter, and those of a hub's model.
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import { lastLines, runCommand } from '../../local/command.ts';

export type ModelFiles = { model: string; revision: string | null; folder: string };

type Asked = { serve: string; revision: string | null };

/**
 * Where the model's configuration, tokenizer and template lie. Of a model on the hub just these are fetched, by the
 * Python that has vLLM.
 * @throws ConfigProblem  no such folder, no commit for a name on the hub, or the hub does not give it
 */
export async function modelFiles(asked: Asked, at: { baseDir: string; python: string }): Promise<ModelFiles> {
  const folder = resolve(at.baseDir, asked.serve);
  if ((await stat(folder).catch(() => null))?.isDirectory()) {
    if (asked.revision === null) return { model: folder, revision: null, folder };
    throw new ConfigProblem(`${folder} is a folder, which has no revision`, { advice: 'Leave out `revision`.' });
  }
  if (!/^[\w.-]+\/[\w.-]+$/.test(asked.serve) || asked.serve.startsWith('.')) {
    throw new ConfigProblem(`there is no folder ${folder}`, {
      advice: 'Check the path (it is relative to the config). A name on the hub is an owner and a model: owner/model.',
    });
  }
  if (asked.revision === null || !/^[0-9a-f]{40}$/.test(asked.revision)) {
    throw new ConfigProblem(
      `there is no folder ${folder}, and as a name on the hub ${asked.serve} needs its revision`,
      {
        advice:
          'Give `revision`, the full hash of a commit (40 characters): a branch or a tag may be another model tomorrow.',
      },
    );
  }
  return {
    model: asked.serve,
    revision: asked.revision,
    folder: await fromHub(asked.serve, asked.revision, at.python),
  };
}

/** The number format that a model's own configuration names, or null. */
export async function statedDtype(folder: string): Promise<string | null> {
  const { dtype, torch_dtype, text_config } = await json(join(folder, 'config.json'), modelConfig);
  const inner = text_config ?? {};
  return dtype ?? torch_dtype ?? inner.dtype ?? inner.torch_dtype ?? null;
}

/** Rank of a LoRA adapter. @throws ConfigProblem  the folder holds none */
export async function adapterRank(folder: string): Promise<number> {
  return (await json(join(folder, 'adapter_config.json'), z.looseObject({ r: z.int().min(1).max(512) }))).r;
}

const formats = { dtype: z.string().nullish(), torch_dtype: z.string().nullish() };
const modelConfig = z.looseObject({ ...formats, text_config: z.looseObject(formats).nullish() });

async function json<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new ConfigProblem(missing ? 'is not there.' : 'is not what it should be.', {
      place: { file },
      advice: missing
        ? 'Is this the folder of a whole model, or of a LoRA adapter?'
        : 'It may be cut off: fetch it again.',
      cause,
    });
  }
}

const FETCH = `
import sys
from huggingface_hub import snapshot_download
patterns = ["*.json", "*.jinja", "*.model", "*.tiktoken", "merges.txt", "vocab.txt"]
print("folder", snapshot_download(sys.argv[1], revision=sys.argv[2], allow_patterns=patterns))
`;

async function fromHub(name: string, revision: string, python: string): Promise<string> {
  const end = await runCommand(python, ['-c', FETCH, name, revision]);
  const folder = end.code === 0 ? /^folder (.+)$/m.exec(end.stdout)?.[1] : undefined;
  if (folder !== undefined) return folder;
  throw new ConfigProblem(`${name} at ${revision} cannot be had from the hub:${lastLines(end)}`, {
    advice: 'Check name, revision and network (HF_TOKEN for models behind a gate), or serve a folder.',
  });
}
