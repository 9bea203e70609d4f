import { expect, test } from 'vitest';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { type Failures, failuresOf } from '../../report/failures.ts';
import { freshStore } from './stores.ts';
import { item, type Story, type Written, written } from './written.ts';

const good: Story = { answer: { text: 'a' }, user: { text: 'u' }, label: 'plausible_followup', outcome: 'right' };
const items = (count: number) => Array.from({ length: count }, (_, at) => item(`i${at}`));

async function failures(over: Pick<Written, 'items' | 'story'> & Partial<Written>, most?: number): Promise<Failures> {
  const store = await freshStore();
  const doc = await readRun(store, await written(store, { name: 'sweep', ...over }));
  return failuresOf(store, doc, await getPlan(store, doc.plan), most === undefined ? {} : { most });
}

test('errors are counted by stage and kind, with the first of each', async () => {
  const fates: Record<string, Story> = {
    i3: { answer: { failed: 'cut off' } },
    i20: { answer: { failed: 'too long' } },
    i40: { answer: { text: 'a' }, user: { failed: 'refused' }, outcome: 'right' },
    i41: { ...good, label: { failed: 'no reply' } },
  };
  const found = await failures({ items: items(60), temperatures: [0, 1], story: ({ item: id }) => fates[id] ?? good });
  expect(found).toMatchInlineSnapshot(`
    {
      "kinds": [
        {
          "count": 4,
          "example": {
            "data": "sums",
            "item": "i3",
            "message": "cut off",
            "sample": 0,
            "temperature": 0,
          },
          "kind": "gave_up",
          "model": "fake",
          "stage": "assistant_turn",
        },
        {
          "count": 2,
          "example": {
            "data": "sums",
            "item": "i40",
            "message": "refused",
            "sample": 0,
            "temperature": 0,
          },
          "kind": "gave_up",
          "model": "fake",
          "stage": "user_turn",
        },
        {
          "count": 2,
          "example": {
            "data": "sums",
            "item": "i41",
            "message": "no reply",
            "sample": 0,
            "temperature": 0,
          },
          "kind": "gave_up",
          "model": "fake",
          "stage": "judgement",
        },
      ],
      "parked": [],
      "problems": [],
      "records": 8,
      "seen": 8,
    }
  `);
});

test('where nothing failed no part is read', async () => {
  const found = await failures({ items: items(20), story: () => good, ended: 'complete' });
  expect(found).toEqual({ kinds: [], records: 0, seen: 0, parked: [], problems: [] });
});

test('where many parts hold errors some of them are looked at, and it says so', async () => {
  const run = { items: items(64), story: (): Story => ({ answer: { failed: 'gone' } }) };
  const found = await failures(run, 1);
  expect([found.kinds.map(({ count }) => count), found.seen, found.records]).toEqual([[16], 16, 64]);
  expect(await failures(run, 1)).toEqual(found);
});

test('of private data the kind is told, and no message', async () => {
  const found = await failures({
    items: items(4),
    story: () => ({ answer: { failed: 'What is i0?' } }),
    private: true,
  });
  expect(found.kinds.map(({ kind, count, example }) => [kind, count, example.message])).toEqual([['gave_up', 4, null]]);
});
