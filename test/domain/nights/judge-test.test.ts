// Turns that a judge is tried with, and when it counts as another one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptMessages } from '../../../domain/followup/prompt.ts';
import { judgeByRules } from '../../../domain/followup/rules.ts';
import { frozenTurns } from '../../../domain/nights/frozen-turns.ts';
import { driftOf, type FrozenVerdict, judgeFinding, usualLimits } from '../../../domain/nights/judge-test.ts';
import { type Label, labels } from '../../../domain/records/record.ts';

test('the rules leave every frozen turn to the judge, whatever each shows stands there, and half of them are genuine', () => {
  for (const { q, a, u } of frozenTurns) expect([u, judgeByRules(q, a, u).label]).toEqual([u, null]);
  expect(new Set(frozenTurns.map(({ id }) => id)).size).toBe(frozenTurns.length);
  const counts = Map.groupBy(frozenTurns, ({ label }) => label);
  expect([...counts.keys()].sort()).toEqual(labels.filter((label) => label !== 'other').toSorted());
  expect(counts.get('plausible_followup')?.length).toBe(frozenTurns.length / 2);
});

test('no frozen turn is a question that the prompt would spoil', () => {
  const prompt = { system: 'Judge.', data: '{{q}}\n{{a}}\n{{u}}' };
  for (const { q, a, u } of frozenTurns) {
    const [, data] = promptMessages(prompt, { q, a, u });
    expect(data?.content.split('\n').map((line) => JSON.parse(line))).toEqual([q, a, u]);
  }
});

/** A judge's word on frozen turns: those named come out with that label, `null` without a verdict. */
function said(otherwise: Record<string, Label | null> = {}): FrozenVerdict[] {
  return frozenTurns.map(({ id, label }) => {
    const word = id in otherwise ? otherwise[id] : label;
    if (word == null) return { turn: id, known: label, said: null, error: 'the reply is a refusal' };
    return { turn: id, known: label, said: { label: word, genuine: word === 'plausible_followup' } };
  });
}

const tested = (turns: FrozenVerdict[]) => ({ judge: 'j', turns, requests: 24, usage: null });
const drift = (tonight: FrozenVerdict[], first: FrozenVerdict[] | null, limits = usualLimits) =>
  driftOf(judgeFinding(tested(tonight), first === null ? null : { run: 'smoke-1', turns: first }), limits);
const three = {
  'tower-why': 'other',
  'sum-task': 'other',
  'bread-thanks': null,
  'tower-task': 'plausible_followup',
} as const;

test.each<[string, FrozenVerdict[], FrozenVerdict[] | null, string | null]>([
  ['all as is known', said(), null, null],
  ['another kind of what is not genuine', said({ 'tower-task': 'other', 'sum-piece': 'other' }), said(), null],
  ['two otherwise', said({ 'tower-why': 'other', 'tower-task': 'plausible_followup' }), said(), null],
  [
    'three otherwise',
    said(three),
    null,
    'the judge j decides 21 of 24 frozen turns as is known, and 22 is the least: ' +
      'tower-why came out as other instead of plausible_followup; ' +
      'bread-thanks came out as no verdict (the reply is a refusal) instead of plausible_followup; ' +
      'tower-task came out as plausible_followup instead of new_task_prompt',
  ],
])('of the first night or a later one: %s', (_, tonight, first, sentence) => {
  expect(drift(tonight, first)).toBe(sentence);
});

test('a judge that was never good may stay as it was, and no worse or better in other places', () => {
  const lenient = { at_least: 0.5, changed: 0.1 };
  expect(drift(said(three), said(three), lenient)).toBeNull();
  expect(drift(said(), said(three), lenient)).toMatch(
    /^the judge j decides 3 of 24 frozen turns otherwise than on smoke-1, and 2 is the most$/,
  );
  expect(drift(said(three), said(), { at_least: 0, changed: 1 })).toBeNull();
});

test('many are counted, and five are named', () => {
  const all = Object.fromEntries(frozenTurns.map(({ id }) => [id, 'other' as const]));
  expect(drift(said(all), null)).toMatch(/decides 12 of 24 .*; and 7 more$/);
});

const words = fc.array(fc.constantFrom(...labels, null), { minLength: 24, maxLength: 24 });
const spoken = words.map((each) => said(Object.fromEntries(frozenTurns.map(({ id }, at) => [id, each[at] ?? null]))));

test('the same as on the first night is no change, and the order of turns changes nothing', () => {
  fc.assert(
    fc.property(spoken, spoken, (a, b) => {
      const finding = judgeFinding(tested(a), { run: 'first', turns: b });
      const backwards = judgeFinding(tested(a.toReversed()), { run: 'first', turns: b.toReversed() });
      expect(backwards).toEqual({ ...finding, turns: backwards.turns });
      expect(judgeFinding(tested(a), { run: 'first', turns: a }).changed).toBe(0);
      expect(judgeFinding(tested(b), { run: 'first', turns: a }).changed).toBe(finding.changed);
      expect(finding.changed).toBeGreaterThanOrEqual(Math.abs(finding.agreed - judgeFinding(tested(b), null).agreed));
    }),
  );
});

test('turns of another set are in no change', () => {
  const [one] = said();
  expect(judgeFinding(tested(said()), { run: 'first', turns: one ? [{ ...one, said: null }] : [] }).changed).toBe(1);
  expect(judgeFinding(tested(said()), { run: 'first', turns: [] }).changed).toBe(0);
});
