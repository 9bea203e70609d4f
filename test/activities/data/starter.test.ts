import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { ask } from '../../../activities/data/adapters/prompt.ts';
import { starterPath } from '../../../activities/data/adapters/starter.ts';

const starter = await adapt({ id: 'starter', adapter: 'starter', path: starterPath(), shown: 'starter', sha256: null });
const rows = readFileSync(starterPath(), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; question: string; answer?: string; meta?: { working: string } });

function kindsOf(items: typeof starter.items): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { answer } of items) counts[answer?.check ?? 'none'] = (counts[answer?.check ?? 'none'] ?? 0) + 1;
  return counts;
}

test('the starter set has 40 items of three kinds, all of them scored', () => {
  expect(kindsOf(starter.items)).toEqual({ number: 16, format: 12, choice: 12 });
  expect([starter.scored, starter.held_out]).toEqual([true, false]);
});

test('its first ten and first twelve items hold all three kinds', () => {
  expect(kindsOf(starter.items.slice(0, 10))).toEqual({ number: 4, format: 3, choice: 3 });
  expect(kindsOf(starter.items.slice(0, 12))).toEqual({ number: 5, format: 4, choice: 3 });
});

test.each(rows.filter((row) => row.id.startsWith('sum-')))(
  'the working of $id gives its answer, from numbers in its question',
  (row) => {
    const working = row.meta?.working ?? '';
    expect(working).toMatch(/^[\d+*/()-]+$/);
    expect(String(runInNewContext(working))).toBe(row.answer);
    // A week, a quarter, twice, and the way back are said in words.
    const inWords = new Set(['7', '4', '2']);
    const missing = working
      .match(/\d+/g)
      ?.filter((number) => !row.question.match(/\d+/g)?.includes(number) && !inWords.has(number));
    expect(missing).toEqual([]);
  },
);

test('every letter is the right one equally often', () => {
  const letters = starter.items.flatMap(({ answer }) => (answer?.check === 'choice' ? [answer.expected] : []));
  expect(letters.sort().join('')).toBe('AAABBBCCCDDD');
});

test('no question is asked twice, and each is short', () => {
  const questions = rows.map((row) => row.question);
  expect(new Set(questions).size).toBe(40);
  expect(questions.filter((question) => question.length > 130)).toEqual([]);
});

test('a question is followed by its choices and the form of the answer line', () => {
  expect(ask('Which is red?', 'choice', ['Grass', 'Blood'])).toBe(
    'Which is red?\n\nA. Grass\nB. Blood\n\nEnd with a last line of exactly this form:\nAnswer: <letter>',
  );
  expect(ask('2 + 2?', 'number')).toBe(
    '2 + 2?\n\nThink step by step, then end with a last line of exactly this form:\nAnswer: <number>',
  );
  expect(ask('Capital of Peru?', 'exact')).toBe(
    'Capital of Peru?\n\nEnd with a last line of exactly this form:\nAnswer: <answer>',
  );
  expect([ask('Say hello.', 'format'), ask('Say hello.', null)]).toEqual(['Say hello.', 'Say hello.']);
});
