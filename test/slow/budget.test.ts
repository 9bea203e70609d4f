// A run's budget, from its config to its limit and beyond.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listRuns } from '../../activities/store/runs.ts';
import type { Standing } from '../../cli/standing.ts';
import { grouped } from '../../report/numbers.ts';
import type { Stats } from '../fakes/stats.ts';
import type { Ran } from '../lab/command.ts';
import { engineLab } from '../lab/engine.ts';
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

/** Without the narrow spaces that group digits. */
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ');

const tokens = (stats: Stats) => stats.tokens.prompt + stats.tokens.completion;

/** What the largest shards take: prompts of a hundred tokens and turns at their limit. */
const mostOfShard = shard * (100 + 160);

test('a run pauses at its limit, says so everywhere, and goes on when it is raised', async () => {
  await lab.config({ name: 'limited', seed: 1, budget: { tokens: 8_000 } });
  const held = await lab.run<Held>(['run', 'sweep.yaml', '--json']);
  const { run } = held.json;
  const spent = tokens(await lab.model.stats());
  expect(spent).toBeGreaterThanOrEqual(8_000);
  // With so little, the first shards of a stage are begun before anybody knows what they take.
  expect(spent).toBeLessThan(8_000 + 2 * mostOfShard);
  expect([held.code, held.json]).toEqual([
    3,
    {
      run,
      state: 'paused',
      paused_by: 'budget',
      budget: { limits: { tokens: 8_000 }, spent: { usd: 0, tokens: spent, gpu_hours: 0 } },
    },
  ]);
  const said = `The budget of ${run} is used up: ${grouped(spent)} of 8000 tokens.\nRaise it: uturn resume ${run} --budget tokens=`;
  expect(held.stderr).toContain(said);

  const status = plain((await lab.run(['status', run])).stdout);
  expect(status).toContain(plain(said));
  expect(status).toContain(plain(`budget: ${grouped(spent)} of 8000 tokens spent\n`));
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
  await lab.config({ name: 'limited', seed: 1, budget: { tokens: 9_000 } });
  const other = await lab.run(['run', 'sweep.yaml']);
  expect(other.stderr).toContain(
    `The budget of ${run} stays 8000 tokens, not the config's 9000 tokens.\nSet it: uturn resume ${run} --budget <unit=limit>\n`,
  );
  const low = await lab.run(['resume', run, '--budget', `tokens=${spent}`]);
  expect([low.code, low.stderr]).toEqual([
    2,
    `--budget tokens=${spent} would begin nothing: ${run} has spent ${grouped(spent)} tokens already\n` +
      '  Give a limit above that. It is for the whole run, what was spent before included.\n',
  ]);
  expect(tokens(await lab.model.stats())).toBe(spent);

  const done = await lab.run(['resume', run, '--budget', 'tokens=1e6', '--json']);
  const { served, repeated } = await lab.model.stats();
  expect([done.code, done.json.run, served, repeated]).toEqual([0, run, total, 0]);
}, 180_000);

/** What was in flight at a kill was paid for too, but nobody knows. */
const mostLost = 8 * (100 + 160);

async function comparesWithServed(lab: Lab, held: Ran<Held>): Promise<void> {
  const served = tokens(await lab.model.stats());
  expect(held.json, held.stderr).toMatchObject({ state: 'paused', paused_by: 'budget' });
  const spent = held.json.budget?.spent.tokens ?? 0;
  expect(spent).toBeLessThanOrEqual(served);
  expect(spent).toBeGreaterThanOrEqual(served - mostLost);
}

test('what a killed worker had made counts', async () => {
  await lab.config({ name: 'killed', seed: 2, budget: { tokens: 9_000 } });
  const first = lab.begin<Held>(['run', 'sweep.yaml', '--json']);
  await lab.when(({ served }) => served >= 20);
  await lab.kill('worker');
  await comparesWithServed(lab, await first.done);
}, 180_000);

test('what was made before a cancel, and before Temporal lost its database, counts in the executions after them', async () => {
  // So slow that a command that takes seconds to start still finds the run under way.
  await using slow = await Lab.start({ items, fake: { latencyMs: 800 } });
  await slow.config({ name: 'lost', seed: 3, budget: { tokens: 12_000 } });
  const first = slow.begin<Held>(['run', 'sweep.yaml', '--json']);
  await slow.when(({ served }) => served >= 20);
  const run = (await listRuns(slow.store)).find((one) => one.startsWith('lost-')) ?? '';
  await slow.run(['cancel', run]);
  await first.done;

  const { served } = await slow.model.stats();
  const second = slow.begin<Held>(['resume', run, '--json']);
  await slow.when((stats) => stats.served >= served + 20);
  second.process.kill('SIGKILL');
  await slow.kill('worker', 'temporal');
  await rm(slow.home.database);
  await second.done;
  await comparesWithServed(slow, await slow.run<Held>(['resume', run, '--json']));
}, 240_000);

test('a limit in dollars needs every price, and says where one is missing', async () => {
  await lab.config({ name: 'priceless', budget: { usd: 1 } });
  const { code, stderr } = await lab.run(['run', 'sweep.yaml']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/sweep\.yaml:\d+ {2}budget\.usd: cannot be counted: no price is stated for fake\.\n {2}State/);
});

test('a limit of GPU hours is for models that uturn serves, and is kept', async () => {
  await lab.config({ name: 'elsewhere', budget: { gpu_hours: 1 } });
  const refused = await lab.run(['run', 'sweep.yaml']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('budget.gpu_hours: cannot be counted: uturn does not serve fake.\n');

  await using served = await engineLab({ items: 64, conduct: { fake: { latencyMs: 600 } } });
  const seconds = 4;
  const models = [{ serve: 'model', concurrency: 4, timeout_s: 30 }];
  await served.config({ models, budget: { gpu_hours: seconds / 3_600 } });
  const held = await served.run<Held & { budget: { spent: { gpu_hours: number } } }>(['run', 'sweep.yaml', '--json']);
  expect(held.json, held.stderr).toMatchObject({ state: 'paused', paused_by: 'budget' });
  expect(held.json.budget.spent.gpu_hours * 3_600).toBeGreaterThan(seconds - 0.5);
  const { run } = held.json;
  const done = await served.run(['resume', run, '--budget', 'gpu_hours=1', '--json']);
  expect([done.code, (await served.records(run, 'user_turn')).length]).toEqual([0, 64]);
  expect(served.vllm.starts().length).toBe(2);
}, 240_000);
