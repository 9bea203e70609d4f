// What a plan is expected to take, against what the run then took.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Preview } from '../../cli/preview.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  // So slow that the model decides how long a run takes, and not the machine.
  lab = await Lab.start({ items: 128, fake: { latencyMs: 300, tokensPerSecond: 100 } });
});
beforeEach(() => lab.model.reset());
afterAll(() => lab[Symbol.asyncDispose]());

const prices = { prompt: 2, completion: 8 };

/** What a run of a config took: by the model's own count, and from its first request to its last. */
async function took(): Promise<{ prompt: number; completion: number; usd: number; seconds: number }> {
  const ran = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(ran.code, ran.stderr).toBe(0);
  const { prompt, completion } = (await lab.model.stats()).tokens;
  const turns = (await lab.records(ran.json.run)).filter(({ meta }) => meta.requests > 0);
  const from = Math.min(...turns.map(({ meta }) => Date.parse(meta.at)));
  const to = Math.max(...turns.map(({ meta }) => Date.parse(meta.at) + meta.ms));
  const usd = (prompt * prices.prompt + completion * prices.completion) / 1e6;
  return { prompt, completion, usd, seconds: (to - from) / 1_000 };
}

const planned = async () => (await lab.run<Preview>(['plan', 'sweep.yaml', '--json'])).json;

function within(twice: [estimate: number, took: number][]): void {
  for (const [estimate, real] of twice) {
    expect(estimate).toBeGreaterThan(real / 2);
    expect(estimate).toBeLessThan(real * 2);
  }
}

test('before the first run tokens and money are within twice what it takes, and time is between two bounds', async () => {
  await lab.config({ name: 'first', limit: 48, temperatures: [0.7], model: { prices } });
  const { total, models } = await planned();
  expect(models[0]).toMatchObject({ timed_by: 0, at_once: 8, time: { from: 'assumed', expected: null } });
  const real = await took();
  within([
    [total.prompt.expected, real.prompt],
    [total.completion.expected, real.completion],
    [total.usd?.expected ?? 0, real.usd],
  ]);
  expect(total.time.least).toBeLessThan(real.seconds);
  expect(total.time.at_most).toBeGreaterThan(real.seconds);
}, 120_000);

test('after a smaller run at another temperature, time is within twice what it takes too', async () => {
  await lab.config({ name: 'second', temperatures: [0.2], model: { prices } });
  const { total, models, cells } = await planned();
  expect(cells[0]?.stages.map(({ held }) => held)).toEqual([0, 0, 0, 0]);
  expect(models[0]).toMatchObject({ timed_by: 96, answer: { from: 'store', turns: 48 }, time: { from: 'store' } });
  const real = await took();
  within([
    [total.prompt.expected, real.prompt],
    [total.completion.expected, real.completion],
    [total.usd?.expected ?? 0, real.usd],
    [total.time.expected ?? 0, real.seconds],
  ]);
  expect(total.time.at_most).toBeGreaterThanOrEqual(total.time.expected ?? 0);
}, 120_000);

test('a run that is new says what it takes, and whether its budget will do', async () => {
  await using own = await lab.fresh();
  await own.config({ name: 'said', limit: 16, temperatures: [0.5], model: { prices }, budget: { tokens: 1_000 } });
  const { stdout } = await own.run(['plan', 'sweep.yaml']);
  const budget = 'Budget: 0 of 1000 tokens spent. The run is expected to reach it, and pauses there.\n';
  expect(stdout).toContain(budget);
  const { stderr } = await own.run(['run', 'sweep.yaml']);
  expect(stderr).toMatch(
    /^To make: 32 calls, about \d+ prompt and \d+ completion tokens, US\$ 0\.\d\d, \d+ s to \d+ s \(of unknown speed\)\.\n/,
  );
  expect(stderr).toContain(budget);
  // One that is there has said so.
  expect((await own.run(['run', 'sweep.yaml'])).stderr).not.toContain('To make');
}, 120_000);
