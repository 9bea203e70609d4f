import fc from 'fast-check';
import { expect, test } from 'vitest';
import { familiesOf, familyOf } from '../../domain/family.ts';

test.each([
  ['Qwen3.5-0.8B', 'Qwen3.5'],
  ['Qwen/Qwen3.5-397B-A17B', 'Qwen3.5'],
  ['gpt-oss-20b', 'gpt-oss'],
  ['GLM-4.7', 'GLM-4.7'],
  ['smollm2-135m', 'smollm2'],
  ['Llama-3.1-8B-Instruct', 'Llama-3.1'],
  ['Mixtral-8x7B-v0.1', 'Mixtral'],
  ['gemma-3n-E4B-it', 'gemma-3n'],
  ['gpt-5.4-mini', 'gpt-5.4-mini'],
  ['7B', '7B'],
  ['a/', 'a/'],
  ['', ''],
])('%j is of %j', (model, family) => {
  expect(familyOf(model)).toBe(family);
});

test('families keep the order of their models, whatever their capitals', () => {
  expect(familiesOf(['GLM-4.7', 'qwen3.5-2b', 'gpt-oss-20b', 'Qwen3.5-9B', 'qwen3.5-2b'])).toEqual([
    { family: 'GLM-4.7', models: ['GLM-4.7'] },
    { family: 'qwen3.5', models: ['qwen3.5-2b', 'Qwen3.5-9B'] },
    { family: 'gpt-oss', models: ['gpt-oss-20b'] },
  ]);
});

test('every model is in one family', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (models) => {
      expect(
        familiesOf(models)
          .flatMap((one) => one.models)
          .sort(),
      ).toEqual([...new Set(models)].sort());
    }),
  );
});
