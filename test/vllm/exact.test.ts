// What makes a measurement repeatable on vLLM: seeds, prefix caching, adapters.
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Turn } from '../../domain/records/record.ts';
import { dataPath } from '../data/folder.ts';
import { openRig, type Rig } from './rig.ts';

const { url, base, adapter } = inject('vllm');

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig[Symbol.asyncDispose]());

function config(model: Record<string, unknown>): Record<string, unknown> {
  return {
    models: [{ url, model: base, id: 'm', dtype: 'float32', weights: 'a'.repeat(64), concurrency: 16, ...model }],
    data: [{ set: 'gsm8k', path: dataPath('gsm8k', 'test.jsonl') }],
    temperatures: [0.8],
    limit: 8,
    max_tokens: { assistant: 48, user: 32 },
  };
}

test('sixteen requests at once say what one at a time says', async () => {
  const together = await rig.sweep(config({}));
  await using alone = await openRig();
  const serial = await alone.sweep(config({ concurrency: 1 }));

  expect(await alone.hashes(serial.run)).toEqual(await rig.hashes(together.run));
  const turns = await rig.records<Turn>(together.run, 'user_turn');
  expect(new Set(turns.map(({ result }) => (result.status === 'ok' ? result.body.text : ''))).size).toBeGreaterThan(4);
});

test('a user turn finds its whole trace in the prefix cache', async () => {
  const before = await cached();
  const { run } = await rig.sweep(config({ concurrency: 2 }));
  const hits = (await cached()) - before;

  const traces = await rig.records<Turn>(run, 'user_turn');
  const tokens = traces.reduce(
    (sum, { result }) => sum + (result.status === 'ok' ? (result.body.prompt?.tokens ?? 0) : 0),
    0,
  );
  // Blocks are of 32 tokens, so the last few of each trace are computed again.
  expect(hits).toBeGreaterThan(tokens - traces.length * 64);
});

test('an adapter is measured under its own name, and the model below it stays what it was', async () => {
  const plain = await rig.sweep(config({}));
  const noisy = await rig.sweep({ ...config({ model: adapter, weights: 'b'.repeat(64) }), name: 'noisy' });
  expect(await texts(noisy.run)).not.toEqual(await texts(plain.run));

  await using later = await openRig();
  const again = await later.sweep(config({}));
  expect(await later.hashes(again.run)).toEqual(await rig.hashes(plain.run));
});

async function texts(run: string): Promise<string[]> {
  const records = await rig.records<Turn>(run, 'assistant_turn');
  return records.map(({ result }) => (result.status === 'ok' ? result.body.text : '')).sort();
}

/** Prompt tokens that vLLM took from its cache so far. */
async function cached(): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^vllm:prefix_cache_hits_total\{.*\} (\S+)$/m.exec(metrics)?.[1]);
}
