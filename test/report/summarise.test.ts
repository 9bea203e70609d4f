import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openStore } from '../../activities/store/open.ts';
import type { Store } from '../../activities/store/store.ts';
import { sentence } from '../../domain/problems.ts';
import { rate } from '../../domain/stats/wilson.ts';
import { summarise } from '../../report/summarise.ts';
import { freshStore } from './stores.ts';
import { item, type Story, type Written, written } from './written.ts';

const good: Story = { answer: { text: 'a' }, user: { text: 'u' }, label: 'plausible_followup', outcome: 'right' };
const unjudged = {
  judge_prompt_tokens: 0,
  judge_completion_tokens: 0,
  judge_uncounted: 0,
  usd_generation: null,
  usd_judging: null,
};
const none = { value: null, low: null, high: null, n: 0 };

async function summaryOf(over: Pick<Written, 'items' | 'story'> & Partial<Written>) {
  const store = await freshStore();
  const run = await written(store, { name: 'sweep', ...over });
  return { store, run, summary: await summarise(store, run) };
}

const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => item(id));

test('a sample that failed counts once in the total, wherever and how often it failed', async () => {
  const fates: Record<string, Story> = {
    a: good,
    b: { answer: { failed: 'gone' } },
    c: { answer: { text: 'a' }, user: { failed: 'gone' }, outcome: 'right' },
    d: { ...good, label: { failed: 'gone' } },
    e: { ...good, outcome: { failed: 'gone' } },
    f: { ...good, label: { failed: 'gone' }, outcome: { failed: 'gone' } },
  };
  const { summary } = await summaryOf({ items, story: ({ item: id }) => fates[id] ?? {} });
  const [cell] = summary.cells;
  expect(summary.totals).toEqual({ prompt_tokens: 900, completion_tokens: 90, errors: 5, ...unjudged });
  expect([cell?.accuracy?.error, cell?.follow_up.error, cell?.follow_up.judge_error]).toEqual([3, 2, 2]);
  expect(cell?.state).toBe('failed');
});

test('answers that came with the data are scored, cost nothing and hit no limit', async () => {
  const { summary } = await summaryOf({
    items: items.map((one) => ({ ...one, assistant: 'Answer: 7' })),
    story: () => ({ ...good, answer: { text: 'Answer: 7', finish: 'given' } }),
  });
  const [cell] = summary.cells;
  expect(cell?.accuracy?.rate).toEqual(rate(6, 6));
  expect(cell?.capped).toEqual({ assistant: none, user: rate(0, 6) });
  expect(summary.totals).toEqual({ prompt_tokens: 600, completion_tokens: 60, errors: 0, ...unjudged });
});

test('of what people said after given answers each item counts once, and a judgement that failed counts in the total', async () => {
  const { summary } = await summaryOf({
    items: items.map((one, at) => ({ ...one, assistant: '7', reference_user_turn: at < 4 ? 'And then?' : null })),
    samples: 2,
    story: ({ at, sample }) => ({
      ...good,
      answer: { text: '7', finish: 'given' },
      ...(at < 4 && sample === 0 && { reference: at === 0 ? { failed: 'gone' } : at === 1 ? 'other' : null }),
    }),
  });
  const [cell] = summary.cells;
  expect([cell?.follow_up.judged, cell?.state, summary.totals.errors]).toEqual([12, 'complete', 1]);
  expect(cell?.reference).toMatchObject({
    judged: 3,
    not_genuine: 1,
    undecided: 2,
    judge_error: 1,
    if_none: rate(0, 3),
  });
});

test('every sample of an item counts', async () => {
  const { summary } = await summaryOf({
    items,
    samples: 3,
    story: ({ sample }) => ({ ...good, outcome: sample === 0 ? 'right' : 'wrong' }),
  });
  const [cell] = summary.cells;
  expect([summary.samples, cell?.samples, cell?.accuracy?.right, cell?.accuracy?.wrong]).toEqual([18, 18, 6, 12]);
});

test('data without answers has no accuracy', async () => {
  const { summary } = await summaryOf({
    items: items.map((one) => ({ ...one, answer: null })),
    story: () => ({ answer: { text: 'a' }, user: { text: 'u' }, label: null }),
  });
  expect([summary.cells[0]?.accuracy, summary.cells[0]?.state]).toEqual([null, 'complete']);
});

test('what a run has not done yet is pending, what it has done is counted', async () => {
  const { summary } = await summaryOf({
    items,
    temperatures: [0, 1],
    story: ({ temperature, at }) => (temperature === 0 && at < 2 ? good : {}),
  });
  expect(summary.cells.map((cell) => [cell.state, cell.follow_up.judged, cell.samples])).toEqual([
    ['pending', 2, 6],
    ['pending', 0, 6],
  ]);
});

async function firstPart(store: Store): Promise<string> {
  for (const key of await store.list('stages/'))
    for (const shard of await store.list(`stages/${key}`))
      for (const name of await store.list(`stages/${key}${shard}`))
        if (name.endsWith('.gz')) return `stages/${key}${shard}${name}`;
  return '';
}

test('a pinned part that is gone is named, not counted as pending', async () => {
  const { store, run } = await summaryOf({ items, story: () => good });
  const part = await firstPart(store);
  await rm(fileURLToPath(`${store.uri}/${part}`));
  // As another process has it: this one still knows what it wrote.
  expect(await summarise(await openStore(store.uri), run).catch((error) => sentence(error))).toBe(
    `${store.uri}/${part} this part is missing\n  Restore it from a copy of the store, or have it made again: uturn resume <run>. Records that other files still hold are not computed again.`,
  );
});

test.each<[string, (batch: string) => Promise<unknown>, string]>([
  ['cannot be read', (batch) => writeFile(batch, '{'), 'this file is damaged'],
  ['is gone', (batch) => rm(batch), 'a batch of pins is missing'],
])('a batch of pins that %s stops the summary; no rate is made from what is left', async (_, damage, says) => {
  const store = await freshStore();
  const run = await written(store, { name: 'r', items: [item('a')], story: () => good, ended: 'complete' });
  await summarise(store, run);
  await damage(store.fileOf(`runs/${run}/pins/0001/fake/000000.json`) ?? '');
  await expect(summarise(store, run)).rejects.toThrow(says);
});
