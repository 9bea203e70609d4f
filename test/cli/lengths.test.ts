import { expect, test } from 'vitest';
import type { SeenAt } from '../../cli/earlier.ts';
import { lengthAt, lengthOfAll } from '../../cli/lengths.ts';
import { seen, together } from '../../domain/plan/observed.ts';

const some = (count: number, tokens: number) =>
  together(Array.from({ length: count }, () => seen({ tokens, ms: 10 * tokens })));
const at = (data: string, temperature: number, count: number, tokens: number): SeenAt => ({
  data,
  temperature,
  stage: 'user_turn',
  seen: some(count, tokens),
});
const place = { data: 'sums', temperature: 0.7, stage: 'user_turn' as const };
const cell = at('sums', 0.7, 12, 20);
const sameData = at('sums', 0, 40, 30);
const otherData = at('chats', 0.7, 100, 60);
const elsewhere: SeenAt = { ...cell, stage: 'assistant_turn', seen: some(500, 400) };

test.each<[string, SeenAt[], { tokens: number; by: SeenAt[] }]>([
  ['its own cell', [elsewhere, cell, sameData, otherData], { tokens: 20, by: [cell] }],
  ['its data, where the cell says too little', [at('sums', 0.7, 9, 20), sameData], { tokens: 30, by: [] }],
  ['its model, where the data says too little', [otherData, elsewhere], { tokens: 60, by: [otherData] }],
])('a length is by %s', (_, all, { tokens, by }) => {
  const found = lengthAt(all, place, 128);
  expect(found.from).toBe('store');
  expect(found.tokens).toBeCloseTo(tokens, -1);
  if (by.length > 0) expect(found.by).toEqual(by);
});

test('where nothing is like it, half of the limit is assumed, and a longer one is never expected', () => {
  expect(lengthAt([elsewhere], place, 128)).toEqual({ tokens: 64, from: 'assumed', by: [] });
  expect(lengthAt([cell], place, 16).tokens).toBe(16);
});

test('lengths of cells are one by their calls; what is assumed of one is said of all', () => {
  const known = { length: lengthAt([cell], place, 128), calls: 30 };
  const other = { length: lengthAt([sameData], { ...place, temperature: 0 }, 128), calls: 10 };
  expect(lengthOfAll([known, other])).toEqual({ tokens: 22.5, from: 'store', turns: 52 });
  const assumed = { length: lengthAt([], place, 128), calls: 10 };
  expect(lengthOfAll([known, assumed])).toEqual({ tokens: 31, from: 'assumed', turns: 12 });
  // What is there already is not asked for again.
  expect(lengthOfAll([known, { ...assumed, calls: 0 }])).toEqual({ tokens: 20, from: 'store', turns: 12 });
});
