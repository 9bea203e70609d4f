import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { templateFromFiles, type WhichTemplate } from '../../../activities/template/files.ts';
import { ConfigProblem } from '../../../domain/problems.ts';

/** What is found in a folder with these files; a problem as its message. */
async function found(files: Record<string, unknown>, name = '', which: WhichTemplate = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'uturn-template-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return templateFromFiles(join(folder, name), which).catch((error: unknown) => {
    if (error instanceof ConfigProblem) return error.message;
    throw error;
  });
}

const named = (...names: string[]) => names.map((name) => ({ name, template: `of ${name}` }));

test.each<[name: string, files: Record<string, unknown>, expected: Awaited<ReturnType<typeof found>>]>([
  [
    'a template in the configuration',
    {
      'tokenizer_config.json': { chat_template: 't', bos_token: '<s>', eos_token: { content: '</s>', lstrip: false } },
    },
    { template: 't', bos_token: '<s>', eos_token: '</s>' },
  ],
  [
    'a template of its own goes before it',
    { 'tokenizer_config.json': { chat_template: 'old', eos_token: '</s>' }, 'chat_template.jinja': 'new' },
    { template: 'new', bos_token: null, eos_token: '</s>' },
  ],
  ['a template alone', { 'chat_template.jinja': 'new' }, { template: 'new', bos_token: null, eos_token: null }],
  [
    'the default of several',
    { 'tokenizer_config.json': { chat_template: named('tool_use', 'default') } },
    { template: 'of default', bos_token: null, eos_token: null },
  ],
  [
    'the only one of a list',
    { 'tokenizer_config.json': { chat_template: named('chat') } },
    { template: 'of chat', bos_token: null, eos_token: null },
  ],
  [
    'several without a default',
    { 'tokenizer_config.json': { chat_template: named('rag', 'tool_use') } },
    'holds several chat templates (rag, tool_use), none of them the default.',
  ],
  ['no template', { 'tokenizer_config.json': { bos_token: null } }, 'holds no chat template.'],
  ['nothing', {}, 'holds no chat template.'],
  ['a pointer', { 'tokenizer_config.json': 'version https://example.org' }, 'is no tokenizer configuration.'],
])('%s', async (_, files, expected) => {
  expect(await found(files)).toEqual(expected);
});

const config = { chat_template: named('default', 'rag'), bos_token: '<s>', eos_token: '</s>' };
const several = { 'chat_template.jinja': 'main', 'additional_chat_templates/tools.jinja': 'with tools' };

test.each<[what: string, files: Record<string, unknown>, name: string, which: WhichTemplate, expected: unknown]>([
  ['a configuration by its file', { 'tokenizer_config.json': config }, 'tokenizer_config.json', {}, 'of default'],
  ['one of several by its name', { 'tokenizer_config.json': config }, '', { name: 'rag' }, 'of rag'],
  ['a folder’s own files by name', several, '', { name: 'tools' }, 'with tools'],
  ['their default', several, '', {}, 'main'],
  ['a processor’s template', { 'chat_template.json': { chat_template: 'seen' } }, '', {}, 'seen'],
  [
    'it goes before the tokenizer’s',
    { 'chat_template.json': { chat_template: 'seen' }, 'tokenizer_config.json': config },
    '',
    {},
    'seen',
  ],
  [
    'a processor’s template by its file',
    { 'chat_template.json': { chat_template: 'seen' } },
    'chat_template.json',
    {},
    'seen',
  ],
  ['a text given in its place', { 'tokenizer_config.json': config }, '', { given: 'mine' }, 'mine'],
])('%s', async (_, files, name, which, expected) => {
  const source = await found(files, name, which);
  expect(typeof source === 'string' ? source : source.template).toBe(expected);
});

test('tokens come from the configuration beside a template', async () => {
  const files = { 'chat_template.json': { chat_template: 'seen' }, 'tokenizer_config.json': config };
  expect(await found(files, 'chat_template.json')).toEqual({ template: 'seen', bos_token: '<s>', eos_token: '</s>' });
});

test('a name that is not there is answered with those that are', async () => {
  expect(await found(several, '', { name: 'rag' })).toBe('holds no chat template named rag, but default, tools.');
});

test('a file is taken as it stands, and must be text', async () => {
  expect(await found({ 'my.jinja': 'text' }, 'my.jinja')).toEqual({
    template: 'text',
    bos_token: null,
    eos_token: null,
  });
  expect(await found({}, 'my.jinja')).toBe('there is no such file or folder.');
  const folder = await mkdtemp(join(tmpdir(), 'uturn-template-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'bytes.jinja'), Buffer.from([0xff, 0xfe, 0x00]));
  await expect(templateFromFiles(join(folder, 'bytes.jinja'))).rejects.toThrow('is not UTF-8 text.');
  await mkdir(join(folder, 'chat_template.jinja'));
  await expect(templateFromFiles(folder)).rejects.toThrow('cannot be read: EISDIR');
});
