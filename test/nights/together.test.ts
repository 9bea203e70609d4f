// Two schedules whose nights come at the same time, on one model.
import { expect, test } from 'vitest';
import type { NightVerdict } from '../../domain/nights/night.ts';
import { Lab } from '../lab.ts';
import { nightly } from './lab.ts';

test('two nights at once on one model are both right, share no record, and respect its concurrency', async () => {
  await using lab = await Lab.start({
    items: 60,
    fake: { latencyMs: 20 },
    config: { name: 'sums', model: { concurrency: 6 } },
  });
  const names = ['smoke', 'other'];
  for (const name of names) {
    await lab.write(`${name}.yaml`, nightly.replace('name: smoke', `name: ${name}`));
    expect((await lab.run(['schedule', 'add', `${name}.yaml`])).code).toBe(0);
  }
  const atOnce = () =>
    Promise.all(names.map((name) => lab.run<NightVerdict>(['schedule', 'trigger', name, '--wait', '--json'])));
  const first = await atOnce();
  expect(first.map(({ json }) => json.verdict)).toEqual(['inconclusive', 'inconclusive']);
  expect(first.map(({ json }) => json.cells.map(({ measured }) => measured))).toEqual(
    Array(2).fill(first[0]?.json.cells.map(({ measured }) => measured)),
  );
  const { served, max_in_flight } = await lab.model.stats();
  const runs = await Promise.all(first.map(({ json }) => lab.records(json.run)));
  const keys = runs.map((records) => new Set(records.map(({ result }) => result.key)));
  expect([...(keys[0] ?? [])].filter((key) => keys[1]?.has(key))).toEqual([]);
  expect(served).toBe(2 * 2 * 60);
  expect(max_in_flight).toBeLessThanOrEqual(6);

  const second = await atOnce();
  expect(second.map(({ json }) => [json.verdict, json.baseline])).toEqual(
    first.map(({ json }) => ['pass', [json.run]]),
  );
});
