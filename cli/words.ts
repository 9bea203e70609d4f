// What stages are called when one speaks to a person.
import type { Stage } from '../domain/records/record.ts';

export const stageNames: Record<Stage, string> = {
  assistant_turn: 'answers',
  user_turn: 'user turns',
  judgement: 'judgements',
  score: 'scores',
};
