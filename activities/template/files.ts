// A chat template out of files: a Jinja file, a tokenizer's configuration, or the folder of a model.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';

/** Token texts are null where no file says them. */
export type TemplateSource = { template: string; bos_token: string | null; eos_token: string | null };

/** `given`: a text in place of the files' template. `name`: which of several templates; left out, the default. */
export type WhichTemplate = { given?: string | null; name?: string };

/**
 * A folder's template with its tokens: `chat_template.jinja` (others by name in `additional_chat_templates`), else
 * `chat_template.json`, else the `chat_template` of `tokenizer_config.json`. Of a file: what it holds.
 * @throws ConfigProblem  nothing there, no template in it, or several and none of them the one asked for
 */
export async function templateFromFiles(path: string, which: WhichTemplate = {}): Promise<TemplateSource> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw problem(path, 'there is no such file or folder.', 'Check the path.');
  if (found.isDirectory()) return fromFolder(path, which);
  if (!/\.json$/i.test(path)) return { template: which.given ?? (await text(path)), bos_token: null, eos_token: null };
  const config = await readJson(path);
  const beside = basename(path) === TOKENIZER ? config : await readJson(join(dirname(path), TOKENIZER));
  return { template: which.given ?? chosen(named(config), which, path), ...tokensOf(beside) };
}

const TOKENIZER = 'tokenizer_config.json';
const DEFAULT = 'default';

async function fromFolder(path: string, which: WhichTemplate): Promise<TemplateSource> {
  const config = await readJson(join(path, TOKENIZER));
  const { given } = which;
  if (typeof given === 'string') return { template: given, ...tokensOf(config) };
  const separate = await separateTemplates(path);
  const processor = separate.size > 0 ? null : await readJson(join(path, 'chat_template.json'));
  const sources = [separate, named(processor), named(config)];
  return { template: chosen(sources.find((one) => one.size > 0) ?? new Map(), which, path), ...tokensOf(config) };
}

/** Files of their own; each is read when it is chosen. */
async function separateTemplates(path: string): Promise<Templates> {
  const templates: Templates = new Map();
  const main = await textOrNull(join(path, 'chat_template.jinja'));
  if (main !== null) templates.set(DEFAULT, main);
  const others = await readdir(join(path, 'additional_chat_templates')).catch(() => []);
  for (const file of others.filter((name) => name.endsWith('.jinja')).sort()) {
    templates.set(basename(file, '.jinja'), await text(join(path, 'additional_chat_templates', file)));
  }
  return templates;
}

type Templates = Map<string, string>;

function chosen(templates: Templates, { name }: WhichTemplate, path: string): string {
  const only = name === undefined && templates.size === 1 ? [...templates.values()][0] : undefined;
  const template = only ?? templates.get(name ?? DEFAULT);
  if (template !== undefined) return template;
  if (templates.size === 0) {
    const advice = 'Name a folder with chat_template.jinja, or with a chat_template in tokenizer_config.json.';
    throw problem(path, 'holds no chat template.', advice);
  }
  const names = [...templates.keys()].join(', ');
  if (name !== undefined)
    throw problem(path, `holds no chat template named ${name}, but ${names}.`, 'Name one of these.');
  const advice = 'Choose one with --template-name, or put it into a .jinja file.';
  throw problem(path, `holds several chat templates (${names}), none of them the default.`, advice);
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

function named(config: TokenizerConfig | null): Templates {
  const given = config?.chat_template ?? [];
  return new Map(Array.isArray(given) ? given.map((one) => [one.name, one.template]) : [[DEFAULT, given]]);
}

function tokensOf(config: TokenizerConfig | null): Omit<TemplateSource, 'template'> {
  return { bos_token: config?.bos_token ?? null, eos_token: config?.eos_token ?? null };
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
