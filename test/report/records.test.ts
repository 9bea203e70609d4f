import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { shardFolder } from '../../activities/store/shard.ts';
import type { Store } from '../../activities/store/store.ts';
import { sentence } from '../../domain/problems.ts';
import { type RecordFilter, recordsOf } from '../../report/records.ts';
import { freshStore } from './stores.ts';
import { item, type Story, type Written, written } from './written.ts';

/** Eighteen items are two blocks. */
const items = Array.from({ length: 18 }, (_, at) => item(`i${at}`));
const good: Story = { answer: { text: 'a' }, user: { text: 'u' }, label: 'plausible_followup', outcome: 'right' };

async function wordsOf(store: Store, run: string, filter: RecordFilter): Promise<string[]> {
  const doc = await readRun(store, run);
  const words: string[] = [];
  for await (const { temperature, record } of recordsOf({ store, doc, plan: await getPlan(store, doc.plan) }, filter)) {
    const { stage, item, sample } = record.result;
    words.push(`${temperature} ${item}#${sample} ${stage}`);
  }
  return words;
}

async function sweep(over: Partial<Written> = {}): Promise<{ store: Store; run: string }> {
  const store = await freshStore();
  return { store, run: await written(store, { name: 'sweep', items, story: () => good, ...over }) };
}

test('records come in the plan’s order: temperature, sample, item, and the stages of a sample together', async () => {
  const { store, run } = await sweep({ temperatures: [1, 0.5], samples: 2 });
  const stages = ['assistant_turn', 'user_turn', 'judgement', 'score'];
  const expected = [1, 0.5].flatMap((temperature) =>
    [0, 1].flatMap((sample) =>
      items.flatMap(({ id }) => stages.map((stage) => `${temperature} ${id}#${sample} ${stage}`)),
    ),
  );
  expect(await wordsOf(store, run, {})).toEqual(expected);
});

const fates: Record<string, Story> = {
  i0: good,
  i1: { ...good, label: null, outcome: 'wrong' },
  i2: { ...good, label: 'new_task_prompt', outcome: 'unscored' },
  i3: { answer: { failed: 'gone' } },
  i4: { answer: { text: 'a' }, user: { failed: 'gone' }, outcome: 'truncated' },
  i5: { ...good, label: { failed: 'gone' }, outcome: { failed: 'gone' } },
};

test.each<[filter: RecordFilter, found: string[]]>([
  [{ label: 'plausible_followup', stage: 'user_turn' }, ['i0#0 user_turn']],
  [{ label: 'undecided', stage: 'user_turn' }, ['i1#0 user_turn']],
  [{ label: 'new_task_prompt', stage: 'score' }, ['i2#0 score']],
  [{ label: 'other' }, []],
  [{ outcome: 'right', stage: 'assistant_turn' }, ['i0#0 assistant_turn']],
  [{ outcome: 'truncated' }, ['i4#0 assistant_turn', 'i4#0 user_turn', 'i4#0 score']],
  [{ outcome: 'error', stage: 'assistant_turn' }, ['i3#0 assistant_turn', 'i5#0 assistant_turn']],
  [{ outcome: 'wrong', label: 'undecided', stage: 'judgement' }, ['i1#0 judgement']],
  [{ outcome: 'wrong', label: 'plausible_followup' }, []],
  [{ status: 'error' }, ['i3#0 assistant_turn', 'i4#0 user_turn', 'i5#0 judgement', 'i5#0 score']],
  [{ status: 'ok', item: 'i4' }, ['i4#0 assistant_turn', 'i4#0 score']],
  [{ item: 'i2', stage: 'judgement' }, ['i2#0 judgement']],
  [{ sample: 1 }, []],
  [{ model: 'fake', data: 'sums', temperature: 0.7, item: 'i0', stage: 'score' }, ['i0#0 score']],
  [{ model: 'other' }, []],
  [{ data: 'other' }, []],
  [{ temperature: 0 }, []],
])('%j', async (filter, found) => {
  const few = items.slice(0, 6);
  const { store, run } = await sweep({ items: few, story: ({ item: id }) => fates[id] ?? {} });
  expect(await wordsOf(store, run, filter)).toEqual(found.map((word) => `0.7 ${word}`));
});

test('an item of the second block is found there', async () => {
  const { store, run } = await sweep();
  expect(await wordsOf(store, run, { item: 'i17', stage: 'user_turn' })).toEqual(['0.7 i17#0 user_turn']);
});

test('parts are read when their records are asked for, so that a run of any size streams', async () => {
  const { store, run } = await sweep({ samples: 3 });
  const at = { doc: await readRun(store, run), plan: await getPlan(store, (await readRun(store, run)).plan) };
  const read: string[] = [];
  const watched: Store = { ...store, read: (path) => (read.push(path), store.read(path)) };
  const parts = () => read.filter((path) => path.endsWith('.gz')).length;
  const seen: number[] = [];
  for await (const _ of recordsOf({ store: watched, ...at }, {})) seen.push(parts());
  const [blockOfSixteen, blockOfTwo] = [16 * 4, 2 * 4];
  expect(seen).toEqual(
    [0, 1, 2].flatMap((sample) => [
      ...Array(blockOfSixteen).fill(8 * sample + 4),
      ...Array(blockOfTwo).fill(8 * sample + 8),
    ]),
  );
});

test('a run that has not come so far has no records of it', async () => {
  const { store, run } = await sweep({ story: ({ at }) => (at < 16 ? good : {}) });
  expect(await wordsOf(store, run, { stage: 'user_turn' })).toHaveLength(16);
});

test.each<[name: string, spoil: (file: string) => Promise<void>, message: string]>([
  ['missing', (file) => rm(file), 'this part is missing'],
  ['cut off', (file) => writeFile(file, 'x'), 'this part is damaged: it does not hold what its name says'],
])('a pinned part that is %s is named', async (_, spoil, message) => {
  const { store, run } = await sweep();
  const doc = await readRun(store, run);
  const key = (await store.list('stages/'))[0]?.slice(0, -1) ?? '';
  const folder = shardFolder({ key, block: 0, sample: 0 });
  const part = (await store.list(folder)).find((name) => name.endsWith('.gz')) ?? '';
  await spoil(fileURLToPath(`${store.uri}/${folder}${part}`));
  const problem = await wordsOf(store, doc.run, {}).catch((error) => sentence(error));
  expect(problem).toContain(`${store.uri}/${folder}${part} ${message}`);
});
