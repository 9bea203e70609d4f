// Our metrics where Prometheus reads them: on the SDK's own page.
import { createServer } from 'node:http';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Metrics } from '../../activities/metrics.ts';
import { freePort } from '../../local/ports.ts';
import { installRuntime, type Watching } from '../../workers/runtime.ts';

const logger = new DefaultLogger('ERROR');
let at = '';
let watching: Watching;
let metrics: Metrics;

beforeAll(async () => {
  // Refused before the one that counts: a process has one runtime.
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const address = taken.address();
  const port = typeof address === 'object' ? address?.port : 0;
  refusal = told(() => installRuntime({ role: 'control', logger, metricsAt: `127.0.0.1:${port}` }));
  taken.close();

  at = `127.0.0.1:${await freePort(null)}`;
  watching = installRuntime({ role: 'inference', logger, metricsAt: at });
  metrics = watching.metrics;
});
afterAll(() => watching.stop());

let refusal = '';

function told(run: () => unknown): string {
  try {
    run();
    return 'nothing';
  } catch (problem) {
    return String(problem);
  }
}

/** Lines of the page about one metric, in order. */
async function shown(name: string): Promise<string[]> {
  watching.flush();
  const page = await (await fetch(`http://${at}/metrics`)).text();
  return page.split('\n').filter((line) => line.startsWith(name) || line.includes(` ${name} `));
}

test('an address that somebody has is a sentence', () => {
  expect(refusal).toMatch(/^ConfigProblem: metrics cannot be shown at 127\.0\.0\.1:\d+/);
});

test('a counter adds up, by its labels, with what it counts', async () => {
  const labels = { stage: 'user_turn', model: 'a', outcome: 'made' };
  for (let n = 0; n < 1_000; n += 1) metrics.count('uturn_records_total', labels);
  metrics.count('uturn_records_total', { ...labels, outcome: 'error' }, 3);
  expect(await shown('uturn_records_total')).toEqual([
    expect.stringMatching(/^# HELP uturn_records_total Records of finished shards/),
    '# TYPE uturn_records_total counter',
    'uturn_records_total{model="a",outcome="error",stage="user_turn",role="inference"} 3',
    'uturn_records_total{model="a",outcome="made",stage="user_turn",role="inference"} 1000',
  ]);
});

test('parts of a unit are kept until they are whole', async () => {
  for (let n = 0; n < 10; n += 1) metrics.count('uturn_request_milliseconds_total', { model: 'a' }, 0.25);
  expect(await shown('uturn_request_milliseconds_total{')).toEqual([
    'uturn_request_milliseconds_total{model="a",role="inference"} 2',
  ]);
});

test('a gauge is what it reads now, added up where several have the same labels, until they are released', async () => {
  let [one, two] = [5, 7];
  const release = metrics.watch('uturn_requests_in_flight', { model: 'a' }, () => one);
  metrics.watch('uturn_requests_in_flight', { model: 'a' }, () => two);
  const says = async () => (await shown('uturn_requests_in_flight{')).map((line) => Number(line.split(' ').at(-1)));
  expect(await says()).toEqual([12]);
  [one, two] = [1, 2];
  expect(await says()).toEqual([3]);
  release();
  expect(await says()).toEqual([2]);
});

test('a duration falls into buckets of seconds', async () => {
  metrics.observe('uturn_shard_seconds', { stage: 'score' }, 3);
  const page = await shown('uturn_shard_seconds_bucket');
  expect(page.map((line) => /le="([^"]+)"\} (\d+)/.exec(line)?.slice(1).join())).toEqual([
    '0.05,0',
    '0.2,0',
    '1,0',
    '5,1',
    '20,1',
    '60,1',
    '300,1',
    '1200,1',
    '3600,1',
    '+Inf,1',
  ]);
});
