// Stages and times as one says them to a person.
import type { Stage } from '../domain/records/record.ts';

export const stageNames: Record<Stage, string> = {
  assistant_turn: 'answers',
  user_turn: 'user turns',
  judgement: 'judgements',
  reference_judgement: 'references',
  score: 'scores',
};

/** As the store has it, in UTC: the same list on every machine. */
export function minute(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
