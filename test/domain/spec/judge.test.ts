import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { readJudge, readModels } from '../../../domain/spec/read.ts';
import { readSweep } from './sweeps.ts';

const config = (judge: string) =>
  readSweep(
    `kind: sweep
name: judged
models: [{ local: smollm2-135m }]
data: [{ set: starter }]
temperatures: [0]
judge:
${judge}`,
    { file: 'a.yaml' },
  );

const llmOf = (judge: string) => {
  const read = config(judge);
  return 'spec' in read ? read.spec.judge.llm : read.problems.map(sentence);
};

const defaults = {
  url: 'https://api.openai.com/v1',
  model: 'gpt-5.4-mini',
  weights: null,
  api_key_env: 'OPENAI_API_KEY',
  prompt: null,
  temperature: 0,
  seed: 0,
  max_tokens: 1_000,
  max_tokens_as: 'max_completion_tokens',
  reasoning_effort: null,
  response_format: 'json_schema',
  extra_body: {},
  concurrency: 16,
  timeout_s: 600,
  prices: null,
};

test('a judge that is turned on without a word is gpt-5.4-mini at its own address', () => {
  expect(llmOf('  llm: {}')).toEqual(defaults);
  expect(llmOf('  llm: null')).toBeNull();
});

test('a key that is set for one address is never sent to another unasked', () => {
  expect(llmOf('  llm: { url: http://127.0.0.1:8000/v1, model: some-judge }')).toMatchObject({ api_key_env: null });
  expect(llmOf('  llm: { api_key_env: MY_KEY }')).toMatchObject({ api_key_env: 'MY_KEY' });
});

test.each([
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/v1//', 'http://127.0.0.1:8000/v1'],
  ['HTTP://Host/api/v1/', 'HTTP://Host/api/v1'],
  ['https://host/api', 'https://host/api/v1'],
  ['http://v1', 'http://v1/v1'],
  ['http://v1/v1', 'http://v1/v1'],
  ['https://host/v10', 'https://host/v10/v1'],
])('the address %s is %s, of a judge and of a model', (written, address) => {
  expect(llmOf(`  llm: { url: "${written}", model: m }`)).toMatchObject({ url: address });
  const text = `kind: sweep\nname: n\nmodels: [{ url: "${written}", model: m }]\ndata: [{ set: starter }]\ntemperatures: [0]`;
  expect(readSweep(text, { file: 'a.yaml' })).toMatchObject({ spec: { models: [{ url: address }] } });
});

test('the hosted address is known without its end', () => {
  expect(llmOf('  llm: { url: "https://api.openai.com/" }')).toEqual(defaults);
});

test('what a model refuses can be left out', () => {
  const llm = llmOf('  llm: { temperature: null, seed: null, max_tokens_as: max_tokens, response_format: none }');
  expect(llm).toMatchObject({ temperature: null, seed: null, max_tokens_as: 'max_tokens', response_format: 'none' });
});

test.each<[judge: string, told: string]>([
  [
    '  rules: { enabled: false }',
    'a.yaml:7  judge.rules.enabled: nobody would judge.\n  Give an `llm`, or leave the rules on.',
  ],
  [
    '  llm: { extra_body: { top_k: 1, temperature: 1 } }',
    'a.yaml:7  judge.llm.extra_body.temperature: is said by uturn itself.\n  What has a field of its own is set there.',
  ],
  [
    '  llm: { response_format: json }',
    'a.yaml:7  judge.llm.response_format: "json" is not allowed; one of json_schema, json_object, none is.\n  What the ' +
      'server is asked to hold a reply to, where it can.',
  ],
  [
    '  llm: { api_key_env: sk-9f86d081884c7d659a2feaa0c55ad015 }',
    'a.yaml:7  judge.llm.api_key_env: holds what looks like a key or a password.\n  Keys do not belong in a config. Put ' +
      'it into an environment variable and name that in `api_key_env`.',
  ],
])('a judge with a fault is told: %s', (judge, told) => {
  expect(llmOf(judge)).toEqual([told]);
});

test('a judge is read of a config, and of a file with nothing else', () => {
  const alone = readJudge('judge:\n  rules: { overlap: 0.5 }\n', { file: 'j.yaml' });
  const ofConfig = readJudge(
    'kind: sweep\nname: x\nmodels: [{ local: smollm2-135m }]\ndata: [{ set: starter }]\ntemperatures: [0]\njudge:\n  rules: { overlap: 0.5 }\n',
    { file: 'c.yaml' },
  );
  const judgeIn = (read: ReturnType<typeof readJudge>) => ('judge' in read ? read.judge : read.problems.map(sentence));
  expect(judgeIn(alone)).toEqual({
    rules: { enabled: true, overlap: 0.5, subsequence: 0.9, short_characters: 2 },
    llm: null,
  });
  expect(judgeIn(ofConfig)).toEqual(judgeIn(alone));
});

test.each([
  ['judge:\n  llm: { modle: x }\n', 'j.yaml:2  judge.llm.modle: '],
  ['juge: {}\n', 'j.yaml:1  juge: '],
  ['judge: {}\nmore: 1\n', 'j.yaml:2  more: '],
  ['- a\n', 'j.yaml:1 '],
  ['', 'j.yaml:1 '],
])('%j is no judge, and it is said where', (text, where) => {
  const read = readJudge(text, { file: 'j.yaml' });
  expect('problems' in read ? read.problems.map(sentence)[0] : read.judge).toEqual(expect.stringContaining(where));
});

test('models are read of a config, and of a file with nothing else; what is no model is told with its line', () => {
  const alone = readModels('models: [{ local: smollm2-135m, id: small }]\n', { file: 'm.yaml' });
  const ofConfig = readModels(
    'kind: sweep\nname: x\nmodels: [{ local: smollm2-135m, id: small }]\ndata: [{ set: starter }]\ntemperatures: [0]\n',
    { file: 'c.yaml' },
  );
  const idsIn = (read: ReturnType<typeof readModels>) =>
    'models' in read ? read.models.map(({ id }) => id) : read.problems.map(sentence);
  expect([idsIn(alone), idsIn(ofConfig)]).toEqual([['small'], ['small']]);
  expect(idsIn(readModels('models:\n  - { url: nowhere, model: m }\n', { file: 'm.yaml' }))).toEqual([
    expect.stringContaining('m.yaml:2  models[0].url: '),
  ]);
  expect(idsIn(readModels('judge: {}\n', { file: 'm.yaml' }))[0]).toContain('m.yaml:1  models: is missing.');
});
