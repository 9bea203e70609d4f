// What a run has spent, added up from its documents and from what lost executions left behind.
import { expect, test } from 'vitest';
import { readBudget, readLimits, saveLimits, spentBefore, spentInAll } from '../../../activities/run/budget.ts';
import { pinsName } from '../../../activities/run/documents.ts';
import { begin } from '../../../activities/run/lost.ts';
import { executionPrefix } from '../../../activities/shard/attempt.ts';
import { putVersion } from '../../../activities/store/runs.ts';
import { openShard } from '../../../activities/store/shard.ts';
import type { CampaignProgress, Tally } from '../../../domain/plan/boundary.ts';
import { nothing } from '../../../domain/plan/budget.ts';
import type { Campaign } from '../../../domain/plan/graph.ts';
import type { RunDoc } from '../../../domain/plan/run-doc.ts';
import { makeRecord, type Turn } from '../../../domain/records/record.ts';
import { type MemoryStore, memoryStore } from '../store/memory.ts';

const run = 'trial-1';
const doc: RunDoc = {
  format: 1,
  run,
  name: 'trial',
  tags: [],
  plan: 'p'.repeat(32),
  occasion: run,
  created: '2026-01-01T00:00:00.000Z',
  attempts: 1,
  engines: {},
  prices: { models: { a: { prompt: 1, completion: 2 } }, judge: null },
  budget: { tokens: 1_000 },
  config: { file: 'trial.yaml', text: '' },
  uturn: '0.1.0',
};
const campaigns: Campaign[] = [
  {
    model: 'a',
    groups: [
      {
        data: 'sums',
        temperature: 0,
        items: 6,
        size: 2,
        blocks: 3,
        samples: 1,
        stages: [{ stage: 'assistant_turn', key: 'k', after: null }],
      },
    ],
  },
];

const progress = (tally: Tally, over: Partial<CampaignProgress> = {}): CampaignProgress => ({
  model: 'a',
  state: 'running',
  trees: { done: 0, total: 1 },
  tally,
  parked: [],
  ...over,
});
const spent = (prompt: number, completion: number) => ({
  assistant_turn: { records: 1, errors: 0, made: 1, tokens: completion, requests: 1, spent: { prompt, completion } },
});

async function saved(store: MemoryStore, execution: number, n: number, value: CampaignProgress, blocks: number[] = []) {
  const pins = blocks.map((block) => ({ key: 'k', block, sample: 0, part: 'p', records: 2, errors: 0 }));
  const batch = { run, execution, model: 'a', n, pins, progress: value };
  await putVersion(store, run, { name: pinsName(execution, 'a'), n, value: batch });
}

/** Records of an attempt of this execution, in a segment that nobody sealed: 10 tokens asked, 5 generated, each. */
async function made(store: MemoryStore, by: { run: string; execution: number }, block: number, items: string[]) {
  const attempt = `${executionPrefix(by)}w.3.1`;
  const wanted = items.map((item) => ({ item, sample: 0, from: null }));
  const shard = await openShard(store, { key: 'k', block, sample: 0 }, { wanted, attempt });
  for (const item of items) {
    const prompt = { form: 'ids' as const, sha256: '', tokens: 10, ids: null };
    const body: Turn = { text: item, finish: 'stop', ids: null, prompt, tokens: 5, seed: 0 };
    const result = {
      stage: 'assistant_turn' as const,
      key: 'k',
      item,
      sample: 0,
      from: null,
      status: 'ok' as const,
      body,
    };
    await shard.add(makeRecord(result, { attempt, at: '', ms: 1, host: 'h', requests: 1 }));
  }
  await shard.close();
}

test('the limits are the config’s until somebody sets others, and each is written down once', async () => {
  const store = memoryStore();
  expect(await readLimits(store, doc)).toEqual({ tokens: 1_000 });
  await saveLimits(store, doc, { tokens: 1_000 });
  await saveLimits(store, doc, { tokens: 5_000 });
  await saveLimits(store, doc, { tokens: 5_000 });
  await saveLimits(store, doc, { tokens: 5_000, usd: 1 });
  expect(await readLimits(store, doc)).toEqual({ tokens: 5_000, usd: 1 });
  expect(await store.list(`runs/${run}/budgets/`)).toEqual(['000000.json', '000001.json']);
});

test('an execution spent what its campaigns wrote down last, the one under way what they say', async () => {
  const store = memoryStore();
  await saved(store, 1, 0, progress(spent(10, 5)));
  await saved(store, 1, 1, progress(spent(100, 50)));
  await saved(store, 2, 0, progress(spent(1, 1)));
  expect(await spentBefore(store, doc, 2)).toEqual({ ...nothing, tokens: 150, usd: 0.0002 });
  expect((await spentInAll(store, doc, new Map())).tokens).toBe(152);
  expect((await spentInAll(store, doc, new Map([['a', progress(spent(4, 4))]]))).tokens).toBe(158);
  expect(await readBudget(store, { ...doc, budget: {} }, new Map())).toBeNull();
});

test('what an execution made in shards that it never pinned is found once, by the one after it', async () => {
  const store = memoryStore();
  await begin(store, { run, execution: 1, campaigns, look: 'at earlier ones' });
  await saved(store, 1, 0, progress(spent(20, 10)), [0]);
  await made(store, { run, execution: 1 }, 0, ['i0', 'i1']);
  await made(store, { run, execution: 1 }, 1, ['i2']);
  // Of others, whose name begins alike.
  await made(store, { run: 'trial-11', execution: 1 }, 2, ['i4', 'i5']);
  await begin(store, { run, execution: 2, campaigns, look: 'at earlier ones' });
  expect((await spentBefore(store, doc, 2)).tokens).toBe(30 + 15);

  // A second try of the same activity sees what the first wrote down, whatever came since.
  await made(store, { run, execution: 1 }, 1, ['i3']);
  await begin(store, { run, execution: 2, campaigns, look: 'at earlier ones' });
  expect((await spentBefore(store, doc, 2)).tokens).toBe(45);

  await begin(store, { run, execution: 3, campaigns, look: 'at earlier ones' });
  expect((await spentBefore(store, doc, 3)).tokens).toBe(45);
});

test('a run that is given a budget late finds what all its earlier executions left', async () => {
  const store = memoryStore();
  await begin(store, { run, execution: 1, campaigns, look: 'at nothing' });
  await made(store, { run, execution: 1 }, 0, ['i0']);
  await begin(store, { run, execution: 2, campaigns, look: 'at nothing' });
  await made(store, { run, execution: 2 }, 1, ['i2']);
  await begin(store, { run, execution: 3, campaigns, look: 'at earlier ones' });
  expect((await spentBefore(store, doc, 3)).tokens).toBe(30);
});

test('GPU hours are those an execution ended with, else those of the engines’ longest users', async () => {
  const store = memoryStore();
  const order = { model: 'm' } as never;
  const serve = { kind: 'serve' as const, id: 'engine/1', order, served: 'm', concurrency: 1, timeout_s: 1 };
  const served = { ...doc, engines: { a: serve, b: serve, c: { ...serve, id: 'engine/2' } } };
  const live = new Map(
    Object.entries({ a: 3, b: 5, c: 1 }).map(([model, gpu_hours]) => [model, progress({}, { model, gpu_hours })]),
  );
  expect((await spentInAll(store, served, live)).gpu_hours).toBe(6);
});
