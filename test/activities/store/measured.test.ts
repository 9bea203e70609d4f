import { createServer } from 'node:http';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { noMetrics } from '../../../activities/metrics.ts';
import { measuredStore } from '../../../activities/store/measured.ts';
import { countRetries } from '../../../activities/store/s3/counted.ts';
import { WorldProblem } from '../../../domain/problems.ts';
import { countingMetrics } from '../../fakes/counts.ts';
import { memoryStore } from './memory.ts';

test('calls are counted by what they came to, with the bytes they carried', async () => {
  const metrics = countingMetrics();
  const store = measuredStore(memoryStore(), metrics);
  expect(await store.create('runs/a/run.json', 'three')).toBe('created');
  expect(await store.create('runs/a/run.json', 'three')).toBe('exists');
  expect(await store.read('runs/a/run.json')).toHaveLength(5);
  expect(await store.read('runs/b/run.json')).toBe(null);
  expect(await store.list('runs/a/')).toEqual(['run.json']);
  const segment = await store.segment('stages/k/0/a-1.jsonl');
  await segment.append('{"é":1}');
  await segment.close();
  expect(metrics.seen()).toEqual({
    'store_bytes_total{operation=append}': 9,
    'store_bytes_total{operation=create}': 5,
    'store_bytes_total{operation=read}': 5,
    'store_operations_total{operation=append,outcome=ok}': 1,
    'store_operations_total{operation=create,outcome=exists}': 1,
    'store_operations_total{operation=create,outcome=ok}': 1,
    'store_operations_total{operation=list,outcome=ok}': 1,
    'store_operations_total{operation=read,outcome=missing}': 1,
    'store_operations_total{operation=read,outcome=ok}': 1,
  });
});

test('a call that fails is counted by its kind, and fails as it did', async () => {
  const metrics = countingMetrics();
  const full = { ...memoryStore(), create: () => Promise.reject(new WorldProblem('disk', 'no room')) };
  await expect(measuredStore(full, metrics).create('a', 'b')).rejects.toThrow('no room');
  expect(metrics.seen()).toEqual({ 'store_operations_total{operation=create,outcome=disk}': 1 });
});

test('where nobody looks it is the store itself', () => {
  const store = memoryStore();
  expect(measuredStore(store, noMetrics)).toBe(store);
});

test('what the SDK tries again is counted, whether it comes through in the end or not', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const down = request.url?.includes('never') || requests < 3;
    response.writeHead(down ? 503 : 200, { 'content-type': 'application/xml' }).end(down ? '' : 'bytes');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 3,
  });
  const metrics = countingMetrics();
  countRetries(client, metrics);
  try {
    await client.send(new GetObjectCommand({ Bucket: 'b', Key: 'sometimes' }));
    expect(metrics.seen()).toEqual({ 'store_retries_total{request=GetObject}': 2 });
    await client.send(new GetObjectCommand({ Bucket: 'b', Key: 'never' })).catch(() => null);
    expect(metrics.seen()).toEqual({ 'store_retries_total{request=GetObject}': 4 });
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
});
