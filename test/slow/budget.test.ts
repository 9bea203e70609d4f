// A run's budget, from its config to its limit and beyond.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Standing } from '../../cli/standing.ts';
import type { Stats } from '../fakes/stats.ts';
import { Lab } from '../lab.ts';

const items = 96;
const total = 2 * items;
const shard = 16;

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items, fake: { latencyMs: 20 } });
});
beforeEach(() => lab.model.reset());
afterAll(() => lab[Symbol.asyncDispose]());

type Held = {
  run: string;
  state: string;
  paused_by?: string;
  budget?: { limits: object; spent: { usd: number; tokens: number } };
};

const tokens = (stats: Stats) => stats.tokens.prompt + stats.tokens.completion;

/** What the largest shards take: prompts of a hundred tokens and turns at their limit. */
const mostOfShard = shard * (100 + 160);

test('a run pauses at its limit, says so everywhere, and goes on when it is raised', async () => {
  await lab.config({ name: 'limited', seed: 1, budget: { tokens: 8_000 } });
  const held = await lab.run<Held>(['run', 'sweep.yaml', '--json']);
  const { run } = held.json;
  const spent = tokens(await lab.model.stats());
  expect(spent).toBeGreaterThanOrEqual(8_000);
  expect(spent).toBeLessThan(8_000 + mostOfShard);
  expect([held.code, held.json]).toEqual([
    3,
    {
      run,
      state: 'paused',
      paused_by: 'budget',
      budget: { limits: { tokens: 8_000 }, spent: { usd: 0, tokens: spent, gpu_hours: 0 } },
    },
  ]);
  const said = `The budget of ${run} is used up: ${spent} of 8000 tokens.\nRaise it: uturn resume ${run} --budget tokens=`;
  expect(held.stderr).toContain(said);

  const status = await lab.run(['status', run]);
  expect(status.stdout).toContain(said);
  expect(status.stdout).toContain(`budget: ${spent} of 8000 tokens spent\n`);
  const { json } = await lab.run<Standing>(['status', run, '--json']);
  expect(json).toMatchObject({ state: 'paused', budget: { limits: { tokens: 8_000 }, used_up: true } });
  expect((await lab.run(['list'])).stdout).toMatch(/limited-\w+ +paused \(budget\)/);

  // Nothing is left to wake it for, and no time is spent on trying.
  for (const args of [
    ['run', 'sweep.yaml'],
    ['resume', run],
  ]) {
    const again = await lab.run(args);
    expect([again.code, again.stderr.includes(said)]).toEqual([3, true]);
  }
  const low = await lab.run(['resume', run, '--budget', 'tokens=8500']);
  expect([low.code, low.stderr]).toEqual([
    2,
    `--budget tokens=8500 would begin nothing: ${run} has spent ${spent} tokens already\n` +
      '  Give a limit above that. It is for the whole run, what was spent before included.\n',
  ]);
  expect(tokens(await lab.model.stats())).toBe(spent);

  const done = await lab.run(['resume', run, '--budget', 'tokens=1e6', '--json']);
  const { served, repeated } = await lab.model.stats();
  expect([done.code, done.json.run, served, repeated]).toEqual([0, run, total, 0]);
}, 180_000);

test('what a killed worker had made counts', async () => {
  await lab.config({ name: 'killed', seed: 2, budget: { tokens: 9_000 } });
  const first = lab.begin<Held>(['run', 'sweep.yaml', '--json']);
  await lab.when(({ served }) => served >= 20);
  await lab.kill('worker');
  const { json, stderr } = await first.done;
  const stats = await lab.model.stats();
  const lost = stats.abandoned + stats.repeated;
  expect(json, stderr).toMatchObject({ state: 'paused', paused_by: 'budget' });
  // What was in flight at the kill was paid for too, but nobody knows.
  expect(json.budget?.spent.tokens).toBeLessThanOrEqual(tokens(stats));
  expect(json.budget?.spent.tokens).toBeGreaterThanOrEqual(tokens(stats) - 8 * 260);
  expect(lost).toBeLessThanOrEqual(8);
}, 180_000);

test('a limit in dollars needs every price, and says where one is missing', async () => {
  await lab.config({ name: 'priceless', budget: { usd: 1 } });
  const { code, stderr } = await lab.run(['run', 'sweep.yaml']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/sweep\.yaml:\d+ {2}budget\.usd: cannot be counted: no price is stated for fake\.\n {2}State/);
});
