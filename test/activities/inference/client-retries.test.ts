import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { retryAfterMs, waitMs } from '../../../activities/inference/retry.ts';
import { WorldProblem } from '../../../domain/problems.ts';
import type { FaultRuleInput } from '../../fakes/faults.ts';
import { startFakeServer } from '../../fakes/model-server.ts';
import { startScriptedServer } from '../../fakes/scripted-server.ts';
import { asking, clientOf, completionReply, failureOf, quick, untilDone } from './asking.ts';

test.each<[fault: FaultRuleInput['fault'], kind: string]>([
  [429, 'overloaded'],
  [408, 'server_error'],
  [409, 'server_error'],
  [500, 'server_error'],
  [503, 'server_error'],
  ['cut', 'cut'],
  ['truncated', 'bad_reply'],
  ['garbage', 'bad_reply'],
  ['empty', 'bad_reply'],
  ['binary', 'bad_reply'],
  ['foreign', 'foreign_reply'],
  ['hang', 'timeout'],
])('fault %s twice is overcome; without end it is tried five times, and is %s', async (fault, kind) => {
  await using fake = await startFakeServer({ faults: [{ fault, when: { at: [1, 2] } }] });
  const client = clientOf(fake.url, { timeoutMs: fault === 'hang' ? 600 : 30_000 });
  expect((await client.complete(asking('Hi'), untilDone)).requests).toBe(3);
  expect(fake.stats()).toMatchObject({ received: 3, served: 1, faults: { [fault]: 2 } });

  fake.reset();
  fake.setFaults([{ fault, when: { rate: 1 } }]);
  const failure = await failureOf(client.complete(asking('Hi'), untilDone));
  expect(failure).toBeInstanceOf(WorldProblem);
  expect(failure).toMatchObject({ kind });
  expect(fake.stats()).toMatchObject({ received: 5, served: 0 });
});

test('a retried request gets the answer it would have had', async () => {
  await using fake = await startFakeServer();
  const client = clientOf(fake.url);
  const quiet = await client.complete(asking('Hi'), untilDone);
  fake.reset();
  fake.setFaults([{ fault: 'truncated', when: { at: [1] } }]);
  expect(await client.complete(asking('Hi'), untilDone)).toEqual({ ...quiet, requests: 2 });
});

test.each<[header: string, value: string, least: number]>([
  ['retry-after-ms', '120', 120],
  ['retry-after', '0.12', 120],
  ['retry-after', '3600', quick.askedCapMs],
])('%s: %s is waited for, and a jitter longer', async (header, value, least) => {
  await using server = await startScriptedServer((_, number) =>
    number === 1 ? { status: 429, headers: { [header]: value } } : { body: completionReply('Yes.') },
  );
  await clientOf(server.url).complete(asking('Hi'), untilDone);
  const [first, second] = server.seen;
  const waited = (second?.at ?? 0) - (first?.at ?? 0);
  expect(waited).toBeGreaterThanOrEqual(least * 1.2);
  expect(waited).toBeLessThan(least * 1.3 + 150);
});

test('twenty callers sent away together do not come back together', async () => {
  await using server = await startScriptedServer((_, number) =>
    number <= 20 ? { status: 429, headers: { 'retry-after-ms': '100' } } : { body: completionReply('Yes.') },
  );
  let draws = 0;
  const random = () => (draws++ % 20) / 20;
  const client = clientOf(server.url, { random, policy: { ...quick, baseMs: 400 } });
  await Promise.all(Array.from({ length: 20 }, () => client.complete(asking('Hi'), untilDone)));

  const back = server.seen.slice(20).map((one) => one.at);
  expect(back).toHaveLength(20);
  expect(Math.max(...back) - Math.min(...back)).toBeGreaterThan(300);
});

test('what is still refused after the last try carries the wait that was asked for, jittered', async () => {
  await using server = await startScriptedServer(() => ({ status: 429, headers: { 'retry-after-ms': '40' } }));
  const policy = { ...quick, attempts: 2 };
  const failures = [0, 0.9].map((x) =>
    failureOf(clientOf(server.url, { policy, random: () => x }).complete(asking('Hi'), untilDone)),
  );
  expect(await Promise.all(failures)).toMatchObject([
    { kind: 'overloaded', retryAfterMs: 40 },
    { kind: 'overloaded', retryAfterMs: 58 },
  ]);
});

test.each([
  [500, 'false', 1],
  [429, 'false', 1],
  [400, 'true', 5],
  [400, 'perhaps', 1],
])('status %i with x-should-retry: %s is sent %i times', async (status, wish, times) => {
  await using server = await startScriptedServer(() => ({ status, headers: { 'x-should-retry': wish } }));
  await failureOf(clientOf(server.url).complete(asking('Hi'), untilDone));
  expect(server.seen).toHaveLength(times);
});

test('where nobody listens, a call ends soon', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));

  const begun = performance.now();
  const failure = await failureOf(clientOf(`http://127.0.0.1:${port}`).complete(asking('Hi'), untilDone));
  expect(failure).toEqual(new WorldProblem('unreachable', `nobody answers at http://127.0.0.1:${port} (ECONNREFUSED)`));
  expect(failure).toMatchObject({ kind: 'unreachable' });
  expect(performance.now() - begun).toBeLessThan(500);
});

test('a server that dies under a request is unreachable, not a fault of the request', async () => {
  await using fake = await startFakeServer({ faults: [{ fault: 'hang', when: { rate: 1 } }] });
  const failure = failureOf(clientOf(fake.url).complete(asking('Hi'), untilDone));
  while (fake.stats().in_flight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await fake.stop();
  expect(await failure).toMatchObject({ kind: 'unreachable' });
});

test('an abort ends a request at once, and the server sees the client leave', async () => {
  await using fake = await startFakeServer({ latencyMs: 3_000 });
  const stop = new AbortController();
  const failure = failureOf(clientOf(fake.url).complete(asking('Hi'), stop.signal));
  while (fake.stats().in_flight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const begun = performance.now();
  const reason = new Error('cancelled');
  stop.abort(reason);
  expect(await failure).toBe(reason);
  while (fake.stats().in_flight > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(fake.stats()).toMatchObject({ received: 1, served: 0, abandoned: 1 });
});

test('an abort ends a wait at once, and nothing more is sent', async () => {
  await using server = await startScriptedServer(() => ({ status: 429, headers: { 'retry-after': '60' } }));
  const policy = { ...quick, askedCapMs: 60_000 };
  const stop = new AbortController();
  const failure = failureOf(clientOf(server.url, { policy }).complete(asking('Hi'), stop.signal));
  while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const reason = new Error('cancelled');
  stop.abort(reason);
  expect(await failure).toBe(reason);
  expect(await failureOf(clientOf(server.url).complete(asking('Hi'), stop.signal))).toBe(reason);
  expect(server.seen).toHaveLength(1);
});

test('200 calls, 64 at once, through a faulty server: every request is accounted for, on both sides', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const faults = ([429, 500, 'cut', 'truncated', 'garbage', 'empty'] as const).map((fault) => ({
    fault,
    when: { rate: 0.05 },
  }));
  await using fake = await startFakeServer({ latencyMs: 50, faults });
  const client = clientOf(fake.url, { policy: { ...quick, attempts: 20 } });
  const limit = pLimit(64);
  const call = (seed: number) => limit(() => client.complete(asking('Hi', { seed }), untilDone));
  const calls = Array.from({ length: 200 }, (_, seed) => call(seed));
  const requests = (await Promise.all(calls)).map((call) => call.requests);
  process.off('warning', warn);

  const { faults: met, max_in_flight, calls: paths, ...stats } = fake.stats();
  const faulty = Object.values(met).reduce((sum, count) => sum + count, 0);
  expect(faulty).toBeGreaterThan(30);
  expect(Object.keys(met)).toHaveLength(6);
  expect(requests.reduce((sum, count) => sum + count, 0)).toBe(200 + faulty);
  expect(stats).toMatchObject({
    received: 200 + faulty,
    served: 200,
    distinct: 200,
    repeated: 0,
    refused: 0,
    abandoned: 0,
    in_flight: 0,
  });
  expect(paths).toEqual({ '/v1/completions': 200 + faulty });
  expect(max_in_flight).toBeGreaterThan(32);
  expect(max_in_flight).toBeLessThanOrEqual(64);
  expect(warnings).toEqual([]);
});

const NOW = Date.parse('2031-05-06T07:08:09Z');
test.each<[headers: Record<string, string>, ms: number | null]>([
  [{}, null],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': 'Tue, 06 May 2031 07:08:19 GMT' }, 10_000],
  [{ 'retry-after': 'Tue, 06 May 2031 07:08:00 GMT' }, 0],
  [{ 'retry-after': '-3' }, null],
  [{ 'retry-after': 'later' }, null],
])('%j asks for a wait of %s ms', (headers, ms) => {
  expect(retryAfterMs(headers, NOW)).toBe(ms);
});

test('a wait is never shorter than asked (up to the cap), and never without end', () => {
  const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.option(fc.nat(10 ** 9)), fc.integer({ min: 1, max: 40 }), draw, (askedMs, tries, x) => {
      const ms = waitMs(askedMs, tries, { policy: quick, random: () => x });
      const asked = Math.min(askedMs ?? 0, quick.askedCapMs);
      expect(ms).toBeGreaterThanOrEqual(asked);
      expect(ms).toBeLessThanOrEqual(askedMs === null ? quick.capMs : quick.askedCapMs * 1.5);
    }),
  );
});
