// A whole run watched in every way there is, on a server that gives everything away: what is told of it, and what is not.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metrics as ours } from '../../activities/metrics.ts';
import type { Turn } from '../../domain/records/record.ts';
import { freePort } from '../../local/ports.ts';
import { until } from '../../local/until.ts';
import { type Gossip, startGossip } from '../fakes/gossip.ts';
import { Lab } from '../lab.ts';

const key = 'lab-key-0123456789abcdef';
let lab: Lab;
let gossip: Gossip;
let run = '';
let page = '';
let log = '';

beforeAll(async () => {
  lab = await Lab.start({ fake: { apiKey: key }, items: 24 });
  const words = lab.items.map(({ question }) => question).join(' ');
  // The first tries fail and are made again; later one item is refused for good.
  gossip = await startGossip(lab.model.url, { words, refuse: (n) => (n <= 3 ? 503 : n === 20 ? 400 : null) });
  await lab.config({ model: { url: gossip.url, api_key_env: 'LAB_MODEL_KEY' }, max_error_share: 1 });
  const port = await freePort(null);
  const env = { LAB_MODEL_KEY: key, UTURN_METRICS: String(port), UTURN_LOG: 'debug', UTURN_LOG_FORMAT: 'json' };
  const ran = await lab.run(['run', 'sweep.yaml', '--json'], { env });
  run = ran.json.run;
  const read = async () => {
    page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return page.includes('uturn_records_total');
  };
  // Shown within a second.
  await until(async () => (await read()) && sum('uturn_shards_total') === 8, 10_000);
  log = await readFile(join(lab.home.logs, 'worker.log'), 'utf8');
}, 180_000);
afterAll(async () => {
  await gossip?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});

type Sample = { name: string; labels: Record<string, string>; value: number };

function samples(): Sample[] {
  return [...page.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]),
    ),
    value: Number(value),
  }));
}

function sum(name: string, wanted: Record<string, string> = {}): number {
  return samples()
    .filter((one) => one.name === name && Object.entries(wanted).every(([label, value]) => one.labels[label] === value))
    .reduce((total, { value }) => total + value, 0);
}

const lines = () =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('every line of the log is one JSON object, and shards are known by run, model, stage, key, block and attempt', () => {
  const sealed = lines().filter(({ message }) => message === 'shard sealed');
  const places = sealed.map(({ stage, block }) => `${String(stage)} ${String(block)}`);
  expect(places.sort()).toEqual(
    ['assistant_turn', 'judgement', 'score', 'user_turn'].flatMap((stage) => [`${stage} 0`, `${stage} 1`]),
  );
  for (const line of sealed) {
    expect(line).toMatchObject({
      time: expect.stringMatching(/^\d{4}-/),
      level: 'info',
      run,
      model: 'fake',
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      sample: 0,
      attempt: expect.any(Number),
      records: expect.any(Number),
    });
  }
});

test('what happened is counted: records by outcome, tries by cause, calls of the store, durations', () => {
  expect(sum('uturn_records_total', { stage: 'assistant_turn', outcome: 'made' })).toBe(23);
  expect(sum('uturn_records_total', { stage: 'assistant_turn', outcome: 'error' })).toBe(1);
  expect(sum('uturn_shards_total', { outcome: 'sealed' })).toBe(8);
  expect(sum('uturn_shard_seconds_count')).toBe(8);
  expect(sum('uturn_shard_phase_seconds_count')).toBe(24);
  expect(sum('uturn_requests_total', { call: 'completion', outcome: 'server_error' })).toBe(3);
  expect(sum('uturn_requests_total', { call: 'completion', outcome: 'refused' })).toBe(1);
  expect(sum('uturn_requests_total', { call: 'completion', outcome: 'ok' })).toBeGreaterThanOrEqual(46);
  expect(sum('uturn_tokens_total')).toBeGreaterThan(0);
  expect(sum('uturn_concurrency_limit')).toBe(8);
  expect(sum('uturn_store_bytes_total', { operation: 'append' })).toBeGreaterThan(0);
  expect(sum('temporal_workflow_completed')).toBe(2);
});

test('names and labels are those that the documentation has, and few', () => {
  const labelled = samples().filter(({ name }) => name.startsWith('uturn_'));
  for (const { name, labels } of labelled) {
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    const metric = Object.entries(ours).find(([one]) => one === name || one === base)?.[1];
    expect({
      name,
      labels: Object.keys(labels)
        .filter((label) => label !== 'le')
        .sort(),
    }).toEqual({
      name,
      labels: ['role', ...(metric?.labels ?? ['no such metric'])].sort(),
    });
  }
  expect(labelled.length).toBeLessThan(400);
});

test('no text of a prompt or an answer, and no key, is in the log or on the page', async () => {
  expect(gossip.told()).toBe(4);
  const turns = [...(await lab.records<Turn>(run, 'assistant_turn')), ...(await lab.records<Turn>(run, 'user_turn'))];
  const texts = turns.flatMap(({ result }) => (result.status === 'ok' ? [result.body.text] : []));
  const secret = [key, ...texts, ...lab.items.map(({ question }) => question)].filter((text) => text.length > 5);
  // Neither whole nor in part: a line is cut, and begins somewhere.
  const parts = secret.flatMap((text) => [text.slice(0, 20), text.slice(-20)]);
  const told = `${log}\n${page}`;
  expect(parts.length).toBeGreaterThan(100);
  expect(parts.filter((part) => told.includes(part) || told.includes(JSON.stringify(part).slice(1, -1)))).toEqual([]);
});
