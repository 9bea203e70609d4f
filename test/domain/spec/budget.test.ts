import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { budgetOf } from '../../../domain/spec/budget.ts';
import { readSweep } from './sweeps.ts';

const priced = 'prices: { prompt: 1, completion: 2 }';

const read = (budget: string, opts: { models?: string; judge?: string } = {}) =>
  readSweep(
    `kind: sweep
name: limited
models: [${opts.models ?? `{ local: smollm2-135m, ${priced} }`}]
data: [{ set: starter }]
temperatures: [0]
judge: { llm: ${opts.judge ?? 'null'} }
budget: ${budget}`,
    { file: 'a.yaml' },
  );

const problems = (...args: Parameters<typeof read>) => {
  const found = read(...args);
  return 'problems' in found ? found.problems.map(sentence) : found.spec.budget;
};

test.each([
  ['null', null],
  ['{ tokens: 5e6 }', { tokens: 5_000_000 }],
  ['{ usd: 0.5, tokens: 1e6 }', { usd: 0.5, tokens: 1_000_000 }],
  ['{ usd: 2, tokens: null }', { usd: 2 }],
])('the limits of %s are %o', (text, limits) => {
  const found = read(text);
  expect('spec' in found ? budgetOf(found.spec.budget) : found.problems.map(sentence)).toEqual(limits);
});

test.each([
  [
    'a budget that limits nothing',
    problems('{}'),
    ['a.yaml:7  budget: limits nothing.\n  Give it `usd`, `tokens` or `gpu_hours`.'],
  ],
  [
    'a limit of nothing',
    problems('{ tokens: 0 }'),
    [
      'a.yaml:7  budget.tokens: 0 is too small; it must be above 0.\n' +
        '  Tokens of prompts and completions, of models and judge together.',
    ],
  ],
  [
    'another unit',
    problems('{ dollars: 3 }'),
    ['a.yaml:7  budget.dollars: there is no such field.\n  Fields here: usd, tokens, gpu_hours.'],
  ],
  [
    'dollars without prices',
    problems('{ usd: 3 }', { models: `{ local: smollm2-135m }, { local: b.gguf, ${priced} }`, judge: '{}' }),
    [
      'a.yaml:7  budget.usd: cannot be counted: no price is stated for smollm2-135m, the judge.\n' +
        '  State `prices` for every model and for the judge, or limit `tokens`.',
    ],
  ],
  [
    'GPU hours of a model somewhere else',
    problems('{ gpu_hours: 3 }', { models: '{ serve: m }, { url: http://127.0.0.1:9/v1, model: b }' }),
    [
      'a.yaml:7  budget.gpu_hours: cannot be counted: uturn does not serve b.\n' +
        '  Hours are counted of models under `serve:` alone; limit `tokens` or `usd`.',
    ],
  ],
  [
    'GPU hours where nothing is served',
    problems('{ gpu_hours: 3 }'),
    [
      'a.yaml:7  budget.gpu_hours: cannot be counted: uturn does not serve smollm2-135m.\n' +
        '  Hours are counted of models under `serve:` alone; limit `tokens` or `usd`.',
    ],
  ],
])('%s is refused', (_, found, expected) => {
  expect(found).toEqual(expected);
});

test('dollars may be limited where every price is stated', () => {
  expect(problems('{ usd: 3 }', { judge: `{ ${priced} }` })).toEqual({ usd: 3, tokens: null, gpu_hours: null });
});
