import { expect, test } from 'vitest';
import { until } from '../../../local/until.ts';
import { countingMetrics } from '../../fakes/counts.ts';
import type { FaultRuleInput } from '../../fakes/faults.ts';
import { startFakeServer } from '../../fakes/model-server.ts';
import { asking, clientOf, untilDone } from './asking.ts';

const untilAt = (n: number, fault: FaultRuleInput['fault']): FaultRuleInput => ({ fault, when: { at: [n] } });

test('every try is counted by what it came to, and none stays in flight', async () => {
  const faults = [untilAt(1, 429), untilAt(2, 503), untilAt(3, 'cut')];
  await using fake = await startFakeServer({ faults });
  const metrics = countingMetrics();
  const client = clientOf(fake.url, { metrics });
  await client.complete(asking('Hi'), untilDone);
  await client.complete(asking('Ho'), untilDone);
  await client.tokenize('Hi');
  expect(metrics.seen()).toEqual({
    'requests_in_flight{model=fake-chat}': 0,
    'requests_total{model=fake-chat,call=completion,outcome=cut}': 1,
    'requests_total{model=fake-chat,call=completion,outcome=ok}': 2,
    'requests_total{model=fake-chat,call=completion,outcome=overloaded}': 1,
    'requests_total{model=fake-chat,call=completion,outcome=server_error}': 1,
    'requests_total{model=fake-chat,call=tokens,outcome=ok}': 1,
  });
});

test('a server that is away, one that is silent and a request that we stop are told apart', async () => {
  const fake = await startFakeServer({ faults: [{ fault: 'hang', when: { rate: 1 } }] });
  const metrics = countingMetrics();
  const client = clientOf(fake.url, { metrics, timeoutMs: 200 });
  await client.complete(asking('Hi'), AbortSignal.timeout(20)).catch(() => null);
  await client.complete(asking('Hi'), untilDone).catch(() => null);
  await fake.stop();
  await client.complete(asking('Hi'), untilDone).catch(() => null);
  expect(metrics.seen()).toMatchObject({
    'requests_in_flight{model=fake-chat}': 0,
    'requests_total{model=fake-chat,call=completion,outcome=stopped}': 1,
    'requests_total{model=fake-chat,call=completion,outcome=timeout}': 5,
    'requests_total{model=fake-chat,call=completion,outcome=unreachable}': 2,
  });
});

test('requests that are on their way are seen', async () => {
  await using fake = await startFakeServer({ latencyMs: 100 });
  const metrics = countingMetrics();
  const client = clientOf(fake.url, { metrics });
  const asked = ['a', 'b', 'c'].map((text) => client.complete(asking(text), untilDone));
  expect(await until(() => metrics.seen()['requests_in_flight{model=fake-chat}'] === 3, 10_000)).toBe(true);
  await Promise.all(asked);
  expect(metrics.seen()).toMatchObject({ 'requests_in_flight{model=fake-chat}': 0 });
});
