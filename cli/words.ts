// Stages, times and amounts as one says them to a person.
import type { Stage } from '../domain/records/record.ts';
import { grouped } from '../report/numbers.ts';

export const stageNames: Record<Stage, string> = {
  assistant_turn: 'answers',
  perturbed_turn: 'perturbed answers',
  user_turn: 'user turns',
  judgement: 'judgements',
  reference_judgement: 'references',
  score: 'scores',
};

/** Seconds in the unit one would say them in. */
export function secondsText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** As the store has it, in UTC: the same list on every machine. */
export function minute(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}

/** `1 part`, `2 parts`. */
export function counted(n: number, what: string): string {
  return `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
