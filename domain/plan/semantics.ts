// Versions of the code that decides results. They enter keys, so a run says which it was begun with.
import { instructionSemantics } from '../accuracy/instructions.ts';
import { accuracySemantics } from '../accuracy/score.ts';
import { rulesSemantics } from '../followup/rules.ts';
import { probeSemantics } from '../probe/trace.ts';
import type { RunDoc } from './run-doc.ts';

export type Semantics = { probe: number; accuracy: number; instructions: string; rules: number };

/** Those of this uturn. */
export const todays: Semantics = {
  probe: probeSemantics,
  accuracy: accuracySemantics,
  instructions: instructionSemantics,
  rules: rulesSemantics,
};

/** Those of runs that were begun before they were written down. Never changes. */
const first: Semantics = { probe: 1, accuracy: 1, instructions: 'if-verifiable 0.1.2, 1', rules: 1 };

export function semanticsOf({ semantics }: { semantics?: Semantics }): Semantics {
  return semantics ?? first;
}

/** Whether a run could go on here: the records it has still to make would mean what those it has mean. */
export function isOfToday(doc: Pick<RunDoc, 'semantics' | 'replays'>): boolean {
  const { probe, accuracy, instructions, rules } = semanticsOf(doc);
  const isScoredAlike = accuracy === todays.accuracy && instructions === todays.instructions;
  const isJudgedAlike = rules === todays.rules;
  if (doc.replays !== undefined) return doc.replays.anew === 'scores' ? isScoredAlike : isJudgedAlike;
  return isScoredAlike && isJudgedAlike && probe === todays.probe;
}
