import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderDigest } from '../../../activities/engine/digest.ts';
import { openHome } from '../../../local/home.ts';

const plain = {
  'model.safetensors': 'weights',
  'config.json': '{}',
  'tokenizer.json': '{"model":1}',
  'merges.txt': 'a b',
};

async function place(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'uturn-digest-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const home = await openHome({ UTURN_HOME: join(folder, 'home') });
  const model = join(folder, 'model');
  const write = (more: Record<string, string>) =>
    Promise.all(Object.entries(more).map(([name, text]) => writeFile(join(model, name), text)));
  await mkdir(model);
  await write(files);
  return { folder, model, write, digest: (at = model) => folderDigest(at, { home, report: () => undefined }) };
}

test.each<[string, Record<string, string>, 'same' | 'another']>([
  ['what people read', { 'README.md': 'hello', 'LICENSE.txt': 'x', '.gitattributes': 'y' }, 'same'],
  ['a chat template, which has a digest of its own', { 'chat_template.jinja': '{{ x }}' }, 'same'],
  ['weights in a format that is not loaded', { 'pytorch_model.bin': 'z' }, 'same'],
  ['other weights', { 'model.safetensors': 'Weights' }, 'another'],
  ['more weights', { 'model-2.safetensors': 'weights' }, 'another'],
  ['another tokenizer', { 'tokenizer.json': '{"model":2}' }, 'another'],
  ['other merges', { 'merges.txt': 'a c' }, 'another'],
  ['end tokens of its own', { 'generation_config.json': '{"eos_token_id":2}' }, 'another'],
  ['code', { 'modeling.py': 'pass' }, 'another'],
])('%s: the folder is the %s model', async (_, change, expected) => {
  const at = await place(plain);
  const before = await at.digest();
  await at.write(change);
  expect((await at.digest()) === before ? 'same' : 'another').toBe(expected);
});

test('a folder that was moved is the same model, and a change that keeps size and date is found', async () => {
  const at = await place(plain);
  const before = await at.digest();
  const moved = join(at.folder, 'elsewhere');
  await rename(at.model, moved);
  expect(await at.digest(moved)).toBe(before);

  const file = join(moved, 'model.safetensors');
  await utimes(file, 1, 1);
  await at.digest(moved);
  await writeFile(file, 'WEIGHTS');
  await utimes(file, 1, 1);
  expect(await at.digest(moved)).not.toBe(before);
});

test('a folder without weights, and none at all, are sentences', async () => {
  const at = await place({ 'config.json': '{}' });
  await expect(at.digest()).rejects.toThrow(`${at.model} holds no weights`);
  await expect(at.digest('/nowhere')).rejects.toThrow('the folder /nowhere cannot be read');
});
