import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsCsv } from '../../report/csv.ts';
import { cell, quick, summaryOf, withoutAnswers } from './fixture.ts';

/** Reads CSV by the letter of RFC 4180: the other side of what is tested. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

function objects(csv: string): Record<string, string>[] {
  const [header = [], ...rows] = parse(csv);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}

const counts = { right: 3, wrong: 1, genuine: 1, artifact: 3 };

test('one row per cell under headers that stay', () => {
  expect(parse(cellsCsv(quick))[0]).toMatchInlineSnapshot(`
    [
      "run",
      "plan",
      "model",
      "data",
      "temperature",
      "samples",
      "state",
      "accuracy",
      "accuracy_low",
      "accuracy_high",
      "accuracy_n",
      "right",
      "wrong",
      "unscored",
      "truncated",
      "answer_errors",
      "accuracy_loose",
      "accuracy_loose_low",
      "accuracy_loose_high",
      "accuracy_loose_n",
      "instructions_strict",
      "instructions_strict_low",
      "instructions_strict_high",
      "instructions_strict_n",
      "instructions_loose",
      "instructions_loose_low",
      "instructions_loose_high",
      "instructions_loose_n",
      "follow_up",
      "follow_up_low",
      "follow_up_high",
      "follow_up_n",
      "follow_up_if_none",
      "follow_up_if_none_low",
      "follow_up_if_none_high",
      "follow_up_if_none_n",
      "follow_up_if_all",
      "follow_up_if_all_low",
      "follow_up_if_all_high",
      "follow_up_if_all_n",
      "judged",
      "genuine",
      "not_genuine",
      "undecided",
      "judge_errors",
      "turn_errors",
      "label_plausible_followup",
      "label_previous_turn_restate",
      "label_new_task_prompt",
      "label_assistant_turn_restate",
      "label_malformed_artifact",
      "label_meta_planning",
      "label_degenerate_short",
      "label_other",
      "capped_assistant",
      "capped_assistant_low",
      "capped_assistant_high",
      "capped_assistant_n",
      "capped_user",
      "capped_user_low",
      "capped_user_high",
      "capped_user_n",
      "prompt_tokens",
      "completion_tokens",
      "judge_prompt_tokens",
      "judge_completion_tokens",
      "judge_uncounted",
      "usd_generation",
      "usd_judging",
      "reference",
      "reference_low",
      "reference_high",
      "reference_n",
      "reference_if_none",
      "reference_if_none_low",
      "reference_if_none_high",
      "reference_if_none_n",
      "reference_if_all",
      "reference_if_all_low",
      "reference_if_all_high",
      "reference_if_all_n",
      "reference_judged",
      "reference_genuine",
      "reference_not_genuine",
      "reference_undecided",
      "reference_judge_errors",
      "reference_label_plausible_followup",
      "reference_label_previous_turn_restate",
      "reference_label_new_task_prompt",
      "reference_label_assistant_turn_restate",
      "reference_label_malformed_artifact",
      "reference_label_meta_planning",
      "reference_label_degenerate_short",
      "reference_label_other",
    ]
  `);
  expect(objects(cellsCsv(summaryOf([quick.cells[1]!])))).toMatchInlineSnapshot(`
    [
      {
        "accuracy": "0.21739130434782608",
        "accuracy_high": "0.41903483016263976",
        "accuracy_loose": "",
        "accuracy_loose_high": "",
        "accuracy_loose_low": "",
        "accuracy_loose_n": "",
        "accuracy_low": "0.09663978026586215",
        "accuracy_n": "23",
        "answer_errors": "1",
        "capped_assistant": "0.043478260869565216",
        "capped_assistant_high": "0.20991155070258843",
        "capped_assistant_low": "0.007716666143453177",
        "capped_assistant_n": "23",
        "capped_user": "0.08695652173913043",
        "capped_user_high": "0.2679598107574363",
        "capped_user_low": "0.024180004484220377",
        "capped_user_n": "23",
        "completion_tokens": "3450",
        "data": "sums",
        "follow_up": "",
        "follow_up_high": "0.8684923971201051",
        "follow_up_if_all": "0.7272727272727273",
        "follow_up_if_all_high": "0.8684923971201051",
        "follow_up_if_all_low": "0.5184826598759764",
        "follow_up_if_all_n": "22",
        "follow_up_if_none": "0.045454545454545456",
        "follow_up_if_none_high": "0.21798045838657298",
        "follow_up_if_none_low": "0.008069427621263878",
        "follow_up_if_none_n": "22",
        "follow_up_low": "0.008069427621263878",
        "follow_up_n": "22",
        "genuine": "1",
        "instructions_loose": "",
        "instructions_loose_high": "",
        "instructions_loose_low": "",
        "instructions_loose_n": "",
        "instructions_strict": "",
        "instructions_strict_high": "",
        "instructions_strict_low": "",
        "instructions_strict_n": "",
        "judge_completion_tokens": "0",
        "judge_errors": "1",
        "judge_prompt_tokens": "0",
        "judge_uncounted": "0",
        "judged": "22",
        "label_assistant_turn_restate": "0",
        "label_degenerate_short": "0",
        "label_malformed_artifact": "6",
        "label_meta_planning": "0",
        "label_new_task_prompt": "0",
        "label_other": "0",
        "label_plausible_followup": "1",
        "label_previous_turn_restate": "0",
        "model": "smol-135m",
        "not_genuine": "6",
        "plan": "3f9a1c0b5d7e4f60a1b2c3d4e5f60718",
        "prompt_tokens": "4600",
        "reference": "",
        "reference_genuine": "",
        "reference_high": "",
        "reference_if_all": "",
        "reference_if_all_high": "",
        "reference_if_all_low": "",
        "reference_if_all_n": "",
        "reference_if_none": "",
        "reference_if_none_high": "",
        "reference_if_none_low": "",
        "reference_if_none_n": "",
        "reference_judge_errors": "",
        "reference_judged": "",
        "reference_label_assistant_turn_restate": "",
        "reference_label_degenerate_short": "",
        "reference_label_malformed_artifact": "",
        "reference_label_meta_planning": "",
        "reference_label_new_task_prompt": "",
        "reference_label_other": "",
        "reference_label_plausible_followup": "",
        "reference_label_previous_turn_restate": "",
        "reference_low": "",
        "reference_n": "",
        "reference_not_genuine": "",
        "reference_undecided": "",
        "right": "5",
        "run": "quick-3f9a1c",
        "samples": "24",
        "state": "complete",
        "temperature": "0.7",
        "truncated": "1",
        "turn_errors": "1",
        "undecided": "15",
        "unscored": "3",
        "usd_generation": "",
        "usd_judging": "",
        "wrong": "14",
      },
    ]
  `);
});

test('no answers to check: the fields are empty', () => {
  const [row] = objects(cellsCsv(summaryOf([withoutAnswers(cell(['m', 'd', 0], counts))])));
  expect([row?.accuracy, row?.accuracy_n, row?.right, row?.answer_errors, row?.follow_up]).toEqual([
    '',
    '',
    '',
    '',
    '0.25',
  ]);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '\n-x'])(
  '%j is text to a spreadsheet',
  (name) => {
    const [row] = objects(cellsCsv(summaryOf([cell([name, 'sums', 0], counts)])));
    expect(row?.model).toBe(`'${name}`);
  },
);

test('names with commas, quotes and line ends come back whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '模', '=') }), (name) => {
      const summary = summaryOf([cell([`m${name}`, 'sums', 0], counts), cell(['m', `d${name}`, 0], counts)]);
      const rows = objects(cellsCsv(summary));
      expect(rows.map(({ model, data }) => [model, data])).toEqual([
        [`m${name}`, 'sums'],
        ['m', `d${name}`],
      ]);
    }),
  );
});
