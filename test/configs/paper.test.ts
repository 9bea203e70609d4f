// The configs of the paper: the eleven models, and as many cells and user turns as their first lines say.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Preview } from '../../cli/preview.ts';
import { sentence } from '../../domain/problems.ts';
import { reference } from '../../domain/reference.ts';
import type { SweepSpec } from '../../domain/spec/sweep.ts';
import { desk } from '../cli/uturn.ts';
import { readSweep } from '../domain/spec/sweeps.ts';
import { says, startFakeJudge } from '../fakes/judge-server.ts';
import { startFakeServer } from '../fakes/model-server.ts';

const configs = join(import.meta.dirname, '..', '..', 'configs');
const read = (...path: string[]) => readFileSync(join(configs, ...path), 'utf8');
const { sources } = reference.parse(JSON.parse(read('reference', 'probe.json')));
const figures = sources.flatMap((source) => source.figures);
const sizes = new Map(figures.flatMap((one) => (one.metric === 'items' ? [[one.data ?? '', one.value ?? 0]] : [])));

const models = [
  'Qwen/Qwen3.5-0.8B',
  'Qwen/Qwen3.5-2B',
  'Qwen/Qwen3.5-4B',
  'Qwen/Qwen3.5-9B',
  'Qwen/Qwen3.5-27B',
  'Qwen/Qwen3.5-35B-A3B',
  'Qwen/Qwen3.5-122B-A10B',
  'Qwen/Qwen3.5-397B-A17B',
  'openai/gpt-oss-20b',
  'openai/gpt-oss-120b',
  'zai-org/GLM-4.7',
];

function config(name: string): { text: string; spec: SweepSpec } {
  const file = `${name}.yaml`;
  const text = read('paper', 'probe', file);
  const found = readSweep(text, { file });
  if ('problems' in found) throw new Error(found.problems.map(sentence).join('\n'));
  return { text, spec: found.spec };
}

test.each([
  ['greedy', 55, '30,866'],
  ['temperature', 99, '59,961'],
  ['grid', 220, '123,464'],
  ['held-out', 22, '17,270'],
])('%s.yaml has the eleven models, %s cells and %s user turns, and says so', (name, cells, turns) => {
  const { text, spec } = config(name);
  expect(spec.models.map((model) => ('model' in model ? model.model : null))).toEqual(models);
  expect(spec.models).toEqual(config('grid').spec.models);
  expect([spec.judge, spec.max_tokens]).toEqual([config('grid').spec.judge, config('grid').spec.max_tokens]);
  expect([spec.judge.llm?.model, spec.judge.rules.enabled]).toEqual(['gpt-5.4-mini', false]);
  expect([spec.sampling, spec.samples, spec.limit]).toEqual([
    { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 },
    1,
    null,
  ]);

  const items = spec.data.reduce((sum, { set }) => sum + (sizes.get(set) ?? Number.NaN), 0);
  expect(models.length * spec.data.length * spec.temperatures.length).toBe(cells);
  expect((models.length * items * spec.temperatures.length).toLocaleString('en')).toBe(turns);
  const head = text.replaceAll(/\n# /g, ' ');
  expect(head).toContain(`${cells} cells, ${turns} user turns`);
});

test('every cell of the published tables is one of these configs’, but for perturbed answers and trained models', () => {
  const asked = new Set(
    ['greedy', 'temperature', 'held-out'].flatMap((name) => {
      const { spec } = config(name);
      return spec.models.flatMap(({ id }) =>
        spec.data.flatMap((data) => spec.temperatures.map((temperature) => [id, data.id, temperature].join())),
      );
    }),
  );
  const published = figures.filter(({ model, condition }) => model !== null && condition === 'base');
  expect(published.length).toBe(262);
  expect(published.filter(({ model, data, temperature }) => !asked.has([model, data, temperature].join()))).toEqual([]);
});

test('uturn plan counts as many', { timeout: 240_000 }, async () => {
  const at = await desk();
  const { text, spec } = config('greedy');
  const servers = await Promise.all(models.map((model) => startFakeServer({ model })));
  await using judge = await startFakeJudge(() => says('Nothing is judged here.'));
  await using stack = new AsyncDisposableStack();
  for (const server of servers) stack.use(server);

  for (const [set, size] of sizes) {
    const lines = Array.from({ length: size }, (_, n) => JSON.stringify({ id: `${set}-${n}`, question: `${n}?` }));
    writeFileSync(join(at.dir, `${set}.jsonl`), lines.join('\n'));
  }
  const ours = text
    .replaceAll(/url: \S+:80(\d\d)\/v1/g, (_, port) => `url: ${servers[Number(port) - 1]?.url}/v1`)
    .replace('model: gpt-5.4-mini', `url: ${judge.url}, model: judge`)
    .replaceAll(/\{ set: ([\w-]+).*\}/g, '{ set: jsonl, id: $1, path: $1.jsonl }');
  writeFileSync(join(at.dir, 'greedy.yaml'), ours);

  const { json, stderr, code } = await at.uturn<Preview>(['plan', 'greedy.yaml', '--json']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const turns = json.cells.map(({ items, samples }) => items * samples);
  expect(judge.asked()).toEqual([]);
  expect([json.cells.length, turns.reduce((sum, n) => sum + n, 0)]).toEqual([55, 30_866]);
  expect(spec.models.map(({ id }) => id)).toEqual([...new Set(json.cells.map(({ model }) => model))]);
});
