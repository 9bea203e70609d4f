import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { resolveLocalModel } from '../../../local/llama/models.ts';

const baseDir = await mkdtemp(join(tmpdir(), 'uturn-models-'));
await writeFile(join(baseDir, 'tiny.gguf'), 'GGUF and the rest of it');
await writeFile(join(baseDir, 'other.gguf'), 'ONNX');
await writeFile(join(baseDir, 'short.gguf'), 'GG');
const opts = { baseDir, report: () => {} };

async function refusal(nameOrPath: string): Promise<string> {
  const problem = await resolveLocalModel(nameOrPath, opts).catch((error: unknown) => error);
  if (!(problem instanceof ConfigProblem)) throw new Error(`not refused: ${nameOrPath}`);
  return sentence(problem).replaceAll(baseDir, '<dir>');
}

test('a path is relative to the config and names the model', async () => {
  expect(await resolveLocalModel('./tiny.gguf', opts)).toEqual({ name: 'tiny', file: join(baseDir, 'tiny.gguf') });
  expect(await resolveLocalModel('tiny.gguf', opts)).toEqual({ name: 'tiny', file: join(baseDir, 'tiny.gguf') });
});

test.each([
  [
    'smollm2-135',
    `there is no local model named "smollm2-135"\n  Did you mean smollm2-135m? Known are smollm2-135m, and paths of GGUF files.`,
  ],
  [
    'gpt-9-ultra-large',
    `there is no local model named "gpt-9-ultra-large"\n  Known are smollm2-135m, and paths of GGUF files.`,
  ],
  ['constructor', `there is no local model named "constructor"\n  Known are smollm2-135m, and paths of GGUF files.`],
  ['lost/model.gguf', 'there is no model file <dir>/lost/model.gguf\n  Check the path.'],
  ...['other.gguf', 'short.gguf'].map((file) => [
    file,
    `<dir>/${file} is not a GGUF file\n  Local models are single GGUF files. For other weights start a model server and give its address (url:).`,
  ]),
])('%s is refused with what to do', async (nameOrPath, expected) => {
  expect(await refusal(nameOrPath)).toBe(expected);
});
