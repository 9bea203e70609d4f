// A sweep from its config to its table, by the real command on a real Temporal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StageRecord, Turn } from '../../domain/records/record.ts';
import { connectTemporal } from '../../local/connection.ts';
import { listServices } from '../../local/services.ts';
import { localTemporal } from '../../local/temporal.ts';
import { Lab } from '../lab.ts';
import { countsIn, countsOf } from './world.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 20, fake: { latencyMs: 2 } });
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Requests served since the last look. */
let seen = 0;
async function newRequests(): Promise<number> {
  const { served } = await lab.model.stats();
  const since = served - seen;
  seen = served;
  return since;
}

/** Runs a config and returns what a script would look at. */
async function sweep(file: string, ...args: string[]) {
  const { code, json, stderr } = await lab.run(['run', file, '--json', ...args]);
  if (json === null) throw new Error(stderr);
  return { code, run: json.run, samples: json.samples, requests: await newRequests(), json };
}

const where = ({ result }: StageRecord) => `${result.key} ${result.item} ${result.sample}`;

test('every sample is asked for once, kept once, and counted as what it is', async () => {
  await lab.config({ name: 'whole', temperatures: [0, 0.7] });
  const { json, ...told } = await sweep('sweep.yaml');
  expect(told).toEqual({ code: 0, run: expect.stringMatching(/^whole-[0-9a-f]{8}$/), samples: 40, requests: 80 });

  const records = await lab.records<Turn>(told.run);
  const perStage = Object.groupBy(records, ({ result }) => result.stage);
  const counts = Object.entries(perStage).map(([stage, some]) => [stage, some?.length]);
  expect(Object.fromEntries(counts)).toEqual({ assistant_turn: 40, user_turn: 40, judgement: 40, score: 40 });
  expect(new Set(records.map(where)).size).toBe(160);

  const keyed = (stage: 'assistant_turn' | 'user_turn') =>
    Object.values(Object.groupBy(perStage[stage] ?? [], ({ result }) => result.key));
  const [assistants, users] = [keyed('assistant_turn'), keyed('user_turn')];
  const recounted = assistants.map((assistant = [], at) => countsOf(lab.items, { assistant, user: users[at] ?? [] }));
  expect(json.cells.map(({ temperature }) => temperature)).toEqual([0, 0.7]);
  expect(json.cells.map(countsIn)).toEqual(recounted);
  expect(json.cells.map(({ accuracy }) => [accuracy?.value, accuracy?.n])).toEqual(
    recounted.map(({ right }) => [(right ?? 0) / 20, 20]),
  );
});

test('histories hold keys and counts, never what was said', async () => {
  await lab.config({ name: 'whole', temperatures: [0, 0.7] });
  const { run } = await sweep('sweep.yaml');
  const service = (await listServices(lab.home)).find(({ name }) => name === 'temporal');
  if (service === undefined) throw new Error('no Temporal');
  const { client, close } = await connectTemporal(localTemporal(service));
  const histories = [run, `${run}/fake`].map((id) => client.workflow.getHandle(id).fetchHistory());
  const said = (await Promise.all(histories)).flatMap(({ events }) => payloadsIn(events));
  await close();

  expect(said.length).toBeGreaterThan(20);
  expect(Math.max(...said.map((text) => text.length))).toBeLessThan(10_000);
  const turns = (await lab.records<Turn>(run)).flatMap(({ result }) =>
    result.status === 'ok' && 'text' in result.body ? [result.body.text] : [],
  );
  const texts = [...lab.items.map(({ question }) => question), ...turns].filter((text) => text.length > 8);
  expect(texts.filter((text) => said.some((payload) => payload.includes(JSON.stringify(text).slice(1, -1))))).toEqual(
    [],
  );
});

/** Everything that was handed over, as text. */
function payloadsIn(thing: unknown): string[] {
  if (thing instanceof Uint8Array) return [new TextDecoder().decode(thing)];
  return typeof thing === 'object' && thing !== null ? Object.values(thing).flatMap(payloadsIn) : [];
}

test('a finished run that is asked for again calls nothing, adds nothing and says the same', async () => {
  await lab.config({ name: 'again' });
  const first = await lab.run(['run', 'sweep.yaml', '--json']);
  const stored = await lab.stored();
  await newRequests();

  const second = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(second).toEqual({ ...first, stderr: `${first.json.run} is complete already; nothing is called\n` });
  expect(await newRequests()).toBe(0);
  expect(await lab.stored()).toEqual(stored);
});

test('a longer, warmer, repeated or wider sweep computes only what is new', async () => {
  const grown = async (fields: Record<string, unknown>) => {
    await lab.config({ name: 'grow', seed: 5, ...fields });
    const { samples, requests } = await sweep('sweep.yaml');
    return { samples, requests };
  };
  const models = (...weights: string[]) =>
    weights.map((digit) => ({
      url: lab.model.url,
      model: lab.model.name,
      id: `fake-${digit}`,
      weights: digit.repeat(64),
    }));
  expect(await grown({ limit: 10 })).toEqual({ samples: 10, requests: 20 });
  expect(await grown({ limit: 18 })).toEqual({ samples: 18, requests: 16 });
  expect(await grown({ limit: 18, temperatures: [0.7, 1] })).toEqual({ samples: 36, requests: 36 });
  expect(await grown({ limit: 18, temperatures: [0.7, 1], samples: 2 })).toEqual({ samples: 72, requests: 72 });
  expect(await grown({ limit: 4, models: models('f', 'e') })).toEqual({ samples: 8, requests: 8 });
});

test('with stated weights another run adopts what there is; a model known by address is measured anew', async () => {
  await lab.config({ name: 'adopts', seed: 7, limit: 6 });
  const first = await sweep('sweep.yaml');
  const second = await sweep('sweep.yaml', '--new');
  expect([first.requests, second.requests, second.run]).toEqual([12, 0, `${first.run}-2`]);
  expect(await lab.hashes(second.run)).toEqual(await lab.hashes(first.run));

  const model = { url: lab.model.url, model: lab.model.name, id: 'unknown' };
  await lab.config({ name: 'measures', seed: 7, limit: 6, models: [model] });
  const [once, anew] = [await sweep('sweep.yaml'), await sweep('sweep.yaml', '--new')];
  expect([once.requests, anew.requests, anew.run]).toEqual([12, 12, `${once.run}-2`]);
  // What extends a run belongs to it, and takes what it measured.
  await lab.config({ name: 'measures', seed: 7, limit: 8, models: [model] });
  expect((await sweep('sweep.yaml')).requests).toBe(4);
});

test('several samples of one question are several turns, each with a seed of its own', async () => {
  await lab.config({ name: 'several', seed: 9, limit: 5, samples: 3 });
  const { run, ...told } = await sweep('sweep.yaml');
  expect(told).toMatchObject({ samples: 15, requests: 30 });
  const seeds = (await lab.records<Turn>(run)).flatMap(({ result }) =>
    result.status === 'ok' && 'seed' in result.body ? [result.body.seed] : [],
  );
  expect(new Set(seeds).size).toBe(30);
});

test('a given answer is taken as it is: only the user turn is asked for', async () => {
  const rows = lab.items.slice(0, 6).map(({ id, question }) => ({ id, question, assistant: `It is ${id}.` }));
  await lab.write('given.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await lab.config({ name: 'given', data: [{ set: 'jsonl', id: 'given', path: 'given.jsonl' }] });
  const { run, ...told } = await sweep('sweep.yaml');
  expect(told).toMatchObject({ code: 0, samples: 6, requests: 6 });
  expect(told.json.cells[0]).toMatchObject({ accuracy: null, judged: 6 });
  const given = (await lab.records<Turn>(run, 'assistant_turn')).map(
    ({ result }) => result.status === 'ok' && [result.body.text, result.body.finish],
  );
  expect(given).toEqual(rows.map(({ assistant }) => [assistant, 'given']));
});
