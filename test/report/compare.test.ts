import { expect, test } from 'vitest';
import { sentence } from '../../domain/problems.ts';
import type { Gate } from '../../domain/stats/verdict.ts';
import { type Comparison, compareRuns } from '../../report/compare.ts';
import { toldFlips } from '../../report/compare-flips.ts';
import { freshStore } from './stores.ts';
import { item, type Place, type Story, type Written, written } from './written.ts';

const gate: Gate = { alpha: 0.05, power: 0.8, at_least: 0.05 };
/** Forty items are three blocks. */
const items = Array.from({ length: 40 }, (_, at) => item(`i${at}`));

const good: Story = { answer: { text: 'a' }, user: { text: 'u' }, label: 'plausible_followup', outcome: 'right' };
const bad: Story = { answer: { text: 'b' }, user: { text: 'v' }, label: 'new_task_prompt', outcome: 'wrong' };
const all = (story: Story) => () => story;
const worseFrom =
  (from: number) =>
  ({ at }: Place): Story =>
    at >= from ? bad : good;

async function two(before: Partial<Written>, after: Partial<Written>) {
  const store = await freshStore();
  const base = { items, story: all(good), ended: 'complete' as const };
  return {
    store,
    before: await written(store, { name: 'before', ...base, ...before }),
    after: await written(store, { name: 'after', ...base, weights: 'a'.repeat(64), ...after }),
  };
}

async function compared(before: Partial<Written>, after: Partial<Written>, items: 'all' | 'common' = 'all') {
  const { store, ...runs } = await two(before, after);
  return compareRuns(store, runs, { gate, items });
}

const shortOf = ({ cells }: Comparison) =>
  cells.map(({ measure, samples, before, after, lost, gained, verdict }) => [
    measure,
    samples,
    before,
    after,
    lost,
    gained,
    verdict,
  ]);

test('a run beside one that says the same has nothing that flipped', async () => {
  const { comparison, flips } = await compared({}, {});
  expect(shortOf(comparison)).toEqual([
    ['accuracy', 40, 1, 1, 0, 0, 'inconclusive'],
    ['follow_up', 40, 1, 1, 0, 0, 'inconclusive'],
  ]);
  expect(flips.flatMap((one) => one.flips)).toEqual([]);
  expect(comparison.plans.map(({ field }) => field)).toEqual(['models.fake.identity.weights']);
});

test('what got worse is counted, tested and found sample by sample', async () => {
  const { comparison, flips } = await compared({}, { story: worseFrom(30) });
  expect(shortOf(comparison)).toEqual([
    ['accuracy', 40, 1, 0.75, 10, 0, 'fail'],
    ['follow_up', 40, 1, 0.75, 10, 0, 'fail'],
  ]);
  const cell = comparison.cells[0];
  expect(cell).toMatchObject({ difference: -0.25, p: 2 / 1024, p_adjusted: 2 / 1024, test: 'mcnemar', left_out: 0 });
  expect(cell?.fates).toEqual({ before: { right: 40 }, after: { right: 30, wrong: 10 } });
  expect(comparison.verdict).toBe('fail');
  const found = flips.map((one) => one.flips.map(({ item, before, after }) => `${item} ${before} ${after}`));
  const ids = items.slice(30).map(({ id }) => id);
  expect(found).toEqual([ids.map((id) => `${id} right wrong`), ids.map((id) => `${id} genuine not_genuine`)]);
});

test('before and after exchanged are the same difference the other way round', async () => {
  const { store, before, after } = await two({}, { story: worseFrom(30) });
  const there = (await compareRuns(store, { before, after }, { gate, items: 'all' })).comparison.cells;
  const back = (await compareRuns(store, { before: after, after: before }, { gate, items: 'all' })).comparison.cells;
  expect(back.map(({ difference, p, lost, gained }) => [difference, p, lost, gained])).toEqual(
    there.map(({ difference, p, lost, gained }) => [-(difference ?? 0), p, gained, lost]),
  );
});

test('an answer that could not be read or was cut off is not right, as in every table; what has no answer or no decision is in no pair', async () => {
  const fates: Story[] = [
    { ...good, label: null, outcome: 'unscored' },
    { ...good, label: { failed: 'gone' }, outcome: 'truncated' },
    { answer: { failed: 'gone' } },
    {},
  ];
  const story = ({ at }: Place) => fates[at] ?? good;
  const { comparison } = await compared(
    { story },
    { story: ({ at }) => (at === 39 ? { ...good, label: null } : good) },
  );
  expect(comparison.cells.map(({ samples, left_out, fates }) => ({ samples, left_out, ...fates }))).toEqual([
    {
      samples: 38,
      left_out: 2,
      before: { unscored: 1, truncated: 1, error: 1, missing: 1, right: 36 },
      after: { right: 40 },
    },
    {
      samples: 35,
      left_out: 5,
      before: { undecided: 1, judge_error: 1, error: 1, missing: 1, genuine: 36 },
      after: { genuine: 39, undecided: 1 },
    },
  ]);
});

test('samples are paired by their number, and tested by item', async () => {
  const story = ({ at, sample }: Place) => (at < 20 && sample === 1 ? bad : good);
  const { comparison } = await compared({ samples: 3 }, { samples: 2, story });
  expect(comparison.cells.map(({ items, samples, difference, test }) => [items, samples, difference, test])).toEqual([
    [40, 80, -0.25, 'sign_flips'],
    [40, 80, -0.25, 'sign_flips'],
  ]);
});

test('cells that only one of two runs has are named, and the others compared', async () => {
  const { comparison } = await compared({ temperatures: [0, 0.7] }, { temperatures: [0.7, 1] });
  expect(comparison.cells.map(({ temperature, measure }) => `${temperature} ${measure}`)).toEqual([
    '0.7 accuracy',
    '0.7 follow_up',
  ]);
  const at = (temperature: number) => [{ model: 'fake', data: 'sums', temperature }];
  expect(comparison.only).toEqual({ before: at(0), after: at(1) });
});

test('runs without a cell in common are told so, with what each has', async () => {
  await expect(compared({ temperatures: [0] }, { temperatures: [1] })).rejects.toMatchObject({
    message: expect.stringMatching(/^before-\w+ and after-\w+ have no cell in common$/),
    advice: expect.stringMatching(/before-\w+ has fake × sums × 0\n {2}after-\w+ has fake × sums × 1$/),
  });
});

/** One changed, one gone, one new; the others stand one place earlier. */
const others = [
  ...items.slice(1, 39),
  item('i39', { messages: [{ role: 'user', content: 'Something else?' }] }),
  item('new'),
];

test('items that are not the same in both are an error that names them', async () => {
  const problem = await compared({}, { items: others }).then(String, (error) => sentence(error));
  expect(problem.replaceAll(/-[0-9a-f]{8}/g, '')).toBe(
    'the items of before and after are not the same\n' +
      '  sums, changed: i39\n  sums, only in before: i0\n  sums, only in after: new\n' +
      '  To compare those that are: --common',
  );
});

test('where those in common will do, the others are left out and named', async () => {
  const story = ({ item: id }: Place) => (id === 'i5' ? bad : good);
  const { comparison, flips } = await compared({}, { items: others, story }, 'common');
  expect(comparison.items).toEqual([
    { data: 'sums', same: 38, changed: ['i39'], only_before: ['i0'], only_after: ['new'] },
  ]);
  expect(shortOf(comparison)[0]).toEqual(['accuracy', 38, 1, 37 / 38, 1, 0, 'inconclusive']);
  expect(flips[0]?.flips).toEqual([
    { item: 'i5', sample: 0, at: { before: 5, after: 4 }, before: 'right', after: 'wrong' },
  ]);
});

test('answers are compared only where both runs check them', async () => {
  const unchecked = items.map((one) => ({ ...one, answer: null }));
  const { comparison } = await compared({}, { items: unchecked }, 'common').catch(() => ({ comparison: null }));
  expect(comparison?.cells.map(({ measure, samples }) => [measure, samples])).toEqual([['follow_up', 0]]);
  const same = await compared({ items: unchecked }, { items: unchecked });
  expect(same.comparison.cells.map(({ measure }) => measure)).toEqual(['follow_up']);
});

async function told(over: Partial<Written>) {
  const { store, before, after } = await two(over, { ...over, story: worseFrom(38) });
  const found = await compareRuns(store, { before, after }, { gate, items: 'all' });
  const all = [];
  for await (const flip of toldFlips(store, found.sides, found.flips)) all.push(flip);
  return all;
}

test('flips are told with what was said on both sides', async () => {
  const at = { model: 'fake', data: 'sums', temperature: 0.7, sample: 0 };
  expect((await told({})).filter(({ item: id }) => id === 'i39')).toEqual([
    {
      ...at,
      measure: 'accuracy',
      item: 'i39',
      before: { fate: 'right', text: 'a', why: '7' },
      after: { fate: 'wrong', text: 'b', why: '8' },
    },
    {
      ...at,
      measure: 'follow_up',
      item: 'i39',
      before: { fate: 'genuine', text: 'u', why: 'plausible_followup' },
      after: { fate: 'not_genuine', text: 'v', why: 'new_task_prompt' },
    },
  ]);
});

test('flips of private data are told without a word of it', async () => {
  const all = await told({ private: true });
  expect(all).toHaveLength(4);
  for (const { before, after } of all) {
    for (const side of [before, after]) {
      expect(side.text).toBeNull();
      expect(side.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  }
  expect(all[0]?.before.why).toBeNull();
});
