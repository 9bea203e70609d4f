// Planning a model that is still to be served: everything comes from its files, and nothing is started.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planExperiment } from '../../activities/planning/plan.ts';
import { getPlan, putPlan } from '../../activities/store/plans.ts';
import type { Preview } from '../../cli/preview.ts';
import { vllmEnvironment } from '../../local/vllm/command.ts';
import { labConfig } from '../lab/config.ts';
import { type ServedModelFolder, servedModel } from '../lab/served.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
let model: ServedModelFolder;
beforeAll(async () => {
  lab = await Lab.start({ items: 8 });
  model = servedModel(lab.dir);
});
afterAll(() => lab[Symbol.asyncDispose]());

const plan = async (entry: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) => {
  await lab.config({ models: [entry] });
  return lab.run<Preview>(['plan', 'sweep.yaml', '--json'], { env: { ...model.env, ...env } });
};

test('a folder is planned from its files: weights, template, number format and vLLM’s version', async () => {
  const { json, stderr, code } = await plan({ serve: 'model' });
  expect([code, stderr]).toEqual([0, '']);
  expect(json.models.map((one) => [one.model, one.prompts_by])).toEqual([['model', 'characters']]);
  expect(model.starts()).toEqual([]);

  process.env['UTURN_VLLM_PYTHON'] = model.env['UTURN_VLLM_PYTHON'];
  const text = labConfig({ url: '', model: '' }, { models: [{ serve: 'model' }, { serve: 'model', lora: 'adapter' }] });
  const file = join(lab.dir, 'two.yaml');
  const found = await planExperiment({ file, text }, { ...lab, report: () => undefined, limit: null });
  const planned = await getPlan(lab.store, await putPlan(lab.store, found.plan));
  const [base, adapted] = planned.models;
  expect(base).toMatchObject({
    id: 'model',
    identity: { weights: expect.stringMatching(/^[0-9a-f]{64}$/) },
    dtype: 'bfloat16',
    engine: { name: 'vllm', version: '0.32.0' },
    template: { source: 'jinja', eos_token: '<|im_end|>', bos_token: null, date: null },
    prompt_form: 'ids',
  });
  expect(adapted).toEqual({ ...base, id: 'adapter', adapter: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const [one, other] = Object.values(found.engines).map((at) => (at.kind === 'serve' ? at : null));
  expect(one?.id).toBe(other?.id);
  expect([one?.served, other?.served]).toEqual(['model', `lora-${adapted?.adapter?.slice(0, 12)}`]);
  expect(one?.order.adapters).toEqual([
    { name: other?.served, path: join(lab.dir, 'adapter'), weights: adapted?.adapter, rank: 5 },
  ]);
});

test('the batch-invariant mode is part of what is measured, and of how the server is started', async () => {
  process.env['UTURN_VLLM_PYTHON'] = model.env['UTURN_VLLM_PYTHON'];
  const models = [
    { serve: 'model' },
    { serve: 'model', id: 'steady', batch_invariant: true, args: ['--max-num-seqs=4'] },
  ];
  const file = join(lab.dir, 'steady.yaml');
  const text = labConfig({ url: '', model: '' }, { models });
  const { plan: planned, engines } = await planExperiment(
    { file, text },
    { ...lab, report: () => undefined, limit: null },
  );
  expect(planned.models.map((one) => one.engine_args)).toEqual([
    undefined,
    ['--max-num-seqs=4', 'VLLM_BATCH_INVARIANT=1'],
  ]);
  const modes = Object.values(engines).map((at) =>
    at.kind === 'serve' ? vllmEnvironment(at.order, { VLLM_BATCH_INVARIANT: '1', A: 'b' }) : null,
  );
  expect(modes.map((env) => [env?.['VLLM_BATCH_INVARIANT'], env?.['A']])).toEqual([
    [undefined, 'b'],
    ['1', 'b'],
  ]);
});

test.each<[string, Record<string, unknown>, NodeJS.ProcessEnv, string]>([
  ['no vLLM', { serve: 'model' }, { UTURN_VLLM_PYTHON: '/nowhere/python' }, 'vLLM is not here: there is no program'],
  ['a Python without it', { serve: 'model' }, { UTURN_VLLM_PYTHON: 'python3' }, 'python3 has no vLLM:'],
  ['no such folder', { serve: './models/none' }, {}, 'there is no folder'],
  ['a name on the hub without its commit', { serve: 'owner/model' }, {}, 'owner/model needs its revision'],
  ['a branch for a commit', { serve: 'owner/model', revision: 'main' }, {}, 'owner/model needs its revision'],
  ['a folder with a revision', { serve: 'model', revision: 'a'.repeat(40) }, {}, 'is a folder, which has no revision'],
  ['a folder that is no adapter', { serve: 'model', lora: 'model' }, {}, 'adapter_config.json'],
])('%s is refused with a sentence', async (_, entry, env, expected) => {
  const { code, stdout, stderr } = await plan(entry, env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(expected);
});

test('a number format that nobody names must be stated', async () => {
  const config = join(lab.dir, 'model', 'config.json');
  await rename(config, `${config}.kept`);
  await writeFile(config, '{"model_type":"fake"}');
  const refused = await plan({ serve: 'model' });
  expect(refused.stderr).toContain('names no number format');
  expect((await plan({ serve: 'model', dtype: 'float32' })).code).toBe(0);
  await rm(config);
  await rename(`${config}.kept`, config);
});
