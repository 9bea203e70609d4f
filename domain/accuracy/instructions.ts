// What the checks of single instructions make of a whole answer (IFEval, IFBench).
import type { InstructionsCheck } from '../data/item.ts';
import type { InstructionResult, Score, Turn } from '../records/record.ts';
import { type Opening, visiblePart } from './reasoning.ts';

/**
 * The checkers and how we use them, part of the score's stage key where they are used. Raised with the pinned package
 * or when the same reply would get another result.
 */
export const instructionSemantics = 'if-verifiable 0.1.2, 1';

/** The families of instructions; a data set's format is named as its family. */
export const instructionFamilies = ['ifeval', 'ifbench'] as const;
export type InstructionFamily = (typeof instructionFamilies)[number];

export function isInstructionFamily(name: string): name is InstructionFamily {
  return instructionFamilies.some((family) => family === name);
}

/**
 * The text the checkers are to see, or the score where there is nothing to check: an answer cut off inside its
 * reasoning is truncated. One whose reasoning never ends otherwise is empty, and an empty answer follows nothing. A
 * visible answer that hit its limit is checked as it stands: its limit is part of the experiment.
 */
export function replyToCheck(turn: Turn, check: InstructionsCheck, opening?: Opening): { reply: string } | Score {
  const visible = visiblePart(turn.text, opening);
  if (visible !== null || turn.finish !== 'length') return { reply: visible ?? '' };
  const instructions = check.instructions.map(({ id }) => ({ id, strict: null, loose: null }));
  return { ...blank(check), outcome: 'truncated', reason: 'cut off inside the reasoning', instructions };
}

/**
 * Prompt level, strict: right if every instruction was followed, wrong if one was not, unscored if it hangs on one that
 * could not be checked.
 */
export function instructionScore(check: InstructionsCheck, instructions: InstructionResult[]): Score {
  const failed = instructions.filter(({ strict }) => strict === false);
  const open = instructions.filter(({ strict }) => strict === null);
  if (failed.length > 0) {
    return { ...blank(check), outcome: 'wrong', reason: short(`fails ${idsOf(failed)}`), instructions };
  }
  if (open.length > 0) {
    const reason = open.map(({ id, reason }) => `${id}: ${reason ?? 'not checked'}`).join('; ');
    return { ...blank(check), outcome: 'unscored', reason: short(reason), instructions };
  }
  return { ...blank(check), outcome: 'right', reason: null, instructions };
}

function blank(check: InstructionsCheck) {
  return { check: check.check, extracted: null, expected: short(idsOf(check.instructions)) };
}

function idsOf(some: { id: string }[]): string {
  return some.map(({ id }) => id).join(', ');
}

function short(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 400).toWellFormed()}…`;
}
