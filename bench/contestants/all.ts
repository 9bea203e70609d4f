// Who takes part.
import type { Contestant } from './contestant.ts';
import { inspect } from './inspect.ts';
import { lmEval } from './lm-eval.ts';
import { loopContestant } from './loop.ts';
import { uturnFile, uturnIds } from './uturn.ts';

export const contestants: Contestant[] = [
  loopContestant('http', './http-loop.ts'),
  loopContestant('openai-node', './openai-loop.ts'),
  uturnFile,
  uturnIds,
  inspect,
  lmEval,
];
