// Sets that are not for handing on: checked where somebody has put them into the folder, else skipped.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scoreTurn } from '../../domain/accuracy/score.ts';
import type { Item } from '../../domain/data/item.ts';
import type { Turn } from '../../domain/records/record.ts';
import { dataPath, published } from './folder.ts';

const folder = 'user-supplied';
const isMissing = (file: string) => !existsSync(dataPath(folder, file));

test.for([
  ['gpqa-main', 'gpqa_main.csv', 448],
  ['gpqa-diamond', 'gpqa_diamond.csv', 198],
] as const)(
  '%s: in each question one letter is right, and no letter more often than chance',
  async ([set, file, count], { skip }) => {
    skip(isMissing(file));
    const { items, notes } = await published(set, folder, file);
    expect([items.length, notes]).toEqual([count, []]);
    const right = items.map((item) => ['A', 'B', 'C', 'D'].filter((letter) => outcomeOf(item, letter) === 'right'));
    expect(right.filter((letters) => letters.length !== 1)).toEqual([]);
    const counts = Map.groupBy(right.flat(), (letter) => letter);
    for (const letters of counts.values()) expect(Math.abs(letters.length / count - 1 / 4)).toBeLessThan(0.12);
  },
);

test('GPQA diamond is a part of GPQA main, asked in the same words', async ({ skip }) => {
  skip(isMissing('gpqa_main.csv') || isMissing('gpqa_diamond.csv'));
  const main = await published('gpqa-main', folder, 'gpqa_main.csv');
  const { items } = await published('gpqa-diamond', folder, 'gpqa_diamond.csv');
  const asked = new Map(main.items.map((item) => [item.id, JSON.stringify(item)]));
  expect(items.filter((item) => asked.get(item.id) !== JSON.stringify(item)).map(({ id }) => id)).toEqual([]);
});

test.for([
  ['healthbench', 'healthbench.jsonl'],
  ['coval', 'coval.jsonl'],
] as const)('%s: every item is a question and its answer', async ([set, file], { skip }) => {
  skip(isMissing(file));
  const { items, held_out } = await published(set, folder, file);
  expect([held_out, items.length > 0]).toEqual([true, true]);
  expect(items.filter(({ messages, assistant }) => messages.at(-1)?.role !== 'user' || assistant === null)).toEqual([]);
});

test('MATH: every answer that is a number is right as its solution writes it', async ({ skip }) => {
  skip(isMissing('math.jsonl'));
  const { items } = await published('math', folder, 'math.jsonl');
  const checked = items.filter(({ answer }) => answer !== null);
  expect(checked.length / items.length).toBeGreaterThan(0.5);
  const expected = ({ answer }: Item) => (answer?.check === 'number' ? answer.expected : '');
  expect(checked.filter((item) => outcomeOf(item, `\\boxed{${expected(item)}}`) !== 'right')).toEqual([]);
  expect(checked.filter((item) => outcomeOf(item, `${expected(item)}1`) !== 'wrong')).toEqual([]);
});

function outcomeOf({ answer }: Item, said: string): string | undefined {
  const turn: Turn = { text: `Answer: ${said}`, finish: 'stop', ids: null, prompt: null, tokens: 1, seed: 0 };
  return answer === null || answer.check === 'instructions' ? undefined : scoreTurn(turn, answer).outcome;
}
