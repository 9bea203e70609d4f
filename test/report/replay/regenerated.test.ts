import { expect, test } from 'vitest';
import { readRun } from '../../../activities/run/documents.ts';
import { getPlan } from '../../../activities/store/plans.ts';
import type { Store } from '../../../activities/store/store.ts';
import { rate } from '../../../domain/stats/wilson.ts';
import { changesBetween } from '../../../report/replay/changes.ts';
import { agreementOf } from '../../../report/replay/regenerated.ts';
import { freshStore } from '../stores.ts';
import { item, type Story, written } from '../written.ts';

const items = ['a', 'b', 'c', 'd'].map((id) => item(id));
const as = (answer: string, user: string, label: Story['label'] = 'other'): Story => ({
  answer: { text: answer },
  user: { text: user },
  label,
  outcome: 'right',
});

async function runsOf(first: Record<string, Story>, second: Record<string, Story>) {
  const store = await freshStore();
  const one = await written(store, { name: 'one', items, story: ({ item: id }) => first[id] ?? {} });
  const two = await written(store, { name: 'two', items, anew: true, story: ({ item: id }) => second[id] ?? {} });
  return { store, before: await of(store, one), after: await of(store, two) };
}

async function of(store: Store, run: string) {
  const doc = await readRun(store, run);
  return { doc, plan: await getPlan(store, doc.plan) };
}

test('turns are the same, part somewhere, or failed on one side; verdicts that changed are listed', async () => {
  const { store, before, after } = await runsOf(
    { a: as('same', 'same'), b: as('same', 'user one'), c: as('answer', 'u'), d: as('x', 'y') },
    { a: as('same', 'same'), b: as('same', 'user two'), c: as('answers', 'u'), d: { answer: { failed: 'gone' } } },
  );
  const { diverged, ...agreement } = await agreementOf(store, before, after);
  const none = { tokens: { compared: 0, same: 0 }, parted: null };
  expect(agreement).toEqual({
    answers: { compared: 3, same: 2, failed: 1, apart: 0, rate: rate(2, 3), ...none },
    user_turns: { compared: 3, same: 2, failed: 0, apart: 0, rate: rate(2, 3), ...none },
    in_flight: [{ model: 'fake', before: 8, after: 7 }],
  });
  const cell = { model: 'fake', data: 'sums', temperature: 0.7, sample: 0 };
  const part = { unit: 'character', before: null, after: null };
  expect(diverged).toEqual([
    { ...cell, ...part, item: 'c', stage: 'assistant_turn', at: 6 },
    { ...cell, ...part, item: 'b', stage: 'user_turn', at: 5 },
  ]);
  const changes = await changesBetween(store, before, after);
  expect([changes.compared, changes.changed.map(({ item: id, stage, after: now }) => [id, stage, now])]).toEqual([
    8,
    [
      ['d', 'judgement', 'missing'],
      ['d', 'score', 'missing'],
    ],
  ]);
});

test('a label that another run gives is a change, from which to which', async () => {
  const { store, before, after } = await runsOf(
    { a: as('s', 's', null), b: as('s', 's', 'plausible_followup') },
    { a: as('s', 's', 'other'), b: as('s', 's', { failed: 'away' }) },
  );
  const { changed } = await changesBetween(store, before, after);
  expect(changed.map((one) => [one.item, one.before, one.after])).toEqual([
    ['a', 'undecided', 'other (not genuine)'],
    ['b', 'plausible_followup (genuine)', 'error'],
  ]);
});
