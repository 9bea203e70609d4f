import { expect, test } from 'vitest';
import { itemSet, itemsBlob } from '../../activities/data/items.ts';
import { readPins, readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { shardFolder } from '../../activities/store/shard.ts';
import { recordsSoFar } from '../../cli/come.ts';
import { heldStages } from '../../cli/held.ts';
import { outline } from '../../domain/plan/outline.ts';
import { memoryStore } from '../activities/store/memory.ts';
import { item, type Story, written } from '../report/written.ts';

const items = Array.from({ length: 40 }, (_, at) =>
  item(`i${at}`, { assistant: '7', ...(at % 3 === 0 && { reference_user_turn: 'And 8?' }) }),
);

const story = ({ at, sample }: { at: number; sample: number }): Story => ({
  answer: { text: '7', finish: 'given' },
  ...(at % 5 === 0 ? { user: { failed: 'gone' } } : { user: { text: 'And 8?' }, label: null }),
  outcome: 'right',
  ...(at % 3 === 0 && sample === 0 && { reference: 'plausible_followup' }),
});

async function begun() {
  const store = memoryStore();
  const run = await written(store, { name: 'r', items, samples: 2, story });
  const doc = await readRun(store, run);
  const [campaign] = outline(await getPlan(store, doc.plan), doc);
  const [group] = campaign?.groups ?? [];
  if (group === undefined) throw new Error('there is one');
  const { pins } = await readPins(store, run);
  const blob = itemSet(Buffer.from(itemsBlob(items)));
  return { store, group, pins, soFar: (some: typeof pins) => recordsSoFar(store, { group, items: blob, pins: some }) };
}

/** Every `nth` pin is not there yet. */
const without = <T>(pins: Map<string, T>, nth: number) => new Map([...pins].filter((_, at) => at % nth !== 0));

test.each([1, 2, 3, 5, 1_000])(
  'where every %ith pin is not written yet, as many records are counted as shards would find',
  async (nth) => {
    const { store, group, pins, soFar } = await begun();
    const held = await heldStages(store, group, items);
    expect(await soFar(without(pins, nth))).toEqual(new Map(held.map((one) => [one.stage, one.held])));
  },
);

test('what is pinned is not read', async () => {
  const { store, pins, soFar } = await begun();
  const all = await soFar(pins);
  for (const pin of pins.values()) store.files.set(`${shardFolder(pin)}${pin.part}`, Buffer.from('hello'));
  expect(await soFar(pins)).toEqual(all);
});
