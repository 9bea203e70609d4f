import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openingAfter, openingOf, visiblePart } from '../../../domain/accuracy/reasoning.ts';

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['<think>a</think>b', 'b'],
  ['\n<think>\na\n</think>\n\nb', '\n\n\nb'],
  ['<think></think>b', 'b'],
  ['[THINK]a[/THINK]b', 'b'],
  ['<think>a</think>b<think>c</think>d', 'bd'],
  ['<think>a <think> b</think>c', 'c'],
  ['a</think>b', 'b'],
  ['a</think>b</think>c', 'c'],
  ['<think>a</think>b</think>c', 'c'],
  ['Put it in <think> tags.', 'Put it in <think> tags.'],
  ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>', 'b'],
  ['b<|im_end|>', 'b'],
  ['b</s>\n', 'b'],
  ['<|channel>thought\na<channel|>b<turn|>', 'b'],
])('%j shows %j', (text, visible) => expect(visiblePart(text)).toBe(visible));

test.each([
  '<think>a',
  '<think>',
  '  <think>a Answer: 5',
  'b\n<think>a Answer: 5',
  '<think>a</think>b\n<think>c',
  '<|channel|>analysis<|message|>a',
  '<|channel>thought\na',
])('%j ends inside its reasoning', (text) => expect(visiblePart(text)).toBeNull());

test.each([
  ['a', null],
  ['', null],
  ['a</think>b', 'b'],
  ['a <think> b</think>c', 'c'],
])('after a prompt that opened reasoning %j shows %j', (text, visible) => {
  expect(visiblePart(text, { opens: 'reasoning' })).toBe(visible);
});

test.each([
  ['<|im_start|>assistant\n<think>\n', 'reasoning'],
  ['<|assistant|><think>', 'reasoning'],
  ['<s>[INST]Why?[/INST][THINK]', 'reasoning'],
  ['<|turn>model\n<|channel>thought\n', 'reasoning'],
  ['<|start|>assistant<|channel|>analysis<|message|>', 'reasoning'],
  ['<|im_start|>assistant\n<think>\n\n</think>\n\n', 'answer'],
  ['<|turn>model\n<|channel>thought\n<channel|>', 'answer'],
  ['<|im_start|>user\nWhat is <think>?<|im_end|>\n<|im_start|>assistant\n', 'answer'],
  ['', 'answer'],
])('after the prompt %j comes the %s', (prompt, opens) => expect(openingAfter(prompt)).toEqual({ opens }));

test('a recorded turn knows what its text begins with; one that was given begins with the answer', () => {
  const prompt = { form: 'text', sha256: '', tokens: 0, ids: null } as const;
  expect(openingOf({ prompt: { ...prompt, opens: 'reasoning' } })).toEqual({ opens: 'reasoning' });
  expect(openingOf({ prompt })).toEqual({ opens: 'answer' });
  expect(openingOf({ prompt: null })).toEqual({ opens: 'answer' });
});

test('what stands in closed reasoning is never shown', () => {
  const prose = fc.string({ unit: fc.constantFrom(...'ab \n<>') });
  fc.assert(
    fc.property(prose, prose, (before, after) => {
      expect(visiblePart(`<think>${before}SECRET${before}</think>${after}`)).toBe(after);
      expect(visiblePart(`${before}SECRET${before}</think>${after}`)).toBe(after);
    }),
  );
});
