// A run under way is told something by the real command: to one of its models, and how hard to drive its servers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../local/until.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 240, fake: { latencyMs: 120 } });
});
afterAll(() => lab[Symbol.asyncDispose]());

const models = (...ids: string[]) =>
  ids.map((id, n) => ({
    url: lab.model.url,
    model: lab.model.name,
    id,
    weights: String(n + 1).repeat(64),
    concurrency: 2,
  }));

async function told(...args: string[]) {
  const { code, json, stderr } = await lab.run([...args, '--json']);
  if (json === null) throw new Error(stderr);
  return { code, json: json as Record<string, unknown> };
}

type Status = {
  state: string;
  models: { model: string; state: string; stages: { stage: string; records: number }[] }[];
  concurrency: Record<string, unknown>;
};
const status = async (run: string) => (await told('status', run)).json as unknown as Status;
const stateOf = async (run: string, model: string) =>
  (await status(run)).models.find((one) => one.model === model)?.state;

test('one model waits while the other gets more room, and nothing is asked twice', async () => {
  await lab.config({ name: 'told', models: models('one', 'two') });
  const { json: begun } = await told('run', 'sweep.yaml', '--detach');
  const run = String(begun['run']);
  await lab.when(({ served }) => served >= 8);

  const paused = await told('pause', run, '--model', 'one');
  expect(paused).toEqual({ code: 0, json: { run, models: ['one'], state: 'paused' } });
  expect(await stateOf(run, 'one')).toBe('paused');
  expect((await status(run)).state).toBe('running');

  const both = await Promise.all(['two=30', 'two=6'].map((one) => told('set', run, '--concurrency', one)));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const set = await told('set', run, '--concurrency', 'two=24');
  expect(set.json).toEqual({ run, concurrency: { models: { one: 2, two: 24 } } });
  // Both share the server, of which each took two at once.
  const widened = () => lab.model.stats().then(({ max_in_flight }) => max_in_flight > 12);
  expect(await until(widened, 30_000)).toBe(true);
  expect(await until(async () => (await stateOf(run, 'two')) === 'complete', 60_000)).toBe(true);
  expect(await status(run)).toMatchObject({ state: 'paused', concurrency: { models: { one: 2, two: 24 }, set: true } });
  expect((await lab.run(['status', run])).stdout).toContain('requests in flight at most, as set: one 2, two 24');

  await told('set', run, '--concurrency', 'one=24');
  await told('resume', run, '--model', 'one', '--detach');
  const { code, json } = await told('watch', run);
  expect([code, json['samples']]).toEqual([0, 480]);
  // To the server they are one model, so each request was made by both, once.
  const { served, requests } = await lab.model.stats();
  expect([served, new Set(Object.values(requests))]).toEqual([960, new Set([2])]);

  // For the next time it would be begun.
  expect((await told('set', run, '--concurrency', 'one=3')).json).toEqual({
    run,
    concurrency: { models: { one: 3, two: 24 } },
  });
  expect((await status(run)).concurrency).toEqual({ models: { one: 3, two: 24 }, set: true });
}, 180_000);

test('what cannot be meant is refused with what could', async () => {
  await lab.config({ name: 'refused', limit: 2 });
  const { json } = await told('run', 'sweep.yaml');
  const run = String(json['run']);
  const refused = async (...args: string[]) => {
    const { code, stderr } = await lab.run(args);
    return [code, stderr.trim()];
  };
  expect(await refused('pause', run, '--model', 'fke')).toEqual([
    2,
    `${run} has no model fke\n  Did you mean fake? It has fake.`,
  ]);
  expect(await refused('set', run)).toEqual([2, 'there is nothing to set\n  Say what: --concurrency fake=8']);
  expect(await refused('set', run, '--judge-concurrency', '4')).toEqual([
    2,
    `no model judges in ${run}\n  Leave --judge-concurrency out.`,
  ]);
  expect((await refused('set', run, '--concurrency', 'fake=0'))[1]).toContain('a whole number from 1 to 4096');
  expect((await refused('set', run, '--concurrency', '8'))[1]).toContain('such as my-model=8');
  expect(await refused('resume', run, '--model', 'fake')).toEqual([
    2,
    `${run} is not open, and --model is for a run that is\n  Go on with all of it: uturn resume ${run}. What is there already is not asked for again.`,
  ]);
});
