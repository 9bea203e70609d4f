// Who takes part, and in what.
import type { Contestant } from './contestant.ts';
import { inspect } from './inspect.ts';
import { lmEval } from './lm-eval.ts';
import { loopContestant } from './loop.ts';
import { inBucket, inFolder, type StorePlace } from './stores.ts';
import { uturnIds, uturnOn } from './uturn.ts';

export const contestants: Contestant[] = [
  loopContestant('http', './http-loop.ts'),
  loopContestant('openai-node', './openai-loop.ts'),
  uturnOn(inFolder),
  uturnOn(inBucket),
  uturnIds,
  inspect,
  lmEval,
];

/** Beside the rounds: a worker is killed in the middle of a run on this store. */
export const resumes: (Pick<Contestant, 'name' | 'prepare'> & { place: StorePlace })[] = [inFolder, inBucket].map(
  (place) => ({ name: `resume-${place.name}`, prepare: place.prepare, place }),
);
