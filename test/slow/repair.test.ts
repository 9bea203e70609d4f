// Parts of a finished run's files are lost: the same command makes again what is missing, and only that.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readPins, readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { listRuns } from '../../activities/store/runs.ts';
import { shardFolder } from '../../activities/store/shard.ts';
import { resumeRun } from '../../cli/start.ts';
import type { Stage } from '../../domain/records/record.ts';
import { connectTemporal } from '../../local/connection.ts';
import { listServices, type Service } from '../../local/services.ts';
import { localTemporal } from '../../local/temporal.ts';
import { Lab } from '../lab.ts';

vi.setConfig({ testTimeout: 240_000 }); // several whole commands each, on a machine that may be busy

let lab: Lab;
let run: string;
let hashes: string[];

beforeAll(async () => {
  lab = await Lab.start({ items: 6 });
  const first = await lab.run(['run', 'sweep.yaml', '--json']);
  run = first.json.run;
  hashes = await lab.hashes(run);
});
beforeEach(() => lab.model.reset());
afterAll(() => lab?.[Symbol.asyncDispose]());

/** Where the part of a stage lies that the run goes by. */
async function partOf(stage: Stage): Promise<{ folder: string; file: string }> {
  const [record] = await lab.records(run, stage);
  const { pins } = await readPins(lab.store, run);
  const pin = [...pins.values()].find(({ key }) => key === record?.result.key);
  if (pin === undefined) throw new Error(`no pin of ${stage}`);
  const folder = join(lab.home.store, shardFolder(pin));
  return { folder, file: join(folder, pin.part) };
}

test('a folder of records that was deleted is made again by the next run of the same config, from the same requests', async () => {
  const { folder, file } = await partOf('user_turn');
  await rm(folder, { recursive: true });
  const report = await lab.run(['report', run]);
  expect([report.code, report.stderr.split('\n')[0]]).toEqual([2, `file://${file} this part is missing`]);

  const again = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([again.code, again.json?.run, (await lab.model.stats()).served], again.stderr).toEqual([0, run, 6]);
  expect(await lab.hashes(run)).toEqual(hashes);
  expect((await lab.run(['report', run])).code).toBe(0);
});

test('a part that was deleted is put together from what else there is', async () => {
  await rm((await partOf('assistant_turn')).file);
  const resumed = await lab.run(['resume', run, '--json']);
  expect([resumed.code, (await lab.model.stats()).received], resumed.stderr).toEqual([0, 0]);
  expect(await lab.hashes(run)).toEqual(hashes);
});

test('a part that is damaged is named; deleted, it is made again', async () => {
  const { file } = await partOf('score');
  await writeFile(file, 'x');
  const report = await lab.run(['run', 'sweep.yaml']);
  expect([report.code, report.stderr]).toEqual([
    2,
    expect.stringContaining(
      `file://${file} this part is damaged: it does not hold what its name says\n  Restore it from a copy of the store, or delete it and have it made again: uturn resume <run>.`,
    ),
  ]);
  await rm(file);
  expect((await lab.run(['resume', run])).code).toBe(0);
  expect(await lab.hashes(run)).toEqual(hashes);
});

test('a run whose first document was lost is found again by its config', async () => {
  await rm(join(lab.home.store, 'runs', run, 'run.json'));
  const again = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([again.code, again.json?.run, (await lab.model.stats()).received], again.stderr).toEqual([0, run, 0]);
  expect(await lab.hashes(run)).toEqual(hashes);
});

test('data that were damaged in the store are told before anything begins', async () => {
  const { pins } = await readPins(lab.store, run);
  await rm(join(lab.home.store, shardFolder([...pins.values()][0] ?? { key: '', block: 0, sample: 0 })), {
    recursive: true,
  });
  const plan = await getPlan(lab.store, (await readRun(lab.store, run)).plan);
  const blob = join(lab.home.store, 'blobs', plan.data[0]?.items ?? '');
  await writeFile(blob, 'x');
  const sentence = `file://${blob} this blob is damaged: its bytes do not have the SHA-256 in its name`;
  const [resumed, again] = [await lab.run(['resume', run]), await lab.run(['run', 'sweep.yaml'])];
  expect([resumed.code, again.code]).toEqual([2, 2]);
  expect(resumed.stderr).toContain(sentence);
  expect(again.stderr).toContain(`this blob is damaged: its bytes do not have the SHA-256 in its name`);
  await rm(blob);
  expect((await lab.run(['run', 'sweep.yaml', '--json'])).code).toBe(0);
  expect(await lab.hashes(run)).toEqual(hashes);
});

test('to watch a run that has ended starts nothing and says how it ended', async () => {
  await using own = await lab.fresh();
  await own.run(['run', 'sweep.yaml']);
  for (const victim of ['worker', 'temporal'] as const) await own.kill(victim);
  const watched = await own.run(['watch', run, '--json']);
  expect([watched.code, watched.stderr, watched.json.cells[0]?.state]).toEqual([0, `${run} has ended\n`, 'complete']);
  expect((await listServices(own.home)).filter(({ alive }) => alive)).toEqual([]);
});

test('a run whose workflow was terminated goes on at once', async () => {
  await lab.config({ name: 'terminated', seed: 2 });
  await lab.model.setFaults([{ fault: 'hang', when: { rate: 0.5 } }]);
  const command = lab.begin(['run', 'sweep.yaml', '--json']);
  await lab.when(({ received }) => received > 0);
  const name = (await listRuns(lab.store)).find((one) => one.startsWith('terminated-')) ?? '';
  const temporal = (await listServices(lab.home)).find((one) => one.name === 'temporal');
  const { client, close } = await connectTemporal(localTemporal(temporal as Service));
  await client.workflow.getHandle(name).terminate('from outside');
  // What was begun by the one that was terminated is still ending.
  await lab.model.setFaults([]);
  expect((await resumeRun({ client, store: lab.store }, name)).how).toBe('resumed');
  await close();
  await command.done;
  const { code, json, stderr } = await lab.run(['watch', name, '--json']);
  expect([code, json?.cells?.[0]?.state], stderr).toEqual([0, 'complete']);
});
