import { expect, test } from 'vitest';
import { rate } from '../../domain/stats/wilson.ts';
import { runJson } from '../../report/json.ts';
import { quick, referenced, summaryOf, withoutAnswers } from './fixture.ts';

test('the object that scripts read', () => {
  const [, second] = quick.cells;
  expect(runJson(summaryOf([second!]), { report: 'reports/quick.html' })).toMatchInlineSnapshot(`
    {
      "cells": [
        {
          "accuracy": {
            "high": 0.41903483016263976,
            "low": 0.09663978026586215,
            "n": 23,
            "value": 0.21739130434782608,
          },
          "accuracy_loose": null,
          "answer_errors": 1,
          "capped_assistant": {
            "high": 0.20991155070258843,
            "low": 0.007716666143453177,
            "n": 23,
            "value": 0.043478260869565216,
          },
          "capped_user": {
            "high": 0.2679598107574363,
            "low": 0.024180004484220377,
            "n": 23,
            "value": 0.08695652173913043,
          },
          "completion_tokens": 3450,
          "data": "sums",
          "follow_up": {
            "high": 0.8684923971201051,
            "low": 0.008069427621263878,
            "n": 22,
            "value": null,
          },
          "follow_up_if_all": {
            "high": 0.8684923971201051,
            "low": 0.5184826598759764,
            "n": 22,
            "value": 0.7272727272727273,
          },
          "follow_up_if_none": {
            "high": 0.21798045838657298,
            "low": 0.008069427621263878,
            "n": 22,
            "value": 0.045454545454545456,
          },
          "genuine": 1,
          "instructions_loose": null,
          "instructions_strict": null,
          "judge_completion_tokens": 0,
          "judge_errors": 1,
          "judge_prompt_tokens": 0,
          "judge_uncounted": 0,
          "judged": 22,
          "labels": {
            "assistant_turn_restate": 0,
            "degenerate_short": 0,
            "malformed_artifact": 6,
            "meta_planning": 0,
            "new_task_prompt": 0,
            "other": 0,
            "plausible_followup": 1,
            "previous_turn_restate": 0,
          },
          "model": "smol-135m",
          "not_genuine": 6,
          "prompt_tokens": 4600,
          "reference": null,
          "reference_genuine": null,
          "reference_if_all": null,
          "reference_if_none": null,
          "reference_judge_errors": null,
          "reference_judged": null,
          "reference_labels": null,
          "reference_not_genuine": null,
          "reference_undecided": null,
          "right": 5,
          "samples": 24,
          "state": "complete",
          "temperature": 0.7,
          "truncated": 1,
          "turn_errors": 1,
          "undecided": 15,
          "unscored": 3,
          "usd_generation": null,
          "usd_judging": null,
          "wrong": 14,
        },
      ],
      "name": "quick",
      "plan": "3f9a1c0b5d7e4f60a1b2c3d4e5f60718",
      "report": "reports/quick.html",
      "run": "quick-3f9a1c",
      "samples": 24,
      "totals": {
        "completion_tokens": 3450,
        "errors": 2,
        "judge_completion_tokens": 0,
        "judge_prompt_tokens": 0,
        "judge_uncounted": 0,
        "prompt_tokens": 4600,
        "usd_generation": null,
        "usd_judging": null,
      },
    }
  `);
});

test('without answers or a page the fields are null, not gone', () => {
  const json = runJson(summaryOf([withoutAnswers(quick.cells[0]!)]), { report: null });
  const { accuracy, right, wrong, unscored, truncated, answer_errors } = json.cells[0]!;
  expect([json.report, accuracy, right, wrong, unscored, truncated, answer_errors]).toEqual(Array(7).fill(null));
});

test('it survives JSON', () => {
  const json = runJson(quick, { report: null });
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});

test('what people said is null where nobody said anything, else counted like a model’s turns', () => {
  const [first] = quick.cells;
  const { cells } = runJson(summaryOf([first!, referenced(first!, { genuine: 3, artifact: 1, judgeErrors: 2 })]), {
    report: null,
  });
  const fields = cells.map((cell) => Object.entries(cell).filter(([name]) => name.startsWith('reference')));
  expect(fields[0]?.filter(([, value]) => value !== null)).toEqual([]);
  expect(Object.fromEntries(fields[1] ?? [])).toEqual({
    reference: rate(3, 4),
    reference_if_none: rate(3, 4),
    reference_if_all: rate(3, 4),
    reference_judged: 4,
    reference_genuine: 3,
    reference_not_genuine: 1,
    reference_undecided: 0,
    reference_judge_errors: 2,
    reference_labels: expect.objectContaining({ plausible_followup: 3, malformed_artifact: 1 }),
  });
});
