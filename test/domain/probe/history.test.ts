import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../domain/data/item.ts';
import type { Render } from '../../../domain/probe/bridge.ts';
import { type Rerendering, reasoningHabits, reasoningIn, rerendered } from '../../../domain/probe/history.ts';
import { rendererOf } from './shapes.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((renderer) => renderer.close())));

function renderOf(shape: string, kwargs: Record<string, unknown> = {}): Render {
  const renderer = rendererOf(shape, kwargs);
  open.push(renderer);
  return renderer.render;
}

const q: Message[] = [{ role: 'user', content: 'Why?' }];

type Said = { kwargs?: Record<string, unknown>; prompt?: string; text: string };

async function anew(how: Rerendering, shape: string, { kwargs, prompt = '', text }: Said): Promise<string> {
  const render = renderOf(shape, kwargs);
  const { field } = await reasoningHabits(q, render);
  return rerendered(how, { messages: q, prompt, text, field }, render);
}

describe('what a template does with reasoning', () => {
  test.each([
    // Only in the last turn, and from a field: gone once the user goes on.
    ['qwen3', {}, { field: 'reasoning_content', history: 'dropped' }],
    ['harmony', {}, { field: 'thinking', history: 'dropped' }],
    ['glm', {}, { field: 'reasoning_content', history: 'dropped' }],
    ['glm-opening', {}, { field: 'reasoning_content', history: 'dropped' }],
    ['glm-opening', { clear_thinking: false }, { field: 'reasoning_content', history: 'kept' }],
    // They take it out of the text.
    ['deepseek', {}, { field: null, history: 'dropped' }],
    ['gemma4', {}, { field: null, history: 'dropped' }],
    // They know nothing of it.
    ['chatml', {}, { field: null, history: 'kept' }],
    ['mistral', {}, { field: null, history: 'kept' }],
  ] as const)('%s %j', async (shape, kwargs, habits) => {
    expect(await reasoningHabits(q, renderOf(shape, kwargs))).toEqual(habits);
  });
});

const thought = '<think>\nHm.\n</think>\n\nIt is.';

describe('an answer rendered anew', () => {
  test.each<[how: Rerendering, shape: string, said: Said, end: string]>([
    ['strip', 'chatml', { text: thought }, 'assistant\nIt is.<|im_end|>\n<|im_start|>user\n'],
    ['template', 'chatml', { text: thought }, `assistant\n${thought}<|im_end|>\n<|im_start|>user\n`],
    ['strip', 'qwen3', { text: thought }, 'assistant\nIt is.<|im_end|>\n<|im_start|>user\n'],
    ['template', 'qwen3', { text: thought }, 'assistant\nIt is.<|im_end|>\n<|im_start|>user\n'],
    // What the prompt opened is put before the text again.
    [
      'template',
      'chatml',
      { prompt: 'assistant\n<think>\n', text: 'Hm.\n</think>\n\nIt is.' },
      `assistant\n${thought}<|im_end|>\n<|im_start|>user\n`,
    ],
    ['strip', 'glm-opening', { prompt: '<think>', text: 'Hm.</think>It is.' }, '<|assistant|></think>It is.<|user|>'],
    [
      'template',
      'glm-opening',
      { kwargs: { clear_thinking: false }, prompt: '<think>', text: 'Hm.</think>It is.' },
      '<|assistant|><think>Hm.</think>It is.<|user|>',
    ],
    [
      'strip',
      'harmony',
      { text: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is.' },
      '<|start|>assistant<|channel|>final<|message|>It is.<|end|><|start|>user<|message|>',
    ],
    [
      'template',
      'harmony',
      { text: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is.<|end|>' },
      '<|start|>assistant<|channel|>final<|message|>It is.<|end|><|start|>user<|message|>',
    ],
    ['strip', 'gemma4', { text: '<|channel>thought\nHm.<channel|>It is.' }, 'model\nIt is.<turn|>\n<|turn>user\n'],
    ['template', 'gemma4', { text: '<|channel>thought\nHm.<channel|>It is.' }, 'model\nIt is.<turn|>\n<|turn>user\n'],
    // Nothing was seen of an answer that was cut off inside its reasoning.
    ['strip', 'qwen3', { text: '<think>\nHm' }, 'assistant\n<|im_end|>\n<|im_start|>user\n'],
    ['strip', 'qwen3', { text: '' }, 'assistant\n<|im_end|>\n<|im_start|>user\n'],
    // A template trims what it prints; stripped, an answer is put in as it is.
    ['template', 'headers', { text: ' It is. ' }, '\n\nIt is.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n'],
    ['strip', 'headers', { text: ' It is. ' }, '\n\n It is. <|eot_id|><|start_header_id|>user<|end_header_id|>\n\n'],
    // It refuses an empty answer and a conversation that ends with one.
    ['template', 'fussy', { text: '' }, '<assistant></assistant><user>'],
    // Two stretches of reasoning cannot be told as one.
    ['template', 'qwen3', { text: '<think>a</think>b<think>c</think>d' }, 'assistant\nd<|im_end|>\n<|im_start|>user\n'],
  ])('%s, %s, %j', async (how, shape, said, end) => {
    const prompt = await anew(how, shape, said);
    expect(prompt.slice(-end.length)).toBe(end);
  });

  test('the conversation before it stands there as well', async () => {
    expect(await anew('strip', 'qwen3', { text: thought })).toBe(
      '<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\nIt is.<|im_end|>\n<|im_start|>user\n',
    );
  });

  test('an answer that the template refuses is a problem with its words', async () => {
    await expect(anew('template', 'harmony', { text: 'see <|channel|>final' })).rejects.toThrow(
      'give what was thought as `thinking`',
    );
  });
});

test.each([
  ['It is.', { visible: 'It is.', reasoning: '' }],
  [thought, { visible: 'It is.', reasoning: 'Hm.' }],
  ['<think>\nHm', { visible: '', reasoning: 'Hm' }],
  ['<think>a</think>b<think>c</think>d', { visible: 'bd', reasoning: null }],
  [
    '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|><|start|>assistant<|channel|>final<|message|>c',
    { visible: 'c', reasoning: 'a\nb' },
  ],
])('%j holds %j', (text, parts) => {
  expect(reasoningIn({ prompt: '', text })).toEqual(parts);
});
