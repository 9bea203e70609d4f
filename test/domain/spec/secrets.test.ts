import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { readSpec } from '../../../domain/spec/read.ts';
import { isSecretName, secretsIn } from '../../../domain/spec/secrets.ts';

const made = 'abcdefghijklmnop0123456789';
const keys = [
  `sk-proj-${made}`,
  `hf_${made}`,
  `ghp_${made}`,
  `github_pat_${made}`,
  `gsk_${made}`,
  `AKIA${made.slice(0, 16).toUpperCase()}`,
  `AIza${made}${made}`,
  `xoxb-123-${made}`,
  `eyJhbGciOiJI.${made}.sig`,
  `Bearer ${made}`,
  `-----BEGIN ${'RSA '}PRIVATE KEY-----`,
  'https://me:swordfish@models.example/v1',
];

test.each(keys)('%s looks like a key', (key) => {
  expect(secretsIn(`x: ${key}`).length).toBe(1);
});

test.each([
  'smollm2-135m',
  'sk-learn-something-very-plain',
  'Qwen/Qwen2.5-0.5B-Instruct',
  'http://127.0.0.1:8000/v1',
  'risk-averse-models-2026',
  'a'.repeat(64),
  'hf_internal',
  './sk/path.gguf',
])('%s does not', (text) => {
  expect(secretsIn(text)).toEqual([]);
});

test.each(keys)('%s is refused in any place and never repeated', (key) => {
  const places = [
    ['name', `name: "${key}"`],
    ['models[0].local', `models: [{ local: "${key}" }]`],
    ['models[0].url', `models: [{ url: "${key}", model: m }]`],
    ['models[0].api_key_env', `models: [{ url: "http://a/v1", model: m, api_key_env: "${key}" }]`],
    ['models[0].template_kwargs.a[1]', `models: [{ local: m, template_kwargs: { a: [1, "${key}"] } }]`],
    ['unknown', `unknown: "${key}"`],
    [undefined, `# ${key}`],
  ];
  for (const [field, text] of places) {
    const read = readSpec(`kind: sweep\n${text}\n`, { file: 'a.yaml' });
    const problems = 'problems' in read ? read.problems : [];
    expect(problems.map(sentence).join('\n')).not.toContain(key);
    expect(
      problems
        .filter(({ message }) => message.includes('looks like'))
        .map(({ place, advice }) => [place.field, place.line, advice]),
    ).toEqual([
      [field, 2, 'Keys do not belong in a config. Put it into an environment variable and name that in `api_key_env`.'],
    ]);
  }
});

test.each(keys)('%s as the name of a field is not repeated either', (key) => {
  const read = readSpec(`kind: sweep\n"${key}": 1\n`, { file: 'a.yaml' });
  const sentences = 'problems' in read ? read.problems.map(sentence).join('\n') : '';
  expect(sentences).toContain('a.yaml:2  ["…"]: holds what looks like a key or a password.');
  expect(sentences).not.toContain(key);
});

test('names under which keys are kept', () => {
  const names = [
    'api_key',
    'apikey',
    'key',
    'token',
    'access_token',
    'secret',
    'client_secret',
    'password',
    'Authorization',
  ];
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
  expect(['max_tokens', 'tokens', 'keys', 'monkey', 'api_key_env', 'author'].filter(isSecretName)).toEqual([]);
});
