// A chat template out of files: a Jinja file, or the folder of a tokenizer.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';

/** Token texts are null where no file says them. */
export type TemplateSource = { template: string; bos_token: string | null; eos_token: string | null };

/**
 * A folder's `chat_template.jinja`, else the `chat_template` of its `tokenizer_config.json`, with its tokens; or a
 * file's text as it stands. A text given takes the place of a folder's template.
 * @throws ConfigProblem  nothing there, no template in it, or several and none of them the default
 */
export async function templateFromFiles(path: string, given: string | null = null): Promise<TemplateSource> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw problem(path, 'there is no such file or folder.', 'Check the path.');
  if (!found.isDirectory()) return { template: await text(path), bos_token: null, eos_token: null };

  const config = await readJson(join(path, 'tokenizer_config.json'));
  const separate = await textOrNull(join(path, 'chat_template.jinja'));
  const template = given ?? separate ?? (config === null ? null : fromConfig(config, path));
  if (template === null) {
    const advice = 'Name a folder with chat_template.jinja, or with a chat_template in tokenizer_config.json.';
    throw problem(path, 'holds no chat template.', advice);
  }
  return { template, bos_token: config?.bos_token ?? null, eos_token: config?.eos_token ?? null };
}

const token = z
  .union([z.string(), z.looseObject({ content: z.string() }).transform((added) => added.content)])
  .nullish();

const tokenizerConfig = z.looseObject({
  chat_template: z.union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))]).nullish(),
  bos_token: token,
  eos_token: token,
});
type TokenizerConfig = z.output<typeof tokenizerConfig>;

function fromConfig({ chat_template: given }: TokenizerConfig, path: string): string | null {
  if (!Array.isArray(given)) return given ?? null;
  const chosen = given.length === 1 ? given[0] : given.find(({ name }) => name === 'default');
  if (chosen !== undefined) return chosen.template;
  const names = given.map(({ name }) => name).join(', ');
  throw problem(
    path,
    `holds several chat templates (${names}), none of them the default.`,
    'Put the one you mean into a .jinja file.',
  );
}

async function readJson(file: string): Promise<TokenizerConfig | null> {
  const content = await textOrNull(file);
  if (content === null) return null;
  const read = tokenizerConfig.safeParse(jsonOrNull(content));
  if (read.success) return read.data;
  throw problem(
    file,
    'is no tokenizer configuration.',
    'It may be cut off, or a pointer of git-lfs: get the file itself.',
  );
}

function jsonOrNull(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

async function textOrNull(file: string): Promise<string | null> {
  return (await stat(file).catch(() => null)) === null ? null : text(file);
}

async function text(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw problem(file, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, 'Check the path.');
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem(file, 'is not UTF-8 text.', 'Is this the right file?');
  }
}

function problem(file: string, message: string, advice: string): ConfigProblem {
  return new ConfigProblem(message, { place: { file }, advice });
}
