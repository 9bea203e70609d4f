import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Preview } from '../../cli/preview.ts';
import { listServices } from '../../local/services.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 24 });
});
beforeEach(() => lab.model.reset());
afterAll(() => lab[Symbol.asyncDispose]());

const config = {
  name: 'plan',
  temperatures: [0, 0.7],
  model: { prices: { prompt: 1_000, completion: 4_000 } },
};

/** Keys and plans change with every field that decides a result. */
const masked = (text: string) => text.replaceAll(/\b[0-9a-f]{8}\b/g, '########');
const plan = async (...args: string[]) => (await lab.run<Preview>(['plan', 'sweep.yaml', '--json', ...args])).json;
const heldBy = ({ cells }: Preview) =>
  cells.map(({ temperature, stages }) => [temperature, ...stages.map(({ held, calls }) => [held, calls])]);

test('a plan says what would be done, and does nothing', async () => {
  await lab.config(config);
  const { stdout, stderr, code } = await lab.run(['plan', 'sweep.yaml']);
  expect({ stdout: masked(stdout), stderr, code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "48 user turns; nothing has been generated.
    Plan ######## would start the run plan-########.

    model  data    T  items  samples  answers  user turns  judgements  scores
    fake   sums    0     24        1     0/24        0/24        0/24    0/24
    fake   sums  0.7     24        1     0/24        0/24        0/24    0/24

    Records: in the store/wanted. What is there is adopted, never made again.

    stage keys  data    T  answers   user turns  judgements  scores
    fake        sums    0  ########  ########    ########    ########
    fake        sums  0.7  ########  ########    ########    ########

    to make  calls  prompt tokens  completion tokens            US$         time
    fake        96  9152 / 12 992      5760 / 11 520  32.19 / 59.07  8 s to 72 s
    Expected / at most, without retries. At most: every turn runs into its limit.
    Time: without the start of services and engines.
    fake: 80 tokens (half of the limit, assumed) per answer, 40 tokens (half of the limit, assumed) per user turn;
      prompts counted with the model's tokenizer;
      8 requests at once, of unknown speed, taken for 10 to 100 tokens a second each.
    ",
    }
  `);
  expect((await lab.model.stats()).received).toBe(0);
  expect(await lab.stored()).toEqual([]);
  expect(await readdir(join(lab.home.store, 'runs')).catch(() => [])).toEqual([]);
  expect((await listServices(lab.home)).filter(({ alive }) => alive)).toEqual([]);
});

test('what is asked otherwise than by default is named beside the models', async () => {
  await lab.config({ ...config, system: `Be brief.\n${'Really. '.repeat(20)}`, model: { reasoning: 'strip' } });
  const { stdout } = await lab.run(['plan', 'sweep.yaml']);
  expect(stdout.split('\n').slice(2, 5)).toEqual([
    'fake: reasoning: strip (user turns come after answers without their reasoning).',
    'fake: system: "Be brief.\\nReally. Really. Really. Really. Really. Really. R…", before conversations that have none.',
    '',
  ]);
  const seen = await plan();
  expect([seen.models[0]?.reasoning, seen.system?.startsWith('Be brief.\n')]).toEqual(['strip', true]);
});

test('what the store holds is taken off, and tells how long turns are', async () => {
  await lab.config(config);
  const before = await plan();
  const run = await lab.run(['run', 'sweep.yaml', '--json', '--limit', '16']);
  expect(run.code).toBe(0);

  const after = await plan();
  expect(after.cells.map(({ stages }) => stages.map(({ key }) => key))).toEqual(
    before.cells.map(({ stages }) => stages.map(({ key }) => key)),
  );
  expect(heldBy(after)).toEqual([0, 0.7].map((t) => [t, [16, 8], [16, 8], [16, 0], [16, 0]]));
  const { completion_tokens } = run.json.totals;
  const [model] = after.models;
  expect([model?.answer.from, model?.answer.turns, model?.user_turn.from, model?.user_turn.turns]).toEqual([
    'store',
    32,
    'store',
    32,
  ]);
  expect(32 * ((model?.answer.tokens ?? 0) + (model?.user_turn.tokens ?? 0))).toBeCloseTo(completion_tokens);

  const limited = await plan('--limit', '16');
  expect({ run: limited.run, state: limited.state, calls: limited.total.calls }).toEqual({
    run: run.json.run,
    state: 'complete',
    calls: 0,
  });
  expect((await lab.run(['plan', 'sweep.yaml', '--limit', '16'])).stdout).toContain(
    `returns to the run ${run.json.run}, which is complete.`,
  );

  // The estimate of the rest against what it comes to.
  const rest = await lab.run(['run', 'sweep.yaml', '--json']);
  const spent = {
    prompt: rest.json.totals.prompt_tokens - run.json.totals.prompt_tokens,
    completion: rest.json.totals.completion_tokens - completion_tokens,
  };
  expect(rest.json.run).toBe(after.run);
  expect((await lab.model.stats()).served).toBe(32 * 2 + after.total.calls);
  for (const what of ['prompt', 'completion'] as const) {
    expect(spent[what]).toBeLessThanOrEqual(after.total[what].at_most);
    expect(Math.abs(spent[what] / after.total[what].expected - 1)).toBeLessThan(0.25);
  }
});

test('a given answer is no call; without prices there is no money', async () => {
  const items = ['one', 'two'].map((id) => ({ id, question: 'What is 1 + 1?', answer: '2', assistant: 'It is 2.' }));
  await lab.write('given.jsonl', items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  await lab.config({ data: [{ set: 'jsonl', id: 'given', path: 'given.jsonl' }], samples: 3 });
  const seen = await plan();
  expect(seen.cells[0]?.stages.map(({ stage, wanted, calls }) => [stage, wanted, calls])).toEqual([
    ['assistant_turn', 6, 0],
    ['user_turn', 6, 6],
    ['judgement', 6, 0],
    ['score', 6, 0],
  ]);
  expect([seen.total.calls, seen.total.usd, seen.state]).toEqual([6, null, 'new']);
});

test('a limit that the model’s context cannot hold is told before anything runs', async () => {
  await lab.config({ max_tokens: { assistant: 160, user: 32_768 } });
  const { code, stdout, stderr } = await lab.run(['plan', 'sweep.yaml']);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `sweep.yaml:4  models[0]: the model's context holds 32768 tokens, and max_tokens.user is 32768: no prompt fits beside it
  Lower the limit, or serve the model with a longer context (vLLM: --max-model-len).
`,
  });
});

test('a config that cannot be used is a sentence, and nothing on stdout', async () => {
  await lab.write('broken.yaml', 'kind: sweep\nname: broken\nmodles: []\n');
  const { code, stdout, stderr } = await lab.run(['plan', 'broken.yaml']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^broken\.yaml:3 {2}modles: /m);
});
