// A whole run watched in every way there is, on a server that gives everything away: what is told of it, and what is not.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metrics as ours } from '../../activities/metrics.ts';
import type { Turn } from '../../domain/records/record.ts';
import { freePort } from '../../local/ports.ts';
import { until } from '../../local/until.ts';
import { attributeOf, type Collector, type SeenSpan, startCollector } from '../fakes/collector.ts';
import { type Gossip, startGossip } from '../fakes/gossip.ts';
import { Lab } from '../lab.ts';

const key = 'lab-key-0123456789abcdef';
const refused = 100;
let lab: Lab;
let gossip: Gossip;
let collector: Collector;
let run = '';
let page = '';
let log = '';

beforeAll(async () => {
  lab = await Lab.start({ fake: { apiKey: key }, items: 24 });
  const words = lab.items.map(({ question }) => question).join(' ');
  // So many tries fail that shards fail with them, and are made again; later one item is refused for good.
  gossip = await startGossip(lab.model.url, {
    words,
    refuse: (n) => (n <= refused ? 503 : n === refused + 20 ? 400 : null),
  });
  await lab.config({ model: { url: gossip.url, api_key_env: 'LAB_MODEL_KEY' }, max_error_share: 1 });
  const port = await freePort(null);
  collector = await startCollector();
  const env = {
    LAB_MODEL_KEY: key,
    UTURN_METRICS: String(port),
    UTURN_LOG: 'debug',
    UTURN_LOG_FORMAT: 'json',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  const ran = await lab.run(['run', 'sweep.yaml', '--json'], { env });
  run = ran.json.run;
  const read = async () => {
    page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return page.includes('uturn_records_total');
  };
  // Shown within a second.
  await until(async () => (await read()) && sum('uturn_shards_total', { outcome: 'sealed' }) === 8, 10_000);
  await until(() => collector.spans.some(({ name }) => name === 'RunWorkflow:sweep'), 10_000);
  log = await readFile(join(lab.home.logs, 'worker.log'), 'utf8');
}, 180_000);
afterAll(async () => {
  await collector?.[Symbol.asyncDispose]();
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

test('of a shard that failed the kind is said', () => {
  const failed = lines().filter(({ message }) => message === 'Activity failed');
  expect(failed.length).toBeGreaterThan(0);
  for (const line of failed) {
    expect(line).toMatchObject({ level: 'warn', error: 'server_error', run, stage: 'assistant_turn' });
  }
});

test('what happened is counted: records by outcome, tries by cause, calls of the store, durations', () => {
  // The second try of a shard adopts what the first one made before it failed; whatever was refused for good is an error.
  const kept = ['made', 'adopted', 'error'].map((outcome) =>
    sum('uturn_records_total', { stage: 'assistant_turn', outcome }),
  );
  expect(kept.reduce((total, one) => total + one, 0)).toBe(24);
  expect(kept[2]).toBeGreaterThan(0);
  expect(sum('uturn_shards_total', { outcome: 'sealed' })).toBe(8);
  expect(sum('uturn_shard_seconds_count')).toBe(8);
  expect(sum('uturn_shard_phase_seconds_count', { phase: 'seal' })).toBe(8);
  expect(sum('uturn_requests_total', { call: 'completion', outcome: 'server_error' })).toBe(refused);
  expect(sum('uturn_shards_total', { stage: 'assistant_turn', outcome: 'server_error' })).toBeGreaterThan(0);
  expect(sum('uturn_requests_total', { call: 'completion', outcome: 'refused' })).toBe(1);
  expect(sum('uturn_requests_total', { call: 'completion', outcome: 'ok' })).toBeGreaterThan(24);
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

/** Names from the root down to this span, all of one trace. */
function way(span: SeenSpan): string[] {
  const above = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  if (above !== undefined) expect(above.traceId).toBe(span.traceId);
  return [...(above === undefined ? [] : way(above)), span.name];
}

test('one trace leads from the command through the workflows to the phases of each shard', () => {
  const phases = collector.spans.filter(({ name }) => name.startsWith('shard.'));
  expect(phases.length).toBeGreaterThan(24);
  expect(new Set(phases.map(({ traceId }) => traceId)).size).toBe(1);
  const ways = new Set(phases.map((span) => way(span).join(' > ')));
  const above = ['StartWorkflow:sweep', 'RunWorkflow:sweep', 'StartChildWorkflow:campaign', 'RunWorkflow:campaign'];
  expect([...ways].sort()).toEqual(
    ['assistantTurns', 'judgeTurns', 'scoreAnswers', 'userTurns'].flatMap((activity) =>
      ['adopt', 'make', 'seal'].map((phase) =>
        [...above, `StartActivity:${activity}`, `RunActivity:${activity}`, `shard.${phase}`].join(' > '),
      ),
    ),
  );
});

test('a span of a shard says which it is, and nobody polls into traces', () => {
  const failed = collector.spans.filter(
    ({ name, status }) => name === 'RunActivity:assistantTurns' && status.code === 2,
  );
  expect(failed.length).toBeGreaterThan(0);
  expect(
    failed.flatMap(({ events }) => events.map(({ attributes }) => attributes.map(({ key: name }) => name))),
  ).toEqual(failed.map(() => ['exception.type']));
  const shards = collector.spans.filter(({ name }) => name === 'RunActivity:userTurns');
  expect(new Set(shards.map((span) => attributeOf(span, 'uturn.block')))).toEqual(new Set([0, 1]));
  for (const span of shards) {
    expect(['run', 'model', 'stage'].map((name) => attributeOf(span, `uturn.${name}`))).toEqual([
      run,
      'fake',
      'user_turn',
    ]);
    expect(attributeOf(span, 'uturn.key')).toMatch(/^[0-9a-f]{32}$/);
    expect(span.service).toBe('uturn');
  }
  expect(collector.spans.filter(({ name }) => /Query/.test(name))).toEqual([]);
});

test('no text of a prompt or an answer, and no key, is in the log, on the page or in a span', async () => {
  expect(gossip.told()).toBe(refused + 1);
  const turns = [...(await lab.records<Turn>(run, 'assistant_turn')), ...(await lab.records<Turn>(run, 'user_turn'))];
  const texts = turns.flatMap(({ result }) => (result.status === 'ok' ? [result.body.text] : []));
  const secret = [key, ...texts, ...lab.items.map(({ question }) => question)].filter((text) => text.length > 5);
  // Neither whole nor in part: a line is cut, and begins somewhere.
  const parts = secret.flatMap((text) => [text.slice(0, 20), text.slice(-20)]);
  const told = [log, page, ...collector.raw].join('\n');
  expect(parts.length).toBeGreaterThan(100);
  expect(parts.filter((part) => told.includes(part) || told.includes(JSON.stringify(part).slice(1, -1)))).toEqual([]);
});
