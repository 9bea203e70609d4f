// A small plan that tests change one thing of at a time.
import type { PlannedJudge } from '../../../domain/plan/judge.ts';
import type { Plan, PlannedData, PlannedModel } from '../../../domain/plan/plan.ts';

export const model: PlannedModel = {
  id: 'tiny',
  identity: { weights: 'a'.repeat(64) },
  dtype: 'float32',
  engine: { name: 'vllm', version: '0.17.1' },
  template: {
    sha256: 'b'.repeat(64),
    source: 'jinja',
    date: null,
    kwargs: {},
    bos_token: null,
    eos_token: '<|im_end|>',
  },
  prompt_form: 'ids',
};

export const data: PlannedData = {
  id: 'sums',
  adapter: 'jsonl',
  file: 'c'.repeat(64),
  items: 'd'.repeat(64),
  count: 100,
  scored: true,
  held_out: false,
};

export const rules = { overlap: 0.9, subsequence: 0.9, short_characters: 2 };

export const judge: PlannedJudge = {
  model: 'judge',
  identity: { weights: 'f'.repeat(64) },
  prompt: 'a'.repeat(64),
  replies: 1,
  temperature: 0,
  seed: 0,
  max_tokens: 1_000,
  reasoning_effort: null,
  response_format: 'json_schema',
  extra_body: {},
};

export const plan: Plan = {
  format: 1,
  kind: 'sweep',
  seed: 0,
  models: [model],
  data: [data],
  temperatures: [0, 0.7],
  samples: 1,
  limit: 40,
  max_tokens: { assistant: 64, user: 32 },
  sampling: { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 },
  judge: { rules },
  max_error_share: 0.1,
};
