// Whether a judge that is a model still judges as it did: what it says of turns whose labels are known.
import type { Label, Usage } from '../records/record.ts';

/** Of one frozen turn. `said`: null where the judge gave no verdict, for the reason in `error`. */
export type FrozenVerdict = {
  turn: string;
  known: Label;
  said: { label: Label; genuine: boolean } | null;
  error?: string;
};

/** `usage`: null where the judge's server does not count its tokens. */
export type JudgeTest = { judge: string; turns: FrozenVerdict[]; requests: number; usage: Usage | null };

/**
 * `agreed`: turns that it calls genuine or not as is known; the labels of those that are not genuine may be other ones, since no rate goes
 * by them. `since`: the night that it is held against, null where there is none, and `changed`: turns that it decided otherwise on that night.
 */
export type JudgeFinding = JudgeTest & { agreed: number; of: number; since: string | null; changed: number | null };

/** Shares of the turns. `at_least`: must come out as is known. `changed`: may come out otherwise than on the first night. */
export type JudgeLimits = { at_least: number; changed: number };

/** Of schedules that were made before they could say. */
export const usualLimits: JudgeLimits = { at_least: 0.9, changed: 0.1 };

export function judgeFinding(test: JudgeTest, first: { run: string; turns: FrozenVerdict[] } | null): JudgeFinding {
  const before = new Map(first?.turns.map((one) => [one.turn, decisionOf(one)]));
  const changed = test.turns.filter((one) => before.has(one.turn) && before.get(one.turn) !== decisionOf(one));
  return {
    ...test,
    agreed: test.turns.filter(isAsKnown).length,
    of: test.turns.length,
    since: first?.run ?? null,
    changed: first === null ? null : changed.length,
  };
}

/** What is wrong with the judge, in a sentence; null where nothing is. */
export function driftOf(
  { judge, turns, agreed, of, since, changed }: JudgeFinding,
  limits: JudgeLimits,
): string | null {
  const otherwise = turns.filter((one) => !isAsKnown(one));
  const named = otherwise.slice(0, 5).map(inWords).join('; ');
  const more = otherwise.length > 5 ? `; and ${otherwise.length - 5} more` : '';
  const wanted = Math.ceil(limits.at_least * of - rounding);
  if (agreed < wanted)
    return `the judge ${judge} decides ${agreed} of ${of} frozen turns as is known, and ${wanted} is the least: ${named}${more}`;
  const most = Math.floor(limits.changed * of + rounding);
  if (changed !== null && changed > most)
    return `the judge ${judge} decides ${changed} of ${of} frozen turns otherwise than on ${since}, and ${most} is the most${named === '' ? '' : `; otherwise than is known are ${named}${more}`}`;
  return null;
}

/** Shares of small numbers are no whole ones: 0.9 of 20 is 18. */
const rounding = 1e-9;

export function isAsKnown(one: FrozenVerdict): boolean {
  return decisionOf(one) === (one.known === 'plausible_followup');
}

function decisionOf({ said }: FrozenVerdict): boolean | null {
  return said?.genuine ?? null;
}

export function inWords({ turn, known, said, error }: FrozenVerdict): string {
  return `${turn} came out as ${said?.label ?? `no verdict (${error?.slice(0, 120)})`} instead of ${known}`;
}
