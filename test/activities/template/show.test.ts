import { afterAll, expect, test } from 'vitest';
import type { Habits } from '../../../activities/template/habits.ts';
import { jinjaRenderer } from '../../../activities/template/jinja.ts';
import { templateReport } from '../../../activities/template/show.ts';
import { templateText } from '../../../cli/template-text.ts';
import { python, rendererOf } from '../../domain/probe/shapes.ts';
import { templateServer } from './server.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

test('the report as data', async () => {
  const server = templateServer('headers', {
    added: ['<s>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '</s>'],
  });
  const renderer = rendererOf('headers');
  open.push(server, renderer);
  const report = await templateReport(renderer, { model: 'm', date: null, server });
  const { pieces, ...probe } = report.probe ?? { pieces: [] };
  expect(probe).toEqual({
    opening: '<s><|start_header_id|>user<|end_header_id|>\n\n',
    generationPrompt: '<|start_header_id|>assistant<|end_header_id|>\n\n',
    bridge: '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n',
    trims: true,
    earlier: 'kept',
    system: 'own turn',
    reasoning: { field: null, history: 'kept', opens: '' },
    stops: {
      assistant: { ids: [3, 4], texts: [], markers: ['<|eot_id|>', '</s>'] },
      user: { ids: [3, 4], texts: [], markers: ['<|eot_id|>', '</s>'] },
    },
  });
  expect(report.problems).toEqual([]);
  const textOf = (what: string) =>
    pieces
      .filter((piece) => piece.what === what)
      .map((piece) => piece.text)
      .join('');
  expect([textOf('prompt'), textOf('answer'), textOf('bridge')]).toEqual([
    '<s><|start_header_id|>user<|end_header_id|>\n\nWhy is the sky dark at night?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    'Because most of it is empty.',
    '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n',
  ]);
});

test('a template that prints only the last messages is told', async () => {
  const template =
    '{% for m in messages[-2:] %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}' +
    '{% if add_generation_prompt %}<|assistant|>{% endif %}';
  const renderer = jinjaRenderer({ python, template, date: null, bos_token: '', eos_token: '<|end|>', kwargs: {} });
  open.push(renderer);
  const server = { tokenize: async () => null, detokenize: async () => null };
  const report = await templateReport(renderer, { model: 'm', date: null, server });
  expect(report.probe?.earlier).toBe('lost');
  expect(report.problems).toContain(
    'Earlier turns: left out. In a conversation of several turns the model sees only the last ones.',
  );
  expect(templateText(report)).toMatch(/^ {2}earlier turns +left out$/m);
});

const inText = { field: null, history: 'kept', opens: '' } as const;

test.each<[shape: string, kwargs: Record<string, unknown>, habits: Partial<Habits>]>([
  ['chatml', {}, { trims: false, system: 'own turn', reasoning: inText }],
  ['qwen3', {}, { system: 'own turn', reasoning: { field: 'reasoning_content', history: 'dropped', opens: '' } }],
  [
    'qwen3',
    { opens_thinking: true },
    { reasoning: { field: 'reasoning_content', history: 'dropped', opens: '<think>\n' } },
  ],
  ['harmony', {}, { system: 'own turn', reasoning: { field: 'thinking', history: 'dropped', opens: '' } }],
  ['glm', {}, { opening: '[gMASK]<sop><|user|>\n', system: 'own turn' }],
  [
    'glm-opening',
    { clear_thinking: false },
    { reasoning: { field: 'reasoning_content', history: 'kept', opens: '<think>' } },
  ],
  ['llama3', {}, { trims: true, system: 'own turn', reasoning: inText }],
  ['gemma3', {}, { trims: true, system: 'first user turn' }],
  ['gemma4', {}, { trims: true, system: 'own turn', reasoning: { field: null, history: 'dropped', opens: '' } }],
  ['mistral', {}, { system: 'last user turn', generationPrompt: '' }],
  ['deepseek', {}, { system: 'own turn', reasoning: { field: null, history: 'dropped', opens: '<think>\n' } }],
  ['tagged', {}, { system: 'first user turn' }],
  ['turns', {}, { system: 'refused' }],
  ['silent', {}, { system: 'dropped' }],
])('%s %j', async (shape, kwargs, habits) => {
  const server = templateServer(shape, { can: 'nothing' });
  const renderer = rendererOf(shape, kwargs);
  open.push(server, renderer);
  const { probe } = await templateReport(renderer, { model: shape, date: null, server });
  expect(probe).toMatchObject(habits);
});

test('our rendering is compared with the server’s own', async () => {
  const renderer = rendererOf('chatml');
  open.push(renderer);
  const beside = async (shape: string, opts: Parameters<typeof templateServer>[1] = {}) => {
    const server = templateServer(shape, opts);
    open.push(server);
    return (await templateReport(renderer, { model: 'm', date: null, server })).server;
  };
  expect(await beside('chatml')).toEqual({ same: true });
  expect(await beside('chatml', { can: 'nothing' })).toBeNull();
  expect(await beside('qwen3')).toEqual({
    same: false,
    ours: '<|im_start|>system\nYou are a model that helps.<|im_end|>\n<|im_start|>user\nWhich ',
    theirs: '<|im_start|>user\nWhich metal is liquid at room temperature?<|im_end|>\n',
  });
  expect(await beside('endless', { date: '2026-01-02' })).toMatchObject({ same: false, theirs: null });
});
