// What is done to an answer before its model goes on as the user.
import { hashOf } from '../records/canonical.ts';

/**
 * `base`: nothing. `again`: nothing either, by randomness of its own: what differs from base is chance. `truncated`: its end is
 * cut off, a quarter of it and at least 25 tokens. `cut`: a share of it, however little that is. `question`: it ends in an explicit question.
 */
export type Condition =
  | { kind: 'base' }
  | { kind: 'again' }
  | { kind: 'truncated' }
  | { kind: 'cut'; percent: number }
  | { kind: 'question' };

/** Raised when the same answer would be perturbed otherwise; part of its key. */
export const perturbationSemantics = 1;

/** Whether the answer is another one under this condition. */
export function perturbs({ kind }: Condition): boolean {
  return kind !== 'base' && kind !== 'again';
}

const truncation = { share: 0.25, least: 25 };

/** Its name in tables, seeds and keys. */
export function conditionName(condition: Condition): string {
  return condition.kind === 'cut' ? `cut-${condition.percent}` : condition.kind;
}

/** The condition of a name. @throws RangeError  there is none */
export function conditionOf(name: string): Condition {
  const percent = /^cut-(\d+)$/.exec(name)?.[1];
  if (percent !== undefined) return { kind: 'cut', percent: Number(percent) };
  const kind = (['base', 'again', 'truncated', 'question'] as const).find((one) => one === name);
  if (kind === undefined) throw new RangeError(`no condition ${name}`);
  return { kind };
}

/** Where turns are drawn, base is drawn again beside it: what differs between the two is chance. */
export function conditionsAt(temperature: number, conditions: Condition[]): Condition[] {
  const [base, ...others] = conditions;
  return base === undefined || temperature === 0 ? conditions : [base, { kind: 'again' }, ...others];
}

/**
 * Tokens that go from the end of an answer of `tokens`, which may be more than it has.
 * Truncation: max(25, ⌈n/4⌉); dose-response: ⌈n·percent/100⌉ (the probe's paper, perturbations).
 */
export function tokensToDrop(condition: Condition, tokens: number): number {
  switch (condition.kind) {
    case 'truncated':
      return Math.max(truncation.least, Math.ceil(truncation.share * tokens));
    case 'cut':
      // In whole numbers: 0.7 × 10 is no seven.
      return Math.ceil((condition.percent * tokens) / 100);
    default:
      return 0;
  }
}

const questions = [' What do you think?', ' Any questions?'] as const;

/** The question put behind an item's answer: the same for every model and sample. */
export function questionFor(item: string, seed: number): string {
  const drawn = Number.parseInt(hashOf([seed, 'question', item]).slice(0, 8), 16);
  return questions[drawn % 2] ?? questions[0];
}
