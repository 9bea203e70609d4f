// What is said of fields.
import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { readSpec } from '../../../domain/spec/read.ts';

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
  const read = readSpec(text, { file: 'a.yaml' });
  return 'spec' in read ? 'fine' : read.problems.map(sentence).join('\n');
}

test.each([
  [
    'a temperature above the range',
    plain.replace('0.7]', '0.7, 2.5]'),
    `a.yaml:7  temperatures[2]: 2.5 is above the largest allowed, 2.
  Temperatures are sampling temperatures; did you mean 0.25?`,
  ],
  [
    'a temperature that no server samples at',
    plain.replace('0.7]', '0.7, 0.005, 0.01]'),
    `a.yaml:7  temperatures[2]: lies between 0 and 0.01, where servers sample at 0.01.
  Temperatures are sampling temperatures.`,
  ],
  [
    'an unknown kind',
    plain.replace('sweep', 'swep'),
    `a.yaml:1  kind: "swep" is no kind of experiment.
  There is: sweep, perturbation, nightly. Did you mean sweep?`,
  ],
  [
    'a kind nobody could have meant',
    plain.replace('sweep', 'benchmark'),
    `a.yaml:1  kind: "benchmark" is no kind of experiment.
  There is: sweep, perturbation, nightly.`,
  ],
  [
    'no kind',
    plain.replace('kind: sweep\n', ''),
    `a.yaml:1  kind: is missing.
  There is: sweep, perturbation, nightly.`,
  ],
  [
    'nothing but the kind',
    'kind: sweep\n',
    `a.yaml:1  name: is missing.
  Name of the experiment, part of the names of its runs.
a.yaml:1  models: is missing.
  Models to measure, such as \`- local: smollm2-135m\`.
a.yaml:1  data: is missing.
  Data sets to ask, such as \`- { set: starter }\`.
a.yaml:1  temperatures: is missing.
  Sampling temperatures of both turns, from 0 (always the likeliest token) to 2, such as [0, 0.7].`,
  ],
  [
    'a misspelt field',
    `${plain}sample: 3\n`,
    `a.yaml:8  sample: there is no such field.
  Did you mean samples?`,
  ],
  [
    'a field nobody could have meant',
    `${plain}colour: blue\n`,
    `a.yaml:8  colour: there is no such field.
  Fields here: kind, name, models, data, temperatures, samples, force, limit, seed, max_tokens, system, sampling, judge, template_date, max_error_share, budget.`,
  ],
  [
    'a number for a name',
    plain.replace('quickstart', '2026'),
    `a.yaml:2  name: 2026 is a number; a text is needed.
  Name of the experiment, part of the names of its runs; did you mean "2026" in quotes?`,
  ],
  [
    'one value where a list is needed',
    plain.replace('[0, 0.7]', '0.7'),
    `a.yaml:7  temperatures: 0.7 is a number; a list is needed.
  Sampling temperatures of both turns, from 0 (always the likeliest token) to 2, such as [0, 0.7]; did you mean a list of one, [0.7]?`,
  ],
  [
    'an empty list',
    plain.replace('[0, 0.7]', '[]'),
    `a.yaml:7  temperatures: is empty; at least one is needed.
  Sampling temperatures of both turns, from 0 (always the likeliest token) to 2, such as [0, 0.7].`,
  ],
  [
    'a list where a text is needed',
    plain.replace('quickstart', '[quickstart]'),
    `a.yaml:2  name: is a list; a text is needed.
  Name of the experiment, part of the names of its runs.`,
  ],
  [
    'a number in quotes',
    `${plain}limit: "12"\n`,
    `a.yaml:8  limit: "12" is a text; a whole number is needed.
  Items taken from the start of every data set. Default: all; did you mean 12 without quotes?`,
  ],
  [
    'a word where a number is needed',
    `${plain}limit: few\n`,
    `a.yaml:8  limit: "few" is a text; a whole number is needed.
  Items taken from the start of every data set. Default: all.`,
  ],
  [
    'a seed too large to be exact',
    `${plain}seed: 9007199254740993\n`,
    `a.yaml:8  seed: 9007199254740992 is above the largest allowed, 9007199254740991.
  Every sample's own seed is derived from this one.`,
  ],
  [
    'samples at temperature 0',
    `${plain}samples: 2\n`,
    `a.yaml:8  samples: 2 samples at temperature 0 would be the same turn 2 times.
  Take 0 out of temperatures, set samples to 1, or add \`force: true\` to measure just that.`,
  ],
  [
    'two sets of one name',
    plain.replace('  - { set: starter }', '  - { set: starter }\n  - { set: starter }'),
    `a.yaml:7  data[1]: a second data set with the id starter; the first is data[0].
  Give one of them another \`id\`.`,
  ],
  [
    'a path for the starter set',
    plain.replace('set: starter', 'set: starter, path: x.jsonl'),
    `a.yaml:6  data[0].path: starter comes with uturn and takes no path.
  For a file of your own write \`set: jsonl\`.`,
  ],
  [
    'a digest for the starter set',
    plain.replace('set: starter', `set: starter, sha256: ${'a'.repeat(64)}`),
    `a.yaml:6  data[0].sha256: starter comes with uturn and takes no sha256.
  Leave it out.`,
  ],
  [
    'a digest in capitals',
    plain.replace('set: starter', `set: gsm8k, sha256: ${'A'.repeat(64)}`),
    `a.yaml:6  data[0].sha256: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…" is no SHA-256: 64 characters of 0-9 and a-f.
  SHA-256 of the data file. A file that differs is refused.`,
  ],
  [
    'a model that is neither',
    plain.replace('local:', 'lokal:'),
    `a.yaml:4  models[0]: has neither \`local\` nor \`url\` nor \`serve\`.
  Did you mean local?`,
  ],
  [
    'an option of vLLM that has a field of its own',
    plain.replace('local: smollm2-135m', '{ serve: ./m, args: ["--enforce-eager", "--max_model_len=8"] }'),
    `a.yaml:4  models[0].args[1]: --max-model-len is set by uturn.
  Use the field \`max_model_len\` of the entry.`,
  ],
  [
    'an option of vLLM that uturn sets',
    plain.replace('local: smollm2-135m', '{ serve: ./m, args: ["--port", "8000"] }'),
    `a.yaml:4  models[0].args[0]: --port is set by uturn.
  Leave it out.`,
  ],
  [
    'an address with a query',
    plain.replace('local: smollm2-135m', '{ url: "http://127.0.0.1/v1?x=1", model: m }'),
    `a.yaml:4  models[0].url: "http://127.0.0.1/v1?x=1" is no address such as http://127.0.0.1:8000/v1 (http or https, no user name, nothing after "?" or "#").
  Base address of an OpenAI-compatible server, /v1 included. It must offer completions, not only chat.`,
  ],
  [
    'a penalty out of range',
    `${plain}sampling: { presence_penalty: -3 }\n`,
    `a.yaml:8  sampling.presence_penalty: -3 is below the smallest allowed, -2.
  0: off.`,
  ],
  [
    'a negative price',
    plain.replace('smollm2-135m', 'smollm2-135m\n    prices: { prompt: -1 }'),
    `a.yaml:5  models[0].prices.prompt: -1 is below the smallest allowed, 0.
  US dollars per million tokens.
a.yaml:5  models[0].prices.completion: is missing.
  US dollars per million tokens.`,
  ],
  [
    'an odd field name',
    `${plain}"a\\u0007\\u202eb": 1\n`,
    `a.yaml:8  ["a\\u0007\\u202eb"]: there is no such field.
  Fields here: kind, name, models, data, temperatures, samples, force, limit, seed, max_tokens, system, sampling, judge, template_date, max_error_share, budget.`,
  ],
  [
    'a very long value',
    plain.replace('quickstart', 'x'.repeat(100)),
    `a.yaml:2  name: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" is no name for an experiment: up to 63 of a-z, 0-9 and "-", no "-" first.
  Name of the experiment, part of the names of its runs.`,
  ],
  [
    '__proto__',
    `${plain}__proto__: { limit: 3 }\n`,
    `a.yaml:8  __proto__: there is no such field.
  Fields here: kind, name, models, data, temperatures, samples, force, limit, seed, max_tokens, system, sampling, judge, template_date, max_error_share, budget.`,
  ],
])('%s', (_, text, sentences) => {
  expect(said(text)).toBe(sentences);
});
