// What passes the bench's gates, what fails them, and what the exit code says.
import { expect, test } from 'vitest';
import { exitCodeOf, gatesOf, goalsOf, type Wanted } from '../../bench/gates.ts';
import { type Gate, type Measured, rowsOf } from '../../bench/results.ts';
import { summaryLine, tableOf } from '../../bench/table.ts';
import { measured } from './measured.ts';

const at50 = [{ latency_ms: 50, in_flight: 64 }];
const wanted: Wanted = { contestants: ['openai-node', 'uturn-file', 'inspect_ai'], settings: at50 };

function judged(rounds: Measured[], asked: Wanted = wanted): Gate[] {
  return gatesOf({ rows: rowsOf(rounds), resumed: [], failed: [] }, asked);
}

const verdicts = (gates: Gate[]) => Object.fromEntries(gates.map(({ name, verdict }) => [name, verdict]));

test.each<[ours: number, openai: number, inspect: number, code: 0 | 1]>([
  [1_000, 1_000, 100, 0],
  [999, 1_000, 50, 1],
  [1_000, 900, 101, 1],
  [2_000, 1_000, 100, 0],
])('uturn at %d/s against %d/s and %d/s ends with code %d', (ours, openai, inspect, code) => {
  const rounds = [measured('uturn-file', ours), measured('openai-node', openai), measured('inspect_ai', inspect)];
  expect(exitCodeOf(judged(rounds))).toBe(code);
});

test('one request too many or too few fails, whoever made it and whatever the other rounds did', () => {
  for (const served of [999, 1_001]) {
    const gates = judged([measured('http', 500), measured('http', 500, { round: 2, served })]);
    expect(gates.at(-1)).toEqual({
      name: 'http asks once per sample (50 ms, 64 in flight)',
      wanted: '1000 served',
      got: `${served} served`,
      verdict: 'failed',
    });
    expect(exitCodeOf(gates)).toBe(1);
  }
});

test('a peer that was asked for and could not take part fails its gate; one that was not asked for does not', () => {
  const rounds = [measured('uturn-file', 1_000), measured('openai-node', 900)];
  const name = 'uturn-file against inspect_ai (50 ms, 64 in flight)';
  expect(verdicts(judged(rounds))[name]).toBe('failed');
  const without = judged(rounds, { contestants: ['openai-node', 'uturn-file'], settings: at50 });
  expect(verdicts(without)[name]).toBe('not measured');
  expect(exitCodeOf(without)).toBe(0);
});

test('a gate about a setting that was left out is not measured', () => {
  const settings = [{ latency_ms: 0, in_flight: 64 }];
  const gates = judged([measured('uturn-file', 1, { latency_ms: 0 })], { ...wanted, settings });
  expect(verdicts(gates)['uturn-file against openai-node (50 ms, 64 in flight)']).toBe('not measured');
  expect(exitCodeOf(gates)).toBe(0);
});

test('a round that did not end is a failed gate of its own, with what was said last', () => {
  const failed = [{ what: 'lm-eval (50 ms, 64 in flight, round 2)', error: 'lm-eval ended with 1:\nno such task' }];
  const gates = gatesOf({ rows: [], resumed: [], failed }, { contestants: ['lm-eval'], settings: at50 });
  expect(gates).toEqual([
    { name: 'lm-eval (50 ms, 64 in flight, round 2) ends', wanted: 'ends', got: 'no such task', verdict: 'failed' },
  ]);
  expect(exitCodeOf(gates)).toBe(1);
});

test.each([
  [14.9, 'passed'],
  [15.1, 'failed'],
])('going on %d s after a kill has %s', (seconds, verdict) => {
  const resumed = [{ store: 'file', seconds, again: 12 }];
  const gates = gatesOf({ rows: [], resumed, failed: [] }, { contestants: [], settings: [] });
  expect(gates).toMatchObject([{ wanted: '≤ 15 s', got: `${seconds} s`, verdict }]);
});

test('goals that are missed are shown and fail nothing', () => {
  const rounds = [
    measured('uturn-file', 949),
    measured('http', 1_000),
    measured('openai-node', 900),
    measured('inspect_ai', 50),
  ];
  const asked = { ...wanted, contestants: [...wanted.contestants, 'http'] };
  const goals = goalsOf({ rows: rowsOf(rounds), resumed: [], failed: [] }, asked);
  expect(goals.map(({ verdict }) => verdict)).toEqual(['failed', 'failed', 'not measured']);
  expect(goals[1]).toMatchObject({
    name: 'the whole workflow of uturn-file against openai-node (50 ms, 64 in flight)',
    got: '0.84 ×',
  });
  const gates = judged(rounds, asked);
  expect(exitCodeOf(gates)).toBe(0);
  expect(summaryLine(gates, goals)).toBe('bench: 6 of 6 gates passed, 0 of 2 goals reached');
});

test('the table has a block for each setting and a line for each contestant', () => {
  const rows = rowsOf([
    measured('http', 1_200),
    measured('uturn-file', 950, { other_requests: 12 }),
    measured('http', 2_400, { latency_ms: 0 }),
  ]);
  expect(tableOf(rows)).toMatchInlineSnapshot(`
    "50 ms, 64 in flight
    contestant  items  samples/s    from–to  workflow  whole run  CPU s/1000  peak MB     events  bytes/sample  noise  served  other calls
    http         1000       1200  1200–1200         –        600        1.00      100          –             –   0.10    1000            0
    uturn-file   1000        950    950–950       760        475        1.00      100  500 (400)          5000   0.10    1000           12

    0 ms, 64 in flight
    contestant  items  samples/s    from–to  workflow  whole run  CPU s/1000  peak MB  events  bytes/sample  noise  served  other calls
    http         1000       2400  2400–2400         –       1200        1.00      100       –             –   0.10    1000            0"
  `);
});
