// Judges one after another: the first that decides has the word, and what each of them said is kept.
import type { Judgement, Vote } from '../records/record.ts';
import type { Verdict } from './reply.ts';
import { labelAllows, rulesSemantics } from './rules.ts';

export function votesOfRules(judgement: Judgement): Vote[] {
  const { label, genuine, rationale } = judgement;
  return [{ by: `rules@${rulesSemantics}`, label, genuine, rationale }];
}

/** What a model said, after the votes of those before it, none of which decided. */
export function decidedByModel(before: Vote[], { by, verdict }: { by: string; verdict: Verdict }): Judgement {
  const { label, genuine, rationale } = verdict;
  const votes = [...before, { by, label, genuine, rationale }];
  const allowed = labelAllows(label);
  return { label, genuine: genuine && allowed, by, rationale, at_odds: genuine !== allowed, votes };
}
