import { expect, test } from 'vitest';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Conversation } from '../../domain/summary.ts';
import { type Chosen, conversations } from '../../report/conversations.ts';
import { freshStore } from './stores.ts';
import { item, type Story, type Written, written } from './written.ts';

const good: Story = { answer: { text: 'a' }, user: { text: 'u' }, label: 'plausible_followup', outcome: 'right' };
const items = (count: number) => Array.from({ length: count }, (_, at) => item(`i${at}`));

async function chosen(
  over: Pick<Written, 'items' | 'story'> & Partial<Written>,
  perCell?: number,
  records?: number,
): Promise<Chosen> {
  const store = await freshStore();
  const doc = await readRun(store, await written(store, { name: 'sweep', ...over }));
  const choice = { ...(perCell !== undefined && { perCell }), ...(records !== undefined && { records }) };
  return conversations(store, doc, await getPlan(store, doc.plan), choice);
}

const ids = ({ shown }: Chosen) => shown.map((one) => one.item);

test('a small run is shown whole, in data order', async () => {
  const all = await chosen({ items: items(20), story: () => good });
  expect([ids(all), all.of]).toEqual([items(20).map(({ id }) => id), 20]);
});

test('rare labels and outcomes are all shown, common ones at even distances', async () => {
  const rare: Record<string, Story> = {
    i11: { ...good, label: null },
    i57: { ...good, outcome: 'wrong', label: 'other' },
    i58: { ...good, outcome: 'wrong', label: 'other' },
  };
  const some = await chosen({ items: items(60), story: ({ item: id }) => rare[id] ?? good }, 7);
  expect([ids(some), some.of]).toEqual([['i7', 'i11', 'i22', 'i36', 'i50', 'i57', 'i58'], 60]);
});

test('what failed is shown beside the rest, whatever room the rest takes', async () => {
  const failures: Record<string, Story> = {
    i3: { answer: { failed: 'cut off' } },
    i40: { answer: { text: 'a' }, user: { failed: 'cut off' }, outcome: 'right' },
    i41: { ...good, label: { failed: 'no reply' } },
    i59: { ...good, outcome: { failed: 'no checker' } },
  };
  const some = await chosen({ items: items(60), story: ({ item: id }) => failures[id] ?? good }, 2);
  expect(some.shown.map(({ item: id, error }) => [id, error])).toEqual([
    ['i3', 'assistant_turn: cut off'],
    ['i15', null],
    ['i40', 'user_turn: cut off'],
    ['i41', 'judgement: no reply'],
    ['i45', null],
    ['i59', 'score: no checker'],
  ]);
});

test('a cell in which everything failed does not fill the page', async () => {
  const some = await chosen({ items: items(60), story: () => ({ answer: { failed: 'gone' } }) }, 5);
  expect([some.shown.length, some.of]).toEqual([20, 60]);
});

test('every cell has its share, and every sample may be chosen', async () => {
  const some = await chosen({ items: items(30), temperatures: [0, 1], samples: 2, story: () => good }, 4);
  expect(some.shown.map(({ temperature, item: id, sample }) => `${temperature} ${id}#${sample}`)).toEqual([
    '0 i3#1',
    '0 i11#0',
    '0 i18#1',
    '0 i26#0',
    '1 i3#1',
    '1 i11#0',
    '1 i18#1',
    '1 i26#0',
  ]);
  expect(some.of).toBe(120);
});

test('what was not reached is not there', async () => {
  const some = await chosen({ items: items(20), story: ({ at }) => (at < 16 ? good : {}) });
  expect([some.shown.length, some.of]).toEqual([16, 16]);
});

test('of a large run some blocks are read, as many of every cell, and those with failures first', async () => {
  const story = ({ item: id, temperature }: { item: string; temperature: number }): Story =>
    id === 'i70' && temperature === 1 ? { answer: { failed: 'cut off' } } : good;
  const run = { items: items(160), temperatures: [0, 0.5, 1], story };
  // Blocks hold 16 items of four stages: there is room for one block a cell, and for a second one of one cell.
  const some = await chosen(run, 50, 4 * 64);
  const blocks = some.shown.map(
    ({ temperature, item: id }) => `${temperature}: block ${Math.floor(Number(id.slice(1)) / 16)}`,
  );
  expect([new Set(blocks), some.among, some.of]).toMatchInlineSnapshot(`
    [
      Set {
        "0: block 4",
        "0: block 5",
        "0.5: block 6",
        "1: block 4",
      },
      64,
      480,
    ]
  `);
  expect(some.shown.filter(({ error }) => error !== null).map(({ item: id }) => id)).toEqual(['i70']);
  expect(await chosen(run, 50, 4 * 64)).toEqual(some);
});

test('where there is no room for a block of every cell, some cells go without', async () => {
  const some = await chosen({ items: items(32), temperatures: [0, 0.5, 1, 1.5], story: () => good }, 50, 2 * 64);
  expect([new Set(some.shown.map(({ temperature }) => temperature)).size, some.among, some.of]).toEqual([2, 32, 128]);
});

test('one conversation, with all that is known of it', async () => {
  const held = { ...item('x'), assistant: 'It is 7.' };
  const { shown } = await chosen({
    items: [held],
    story: () => ({
      answer: { text: 'It is 7.', finish: 'given' },
      user: { text: 'lone \ud800 half', finish: 'length' },
      label: 'other',
      outcome: 'right',
    }),
  });
  const expected: Conversation = {
    model: 'fake',
    data: 'sums',
    temperature: 0.7,
    item: 'x',
    sample: 0,
    messages: [{ role: 'user', content: 'What is x?' }],
    assistant: 'It is 7.',
    user: 'lone \ufffd half',
    finish: { assistant: 'given', user: 'length' },
    outcome: 'right',
    extracted: '7',
    expected: '7',
    reason: null,
    label: 'other',
    genuine: false,
    by: 'rules@1',
    error: null,
  };
  expect(shown).toEqual([expected]);
});
