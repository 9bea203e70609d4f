import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Group, itemsIn, treeAt, treeCount } from '../../../domain/plan/graph.ts';
import { outline, plannedSamples } from '../../../domain/plan/outline.ts';
import { data, model, plan } from './fixture.ts';

const group = fc
  .record({
    blocks: fc.integer({ min: 1, max: 6 }),
    samples: fc.integer({ min: 1, max: 4 }),
    short: fc.integer({ min: 0, max: 15 }),
  })
  .map(
    ({ blocks, samples, short }): Group => ({
      data: 'd',
      temperature: 0,
      size: 16,
      blocks,
      samples,
      items: blocks * 16 - short,
      stages: [],
    }),
  );

test('every tree stands at exactly one position, and none past the end', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 5 }), (groups) => {
      const total = treeCount(groups);
      const trees = Array.from({ length: total }, (_, position) => JSON.stringify(treeAt(groups, position)));
      expect(new Set(trees).size).toBe(total);
      expect(treeAt(groups, total)).toBeNull();
      expect(total).toBe(groups.reduce((sum, one) => sum + one.blocks * one.samples, 0));
    }),
  );
});

test('the blocks of a group hold all of its items', () => {
  fc.assert(
    fc.property(group, (one) => {
      const held = Array.from({ length: one.blocks }, (_, block) => itemsIn(one, block));
      expect(held.reduce((sum, items) => sum + items, 0)).toBe(one.items);
      expect(held.every((items) => items > 0 && items <= one.size)).toBe(true);
    }),
  );
});

test('an outline has a campaign per model and a group per data set and temperature', () => {
  const other = { ...model, id: 'other', identity: { weights: 'e'.repeat(64) } };
  const campaigns = outline(
    { ...plan, models: [model, other], data: [data, { ...data, id: 'more', count: 10 }] },
    { occasion: 'run' },
  );
  const shape = campaigns.map((campaign) => [
    campaign.model,
    campaign.groups.map((one) => [one.data, one.temperature, one.items, one.blocks]),
  ]);
  const groups = [
    ['sums', 0, 40, 3],
    ['sums', 0.7, 40, 3],
    ['more', 0, 10, 1],
    ['more', 0.7, 10, 1],
  ];
  expect(shape).toEqual([
    ['tiny', groups],
    ['other', groups],
  ]);
});

test('planned samples are models × items × temperatures × samples, limits applied to each data set', () => {
  expect(plannedSamples({ ...plan, data: [data, { ...data, id: 'more', count: 10 }], samples: 3 })).toBe(
    (40 + 10) * 2 * 3,
  );
  expect(plannedSamples({ ...plan, limit: null })).toBe(200);
});
