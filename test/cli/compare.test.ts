import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Comparison } from '../../report/compare.ts';
import type { ToldFlip } from '../../report/compare-flips.ts';
import { item, type Place, type Story, written } from '../report/written.ts';
import { type Desk, openDesk } from './uturn.ts';

const odd = 'one\u2028two \u001b[31mred\r\n\u202eback';
const good: Story = {
  answer: { text: odd },
  user: { text: 'And then?' },
  label: 'plausible_followup',
  outcome: 'right',
};
const bad: Story = { answer: { text: 'b' }, user: { text: '' }, label: null, outcome: 'wrong' };
const items = Array.from({ length: 40 }, (_, at) => item(`i${at}`));

let at: Desk;
let before: string;
let after: string;
beforeAll(async () => {
  at = await openDesk();
  const base = { items, ended: 'complete' as const };
  before = await written(at.store, { name: 'before', ...base, story: () => good });
  const story = ({ at: place }: Place) => (place >= 30 ? bad : good);
  after = await written(at.store, { name: 'after', ...base, weights: 'a'.repeat(64), temperatures: [0.7, 1], story });
});
afterAll(() => at[Symbol.asyncDispose]());

test('a comparison reads like this', async () => {
  const { stdout, stderr, code } = await at.uturn(['compare', before, after]);
  expect({ stdout: stdout.replaceAll(/-[0-9a-f]{8}\b/g, '-…'), stderr, code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "before  before-…
    after   after-…

    Answers right
    model  data    T  pairs  before   after                change      p  adj. p      h  lost  gained  detectable
    fake   sums  0.7     40   100 %  75.0 %  −25.0 [−40.2, −11.1]  0.002   0.004  −1.05    10       0      37.8 %

    Genuine follow-ups
    model  data    T  pairs  before  after              change      p  adj. p     h  lost  gained  detectable
    fake   sums  0.7     30   100 %  100 %  0.0 [−11.4, +11.4]  1.000   1.000  0.00     0       0      34.8 %
    10 pairs are left out; before/after: undecided 0/10.

    Brackets: 95 % intervals. adj. p: over all 2 rows. h: effect size.
    detectable: the smallest drop that would be found with a power of 80 %; –: none would be.
    Only in after-…: fake × sums × 1

    What the plans ask differently
      temperatures[1]: nothing → 1
      models.fake.identity.weights: "ffffffff…" → "aaaaaaaa…"
    ",
    }
  `);
});

test('flips are listed without what a terminal would act on', async () => {
  const { stdout } = await at.uturn(['compare', before, after, '--items']);
  expect(stdout.slice(stdout.indexOf('\nAnswers right ·')).split('\n').slice(0, 8).join('\n')).toMatchInlineSnapshot(`
    "
    Answers right · sums · fake · T 0.7
      i30 · sample 0: right (7) → wrong (8)
        before: one
                two ␛[31mred
                ‮back‬
        after:  b
      i31 · sample 0: right (7) → wrong (8)"
  `);
});

test('--json has all of it, and flips where they are asked for', async () => {
  const plain = await at.uturn<Comparison & { flips?: ToldFlip[] }>(['compare', before, after, '--json']);
  expect(plain.json.cells).toHaveLength(2);
  expect(plain.json.cells[0]).toMatchObject({ measure: 'accuracy', difference: -0.25, lost: 10, verdict: 'fail' });
  expect(plain.json.flips).toBeUndefined();
  const listed = await at.uturn<Comparison & { flips: ToldFlip[] }>(['compare', before, after, '--json', '--items']);
  expect(listed.json.flips).toHaveLength(10);
  expect(listed.json.flips[0]?.before.text).toBe('one\u2028two \u001b[31mred\r\n\u202eback');
});

test.each<[args: string[], code: number, verdict: string]>([
  [[], 3, 'fail'],
  [['--at-least', '0.3'], 0, 'inconclusive'],
  [['--at-least', '0.5'], 0, 'pass'],
  [['--alpha', '0.0001'], 0, 'inconclusive'],
])('--fail-if-worse %j has exit code %d', async (args, code, verdict) => {
  const ran = await at.uturn(['compare', before, after, '--fail-if-worse', ...args]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr: `\nVerdict: ${verdict}\n` });
});

test('a run beside itself passes a gate that it has items enough for', async () => {
  const ran = await at.uturn(['compare', before, before, '--fail-if-worse', '--at-least', '0.2']);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '\nVerdict: pass\n' });
  expect(ran.stdout).toContain('The plans are the same.');
  expect(ran.stdout).toContain('pass: drop excluded');
});

test.each<[args: string[], said: RegExp]>([
  [['before-x', 'after-x'], /there is no run before-x/],
  [['one'], /missing required argument 'after'/],
  [['a', 'b', '--at-least', '5'], /share above 0 and below 1/],
])('compare %j is refused', async (args, said) => {
  const { code, stderr } = await at.uturn(['compare', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});
