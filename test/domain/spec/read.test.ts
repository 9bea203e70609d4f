import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { readSweep } from './sweeps.ts';

const plain = `kind: sweep
name: quickstart
models:
  - local: smollm2-135m
data:
  - { set: starter }
temperatures: [0, 0.7]
`;

/** Every sentence about a text, or `fine`. */
function said(text: string): string {
  const read = readSweep(text, { file: 'a.yaml' });
  return 'spec' in read ? 'fine' : read.problems.map(sentence).join('\n');
}

test('what is left out has its default', () => {
  const read = readSweep(plain, { file: 'a.yaml' });
  expect('spec' in read && read.spec).toEqual({
    kind: 'sweep',
    name: 'quickstart',
    models: [
      {
        local: 'smollm2-135m',
        id: 'smollm2-135m',
        template: null,
        template_kwargs: {},
        reasoning: 'keep',
        concurrency: 4,
        timeout_s: 600,
        prices: null,
      },
    ],
    data: [{ set: 'starter', id: 'starter', path: null, sha256: null, private: false }],
    temperatures: [0, 0.7],
    samples: 1,
    force: false,
    limit: null,
    seed: 0,
    max_tokens: { assistant: 512, user: 128 },
    system: null,
    sampling: { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 },
    judge: { rules: { enabled: true, overlap: 0.9, subsequence: 0.9, short_characters: 2 }, llm: null },
    template_date: '2026-01-01',
    max_error_share: 0.1,
    budget: null,
  });
});

test('a config that states everything is read as it stands', () => {
  const digest = '0123456789abcdef'.repeat(4);
  const read = readSweep(
    `kind: sweep
name: all-2
models:
  - url: https://models.example/v1
    model: org/Some-Model
    weights: ${digest}
    dtype: bfloat16
    template: ./chat_template.jinja
    template_kwargs: { enable_thinking: false, effort: low, tools: [1, null, { a: b }] }
    reasoning: strip
    api_key_env: MY_KEY
    concurrency: 8
    timeout_s: 30
    prices: { prompt: 0.1, completion: 0.4 }
  - { local: ./models/My Model.Q4_1.gguf, id: mine }
data:
  - { set: gsm8k, path: ./gsm8k/test.jsonl, sha256: ${digest} }
  - { set: jsonl, id: own, path: ./own.jsonl.gz }
  - { set: registered-before }
temperatures: [0.3, 0, 2]
samples: 4
force: true
limit: 20
seed: 7
max_tokens: { assistant: 4096, user: 1 }
system: ""
sampling: { top_p: 0.95, top_k: 40, min_p: 0.05, presence_penalty: 1, frequency_penalty: -2, repetition_penalty: 1.1 }
judge: { rules: { overlap: 0.8, subsequence: 1, short_characters: 0 } }
template_date: 2024-02-29
max_error_share: 0
budget: { tokens: 5e6 }
`,
    { file: 'a.yaml' },
  );
  expect('spec' in read && read.spec).toEqual({
    kind: 'sweep',
    name: 'all-2',
    models: [
      {
        url: 'https://models.example/v1',
        model: 'org/Some-Model',
        id: 'Some-Model',
        weights: digest,
        dtype: 'bfloat16',
        template: './chat_template.jinja',
        template_kwargs: { enable_thinking: false, effort: 'low', tools: [1, null, { a: 'b' }] },
        reasoning: 'strip',
        api_key_env: 'MY_KEY',
        concurrency: 8,
        timeout_s: 30,
        prices: { prompt: 0.1, completion: 0.4 },
      },
      {
        local: './models/My Model.Q4_1.gguf',
        id: 'mine',
        template: null,
        template_kwargs: {},
        reasoning: 'keep',
        concurrency: 4,
        timeout_s: 600,
        prices: null,
      },
    ],
    data: [
      { set: 'gsm8k', id: 'gsm8k', path: './gsm8k/test.jsonl', sha256: digest, private: false },
      { set: 'jsonl', id: 'own', path: './own.jsonl.gz', sha256: null, private: false },
      { set: 'registered-before', id: 'registered-before', path: null, sha256: null, private: false },
    ],
    temperatures: [0.3, 0, 2],
    samples: 4,
    force: true,
    limit: 20,
    seed: 7,
    max_tokens: { assistant: 4096, user: 1 },
    system: '',
    sampling: {
      top_p: 0.95,
      top_k: 40,
      min_p: 0.05,
      presence_penalty: 1,
      frequency_penalty: -2,
      repetition_penalty: 1.1,
    },
    judge: { rules: { enabled: true, overlap: 0.8, subsequence: 1, short_characters: 0 }, llm: null },
    template_date: '2024-02-29',
    max_error_share: 0,
    budget: { usd: null, tokens: 5_000_000, gpu_hours: null },
  });
});

test.each([
  ['smollm2-135m', 'smollm2-135m'],
  ['./models/My Model (2).Q4_1.gguf', 'My-Model-2-.Q4_1'],
  ['..', 'model'],
  ['日本', 'model'],
  ['/a/b/', 'b'],
])('the model %s is called %s', (local, id) => {
  const read = readSweep(plain.replace('smollm2-135m', JSON.stringify(local)), { file: 'a.yaml' });
  expect('spec' in read && read.spec.models[0]?.id).toBe(id);
});

test.each(['quickstart.yaml', 'examples/gsm8k.yaml'])('configs/%s is a config', (name) => {
  expect(said(readFileSync(new URL(`../../../configs/${name}`, import.meta.url), 'utf8'))).toBe('fine');
});

test('the quickstart generates at most 4,000 tokens', () => {
  const text = readFileSync(new URL('../../../configs/quickstart.yaml', import.meta.url), 'utf8');
  const read = readSweep(text, { file: 'quickstart.yaml' });
  if (!('spec' in read)) throw new Error(said(text));
  const { limit, temperatures, samples, max_tokens, models } = read.spec;
  expect(
    (limit ?? Infinity) * temperatures.length * samples * models.length * (max_tokens.assistant + max_tokens.user),
  ).toBe(3456);
});

test('all that is wrong is said at once, in the order of the lines', () => {
  const text = `kind: sweep
name: My Run
models:
  - local: a
    temprature: 3
  - { url: "localhost:8000", model: x, weights: abc, api_key_env: not-a-name }
  - { id: x, modle: 3 }
  - smollm
  - { local: a }
  - { local: b, url: http://127.0.0.1/v1 }
data:
  - { set: jsonl }
  - starter
  - { set: gsm9k, path: x }
temperatures: [0, "0.7", 2.5, 0, .nan]
samples: 3
limit: 0
max_tokens: { assistant: 1.5, usr: 3 }
sampling: { top_p: 95, repetition_penalty: 0 }
judge: { rules: { overlap: 80 } }
template_date: 2026-02-30
max_error_share: -1
api_key: something
seed:
force: yes
`;
  expect(said(text)).toMatchInlineSnapshot(`
    "a.yaml:2  name: "My Run" is no name for an experiment: up to 63 of a-z, 0-9 and "-", no "-" first.
      Name of the experiment, part of the names of its runs.
    a.yaml:5  models[0].temprature: there is no such field.
      Did you mean template?
    a.yaml:6  models[1].url: "localhost:8000" is no address such as http://127.0.0.1:8000/v1 (http or https, no user name, nothing after "?" or "#").
      Base address of an OpenAI-compatible server, /v1 included. It must offer completions, not only chat.
    a.yaml:6  models[1].weights: "abc" is no SHA-256: 64 characters of 0-9 and a-f.
      SHA-256 that stands for the weights. With it results are shared by all runs on the same weights, wherever served.
    a.yaml:6  models[1].api_key_env: is no name of an environment variable, such as MY_SERVER_KEY.
      Keys do not belong in a config. Put it into an environment variable and name that in \`api_key_env\`.
    a.yaml:7  models[2]: has neither \`local\` nor \`url\` nor \`serve\`.
      Either \`local:\`, or \`url:\` with \`model:\`, or \`serve:\`.
    a.yaml:8  models[3]: "smollm" is a text; a mapping is needed.
      Either \`local:\`, or \`url:\` with \`model:\`, or \`serve:\`.
    a.yaml:9  models[4]: a second model with the id a; the first is models[0].
      Give one of them another \`id\`.
    a.yaml:10  models[5].url: does not go with \`local\`.
      Either \`local:\`, or \`url:\` with \`model:\`, or \`serve:\`.
    a.yaml:12  data[0]: a jsonl set needs a \`path\`.
      Add \`path:\` with the file, relative to this config.
    a.yaml:13  data[1]: "starter" is a text; a mapping is needed.
      Such as { set: starter }.
    a.yaml:14  data[2].set: gsm9k is no format that uturn can read.
      With a path the set is one of gsm8k, ifeval, ifbench, gpqa-main, gpqa-diamond, healthbench, coval, math, jsonl. For a file of your own write \`set: jsonl\` and give it an \`id\`.
    a.yaml:15  temperatures[4]: .nan is no number that can be counted with.
      Write a finite number.
    a.yaml:15  temperatures[1]: "0.7" is a text; a number is needed.
      Temperatures are sampling temperatures; did you mean 0.7 without quotes?
    a.yaml:15  temperatures[2]: 2.5 is above the largest allowed, 2.
      Temperatures are sampling temperatures; did you mean 0.25?
    a.yaml:15  temperatures[3]: 0 stands here twice; the first is temperatures[0].
      Leave one out; \`samples\` asks the same temperature again.
    a.yaml:17  limit: 0 is below the smallest allowed, 1.
      Items taken from the start of every data set. Default: all.
    a.yaml:18  max_tokens.assistant: 1.5 is not a whole number.
      Most tokens of an answer.
    a.yaml:18  max_tokens.usr: there is no such field.
      Did you mean user?
    a.yaml:19  sampling.top_p: 95 is above the largest allowed, 1.
      Share of probability mass sampled from. 1: off; did you mean 0.95?
    a.yaml:19  sampling.repetition_penalty: 0 is too small; it must be above 0.
      1: off.
    a.yaml:20  judge.rules.overlap: 80 is above the largest allowed, 1.
      Share of common words from which a turn counts as a copy of the query or the answer; did you mean 0.8?
    a.yaml:21  template_date: "2026-02-30" is no date such as 2026-01-01.
      The date that a chat template which prints one is given.
    a.yaml:22  max_error_share: -1 is below the smallest allowed, 0.
      A cell in which a larger share of items failed is marked failed.
    a.yaml:23  api_key: there is no such field.
      Keys do not belong in a config. Put it into an environment variable and name that in \`api_key_env\`.
    a.yaml:24  seed: is empty; a whole number is needed.
      Every sample's own seed is derived from this one.
    a.yaml:25  force: "yes" is a text; true or false is needed.
      Allow more than one sample at temperature 0; did you mean true?"
  `);
});
