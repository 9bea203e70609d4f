// Right, wrong, unscored, truncated and error in one cell: apart in every output, and an error in no rate.
import { expect, test } from 'vitest';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Outcome } from '../../domain/records/record.ts';
import { rate } from '../../domain/stats/wilson.ts';
import { conversations } from '../../report/conversations.ts';
import { cellsCsv } from '../../report/csv.ts';
import { cellJson } from '../../report/json.ts';
import { reportPage } from '../../report/page/page.ts';
import { recordsOf } from '../../report/records.ts';
import { summarise } from '../../report/summarise.ts';
import { summaryTable } from '../../report/table.ts';
import { reportOf } from './fixture.ts';
import { readable } from './page/skeleton.ts';
import { freshStore } from './stores.ts';
import { item, type Story, written } from './written.ts';

const user = { text: 'u' };
const label = 'plausible_followup' as const;
const fates: Record<string, Story> = {
  right: { answer: { text: 'Answer: 7' }, user, label, outcome: 'right' },
  wrong: { answer: { text: 'Answer: 8' }, user, label: 'other', outcome: 'wrong' },
  wrong2: { answer: { text: 'Answer: 9' }, user: { text: 'u', finish: 'length' }, label: null, outcome: 'wrong' },
  unscored: { answer: { text: 'Seven.' }, user, label, outcome: 'unscored' },
  truncated: { answer: { text: 'Let me', finish: 'length' }, user, label, outcome: 'truncated' },
  'answer failed': { answer: { failed: 'gone' } },
  'turn failed': { answer: { text: 'Answer: 7' }, user: { failed: 'gone' }, outcome: 'right' },
  'judge failed': { answer: { text: 'Answer: 7' }, user, label: { failed: 'gone' }, outcome: 'right' },
  'check failed': { answer: { text: 'Answer: 7' }, user, label, outcome: { failed: 'gone' } },
};

async function run() {
  const store = await freshStore();
  const items = Object.keys(fates).map((id) => item(id));
  const name = await written(store, {
    name: 'fates',
    items,
    story: ({ item: id }) => fates[id] ?? {},
    ended: 'complete',
  });
  const doc = await readRun(store, name);
  return { store, doc, plan: await getPlan(store, doc.plan), summary: await summarise(store, name) };
}

test('the JSON counts each, and no rate counts an error', async () => {
  const { summary } = await run();
  const [cell] = summary.cells.map(cellJson);
  expect(cell).toMatchObject({
    samples: 9,
    accuracy: rate(3, 7),
    right: 3,
    wrong: 2,
    unscored: 1,
    truncated: 1,
    answer_errors: 2,
    judged: 6,
    genuine: 4,
    not_genuine: 1,
    undecided: 1,
    judge_errors: 1,
    turn_errors: 2,
    follow_up: { value: null, n: 6 },
    capped_assistant: rate(1, 8),
    capped_user: rate(1, 7),
  });
  expect(summary.totals.errors).toBe(4);
});

test('the CSV says the same', async () => {
  const [header = '', row = ''] = cellsCsv((await run()).summary).split('\r\n');
  const fields = Object.fromEntries(header.split(',').map((name, at) => [name, row.split(',')[at]]));
  const { right, wrong, unscored, truncated, answer_errors, accuracy_n, judged, judge_errors, turn_errors } = fields;
  expect([right, wrong, unscored, truncated, answer_errors, accuracy_n]).toEqual(['3', '2', '1', '1', '2', '7']);
  expect([judged, judge_errors, turn_errors]).toEqual(['6', '1', '2']);
  expect([fields['capped_assistant'], fields['capped_assistant_n']]).toEqual(['0.125', '8']);
  expect([fields['capped_user'], fields['capped_user_n']]).toEqual([String(1 / 7), '7']);
});

test('the table in the terminal has them beside their rates, and the rest is wrong', async () => {
  expect(summaryTable((await run()).summary, { width: 120 })).toMatchInlineSnapshot(`
    "model  data    T    n  answers right  genuine follow-ups  undecided  unscored  truncated   capped  errors
    fake   sums  0.7  6/9  43 % [16, 75]    67–83 % [30, 97]          1         1          1  13/14 %   2/2/1

    9 user turns, 1500 prompt and 150 completion tokens, 4 errors.
    Bands: undecided turns all not genuine – all genuine. Brackets: 95 % intervals, of both ends.
    n: turns judged/asked for.
    capped: answers/user turns that hit their token limit.
    errors: at answers/up to user turns/at judgements; they are in no rate.
    "
  `);
});

test('the page has them in its tables, and marks each conversation with its own', async () => {
  const { store, doc, plan, summary } = await run();
  const { shown } = await conversations(store, doc, plan);
  const lines = readable(reportPage(reportOf(summary, shown), { title: 'fates' })).split('\n');
  const tables = lines.filter((line) => /^(Model \||fake \|)/.test(line));
  expect(tables).toMatchInlineSnapshot(`
    [
      "Model | T | n | Answers right | Genuine follow-ups | Undecided | Wrong | Unscored | Truncated | Answer errors | Turn errors | Judge errors",
      "fake | 0.7 | 6 of 9 | 43 % [16, 75] | 67–83 % [30, 97] | 1 | 2 | 1 | 1 | 2 | 2 | 1",
      "Model | T | judged | plausible followup | other | undecided",
      "fake | 0.7 | 6 | 4 67 % | 1 17 % | 1 17 %",
      "Model | Answers failed | User turns failed | Judgements failed | Undecided | Unscored | Truncated | Answers at their token limit | User turns at theirs",
      "fake | 2 | 2 | 1 | 1 | 1 | 1 | 13 % [2, 47] | 14 % [3, 51]",
      "Model | T | Answers failed | User turns failed | Judgements failed | Undecided | Unscored | Truncated | Answers at their token limit | User turns at theirs",
      "fake | 0.7 | 2 | 2 | 1 | 1 | 1 | 1 | 13 % [2, 47] | 14 % [3, 51]",
      "Model | User turns | Prompt tokens | Generated | Generated a sample",
      "fake | 9 | 1500 | 150 | 17",
      "Model | fake, fake 1weights ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffchat template eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    ]
  `);
  const badges = lines.filter((line) => line.startsWith('answer: '));
  expect(badges).toMatchInlineSnapshot(`
    [
      "answer: right user turn: plausible followup",
      "answer: wrong user turn: other",
      "answer: wrong user turn: undecided",
      "answer: unscored user turn: plausible followup",
      "answer: truncated user turn: plausible followup",
      "answer: error user turn: error",
      "answer: right user turn: error",
      "answer: right user turn: error",
      "answer: error user turn: plausible followup",
    ]
  `);
});

test.each<[outcome: Outcome, items: string[]]>([
  ['right', ['right', 'turn failed', 'judge failed']],
  ['wrong', ['wrong', 'wrong2']],
  ['unscored', ['unscored']],
  ['truncated', ['truncated']],
  ['error', ['answer failed', 'check failed']],
])('records are found by their outcome: %s', async (outcome, items) => {
  const found: string[] = [];
  for await (const { record } of recordsOf(await run(), { outcome, stage: 'assistant_turn' }))
    found.push(record.result.item);
  expect(found).toEqual(items);
});
