// A night in words, whatever its names hold.
import { expect, test } from 'vitest';
import type { NightVerdict } from '../../domain/nights/night.ts';
import type { CellFinding } from '../../domain/nights/regression.ts';
import { nightJunit, nightLine, nightMarkdown } from '../../report/night-text.ts';

const found: CellFinding = {
  model: 'a|b <i>',
  data: 'sums',
  temperature: 0.7,
  measure: 'accuracy',
  verdict: 'fail',
  reason: 'dropped',
  items: 60,
  samples: 60,
  before: 0.7,
  after: 0.5,
  difference: -0.2,
  low: -0.3,
  high: -0.1,
  p: 0.0004,
  p_adjusted: 0.0008,
  effect: -0.41,
  variance: 0.1,
  test: 'mcnemar',
  detectable: 0.12,
  measured: { value: 0.5, low: 0.38, high: 0.62, n: 60 },
};
const night: NightVerdict = {
  format: 1,
  schedule: 'smoke',
  nominal: '2026-03-07T02:00:00.000Z',
  run: 'smoke-20260307T020000Z',
  verdict: 'fail',
  problem: null,
  baseline: ['smoke-20260306T020000Z'],
  gate: { measures: ['accuracy'], alpha: 0.05, power: 0.8, at_least: 0.05 },
  cells: [
    { ...found, model: 'fine', verdict: 'pass', reason: 'drop_excluded', difference: 0, low: -0.02, high: 0.02 },
    found,
  ],
};
const broken: NightVerdict = {
  ...night,
  verdict: 'broken',
  problem: 'no "data" \u0007& <more>\n  Give some.',
  cells: [],
};

test('one line says the verdict and its first reason', () => {
  expect(nightLine(night)).toBe(
    'smoke, night of 2026-03-07T02:00:00.000Z: FAILED (a|b <i> · sums · T 0.7 · accuracy: 70.0 % → 50.0 %, -20.0 (-30.0 to -10.0))',
  );
  expect(nightLine(broken)).toBe('smoke, night of 2026-03-07T02:00:00.000Z: BROKEN (no "data" \u0007& <more>)');
});

test('the table has what failed first, and no name breaks it', () => {
  const rows = nightMarkdown(night)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  expect(rows).toHaveLength(3);
  expect(rows[1]).toContain(
    '| a\\|b \\<i\\> · sums · T 0.7 · accuracy | FAILED | 70.0 % → 50.0 %, -20.0 (-30.0 to -10.0) | < 0.001 |'.replaceAll(
      '< 0',
      '\\< 0',
    ),
  );
  expect(rows[2]).toContain('fine');
});

test('a judge that was tried is named, with what it decided otherwise than is known', () => {
  const turns = [
    { turn: 'sum-why', known: 'plausible_followup', said: { label: 'other', genuine: false } },
    { turn: 'sum-task', known: 'new_task_prompt', said: { label: 'other', genuine: false } },
  ] as const;
  const self_test = {
    judge: 'j*',
    turns: [...turns],
    requests: 2,
    usage: null,
    agreed: 1,
    of: 2,
    since: 'smoke-1',
    changed: 1,
  };
  expect(nightLine({ ...broken, self_test })).toMatch(/; self-test 1 of 2$/);
  expect(nightMarkdown({ ...night, self_test }).split('\n')[4]).toBe(
    'Self-test: the judge j\\* decided 1 of 2 frozen turns as is known, and 1 otherwise than on smoke-1. Otherwise: sum-why came out as other instead of plausible\\_followup.',
  );
});

test('JUnit has a case a cell, and a broken night is an error', () => {
  expect(nightJunit(night)).toContain('tests="2" failures="1" errors="0" skipped="0"');
  expect(nightJunit(night)).toContain('name="a|b &lt;i&gt; · sums · T 0.7 · accuracy"><failure message=');
  expect(nightJunit(broken)).toContain('<error message="no &quot;data&quot; &amp; &lt;more&gt;&#10;  Give some."/>');
});
