import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { cacheFolder } from '../../local/cache.ts';
import { workflowBundle } from '../../workers/bundle.ts';

const folder = join(import.meta.dirname, 'golden');
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const files = (await readdir(folder)).sort();

/** Takes what workflows would tell of themselves. */
const sinks = { exporter: { export: { fn: () => {} } } };

async function replay(histories: { workflowId: string; history: unknown }[], codePath: string): Promise<string[]> {
  const faults: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { codePath }, sinks },
    histories,
  )) {
    if (error) faults.push(`${workflowId}: ${error.message}`);
  }
  return faults;
}

async function histories(): Promise<{ workflowId: string; history: unknown }[]> {
  return Promise.all(
    files.map(async (file) => ({
      workflowId: file,
      history: JSON.parse(await readFile(join(folder, file), 'utf8')) as unknown,
    })),
  );
}

test('there is a history of every workflow and of every way it can go', () => {
  const scenes = [
    'plain',
    'continued',
    'parked',
    'paused',
    'cancelled',
    'cut',
    'again',
    'failed',
    'budget',
    'hours',
    'served',
    'refused',
  ];
  for (const scene of scenes) {
    expect(files.some((file) => file.startsWith(`${scene}-`) && file.endsWith('-sweep.json'))).toBe(true);
    expect(files.some((file) => file.startsWith(`${scene}-`) && file.endsWith('-campaign.json'))).toBe(true);
  }
  for (const scene of ['served', 'refused', 'hours']) {
    expect(files.some((file) => file.startsWith(`${scene}-by-`) && file.endsWith('-engine.json'))).toBe(true);
    expect(files.some((file) => file.startsWith(`${scene}-by-`) && file.endsWith('-epoch.json'))).toBe(true);
  }
  for (const night of ['night-0-nightly', 'night-1-sweep', 'unplanned-0-nightly'])
    expect(files).toContain(`${night}.json`);
  expect(files.filter((file) => /^continued-\d+-campaign/.test(file)).length).toBeGreaterThan(1);
});

test('runs recorded earlier go on under today’s workflows', async () => {
  expect(await replay(await histories(), await workflowBundle(cacheFolder()))).toEqual([]);
});

test('they also do where traces are made since', async () => {
  expect(await replay(await histories(), await workflowBundle(cacheFolder(), 'traced'))).toEqual([]);
});

test('a history that another workflow wrote is told', async () => {
  const swapped = (await histories())
    .filter(({ workflowId }) => workflowId.startsWith('plain-') && workflowId.endsWith('-campaign.json'))
    .map(({ workflowId, history }) => {
      const text = JSON.stringify(history).replaceAll('"userTurns"', '"otherTurns"');
      return { workflowId, history: JSON.parse(text) as unknown };
    });
  const faults = await replay(swapped, await workflowBundle(cacheFolder()));
  expect(faults.length).toBe(2);
  expect(faults[0]).toContain('Nondeterminism');
});
