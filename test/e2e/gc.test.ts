// Nothing is deleted while a run is open, wherever it stands; afterwards it can be, and the run says what it said.
import { utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Lab } from '../lab.ts';

test('gc refuses while a run is open in Temporal, and takes away afterwards what it does not go by', async () => {
  await using lab = await Lab.start({ items: 24, services: 'ended', fake: { latencyMs: 20 } });
  await lab.run(['up']);
  const { json } = await lab.run<{ run: string }>(['run', await lab.config(), '--detach', '--json']);
  expect((await lab.run(['pause', json.run])).code).toBe(0);
  const open = await lab.run(['gc', '--delete']);
  expect(open.code).toBe(2);
  expect(open.stderr).toMatch(new RegExp(`^${json.run} is open, and may take up what no run refers to yet\n`));

  const done = await lab.run(['resume', json.run, '--json']);
  await lab.run(['down']);
  const long = new Date(Date.now() - 48 * 3_600_000);
  for await (const path of lab.store.below('')) await utimes(lab.store.fileOf(path) ?? '', long, long);
  const swept = await lab.run<{ deleted: number; dropped: { segments: { objects: number } } }>([
    'gc',
    '--delete',
    '--json',
  ]);
  expect([swept.code, swept.json.deleted > 0]).toEqual([0, true]);
  expect(swept.json.deleted).toBe(swept.json.dropped.segments.objects);
  expect((await lab.run(['store', 'verify'])).code).toBe(0);
  const served = (await lab.model.stats()).served;
  expect((await lab.run(['run', 'sweep.yaml', '--json'])).json).toEqual(done.json);
  expect((await lab.model.stats()).served).toBe(served);
});
