// A run under way is paused, cancelled and gone on with.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listRuns } from '../../activities/store/runs.ts';
import { lanesFor } from '../../domain/plan/lanes.ts';
import { until } from '../../local/until.ts';
import { users } from '../../local/users.ts';
import type { Running } from '../lab/command.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  // So slow that a command that takes seconds to start, on a busy machine, still finds the run under way.
  lab = await Lab.start({ items: 64, fake: { latencyMs: 500 } });
});
beforeEach(() => lab.model.reset());
afterAll(() => lab[Symbol.asyncDispose]());

const total = 128;
const concurrency = 8;

/** Begins a run of this name and returns when a quarter of it is served. */
async function underWay(name: string, seed: number): Promise<{ run: string; command: Running }> {
  await lab.config({ name, seed });
  const command = lab.begin(['run', 'sweep.yaml', '--json']);
  await lab.when(({ served }) => served >= total / 4);
  const run = (await listRuns(lab.store)).find((one) => one.startsWith(`${name}-`)) ?? '';
  return { run, command };
}

test('a paused run is soon silent, and goes on where it stood', async () => {
  const { run, command } = await underWay('paused', 1);
  const paused = await lab.run(['pause', run]);
  expect([paused.code, paused.stderr]).toEqual([0, `${run} is paused. Go on with: uturn resume ${run}\n`]);
  const following = await command.done;
  expect(following.code).toBe(3);
  expect(following.stderr).toContain(
    `${run} is paused; nothing that was completed is lost. Go on with: uturn resume ${run}\n`,
  );

  // Shards that were open come to their end first.
  expect(await askedWhenQuiet()).toBe(0);
  expect((await lab.model.stats()).served).toBeLessThan(total);

  const resumed = await lab.run(['resume', run, '--json']);
  const { received, served, repeated } = await lab.model.stats();
  expect([resumed.code, resumed.json.run, received, served, repeated]).toEqual([0, run, total, total, 0]);
});

/** What the model is asked for in a while, once the shards that were open have come to their end. */
async function askedWhenQuiet(): Promise<number> {
  let before = -1;
  const quiet = async () => {
    const { received, in_flight } = await lab.model.stats();
    const same = in_flight === 0 && received === before;
    before = received;
    return same;
  };
  // Between two requests of one shard nothing is in flight either.
  await until(quiet, 60_000, { everyMs: 2_000 });
  await sleep(1_500);
  return (await lab.model.stats()).received - before;
}

test('Ctrl-C pauses a run whose worker stays up, and the same command goes on with it', async () => {
  const { run, command } = await underWay('interrupted', 5);
  command.process.kill('SIGINT');
  const { code, json, stderr } = await command.done;
  expect([code, json]).toEqual([130, { run, state: 'paused' }]);
  expect(stderr).toContain(`${run} is paused; nothing that was completed is lost. Go on with: uturn resume ${run}\n`);
  expect(await askedWhenQuiet()).toBe(0);
  expect((await lab.model.stats()).served).toBeLessThan(total);

  const again = await lab.run(['run', 'sweep.yaml', '--json']);
  const { served, repeated } = await lab.model.stats();
  expect([again.code, again.json.run, served, repeated], again.stderr).toEqual([0, run, total, 0]);
});

test('Ctrl-C on a command that only watches leaves the run as it is, and says so', async () => {
  const { run, command } = await underWay('watched', 6);
  const watching = lab.begin(['watch', run]);
  await until(async () => (await users(lab.home)).length > 2, 20_000, { everyMs: 50 });
  await sleep(2_000);
  watching.process.kill('SIGINT');
  const watched = await watching.done;
  expect(watched.code).toBe(130);
  expect(watched.stderr).toContain(`${run} goes on without this command. Stop it with: uturn pause ${run}\n`);
  expect((await command.done).code).toBe(0);
});

test('a cancelled run keeps what it finished; taken up again it pays at most for what was cut off', async () => {
  const { run, command } = await underWay('cancelled', 2);
  const cancelled = await lab.run(['cancel', run]);
  expect([cancelled.code, cancelled.stderr]).toEqual([
    0,
    `${run} is cancelled; what it finished is kept. Take it up again with: uturn resume ${run}\n`,
  ]);
  expect((await command.done).code).toBe(3);
  const { served, in_flight } = await lab.model.stats();
  expect(in_flight).toBe(0);
  expect(served).toBeLessThan(total);

  const resumed = await lab.run(['resume', run, '--json']);
  const after = await lab.model.stats();
  expect([resumed.code, resumed.json.run, resumed.json.cells[0]?.state, after.served]).toEqual([
    0,
    run,
    'complete',
    total + after.repeated,
  ]);
  // Each open shard hears of it with its own heartbeat; until then it takes the room that another's cut requests left.
  const open = lanesFor({ concurrency, judging: 0, block: 16 });
  expect(after.repeated + after.abandoned).toBeLessThanOrEqual(open * concurrency);
  expect((await lab.records(run)).length).toBe(2 * total);
});

test('a run that is cancelled before its first step is cancelled all the same, and can be taken up', async () => {
  await lab.config({ name: 'early', seed: 3, limit: 8 });
  // In a home of its own, where no worker takes the first step.
  await using own = await lab.fresh();
  const started = await own.run(['run', 'sweep.yaml', '--detach', '--no-worker', '--json']);
  const { run } = started.json;
  const cancelled = await own.run(['cancel', run]);
  expect([cancelled.code, cancelled.stderr]).toEqual([
    0,
    `${run} is cancelled; what it finished is kept. Take it up again with: uturn resume ${run}\n`,
  ]);
  expect((await lab.model.stats()).received).toBe(0);
  const resumed = await own.run(['resume', run, '--json']);
  expect([resumed.code, resumed.json.cells[0]?.state, (await lab.model.stats()).served]).toEqual([0, 'complete', 16]);
});

test('a run whose Temporal lost its database is resumed by the first command that is asked to', async () => {
  const { run, command } = await underWay('unmoored', 4);
  await lab.kill('cli');
  await command.done;
  await rm(lab.home.database);
  const resumed = await lab.run(['resume', run, '--json']);
  expect([resumed.code, resumed.json?.run, resumed.json?.cells[0]?.state], resumed.stderr).toEqual([
    0,
    run,
    'complete',
  ]);
  expect((await lab.records(run)).length).toBe(4 * 64);
});
