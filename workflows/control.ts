// Pause and resume: the signals that runs and campaigns share.
import { defineSignal, setHandler } from '@temporalio/workflow';
import { names } from '../domain/plan/boundary.ts';

export const pause = defineSignal(names.pause);
export const resume = defineSignal(names.resume);

export type Control = {
  readonly paused: boolean;
  /** Resume signals seen so far: whoever waits for one compares counts. */
  readonly resumed: number;
};

/** Listens to pause and resume. `onChange` hears of both, for those who pass them on. */
export function controllable(opts: { paused: boolean; onChange?: (signal: 'pause' | 'resume') => void }): Control {
  const state = { paused: opts.paused, resumed: 0 };
  setHandler(pause, () => {
    state.paused = true;
    opts.onChange?.('pause');
  });
  setHandler(resume, () => {
    state.paused = false;
    state.resumed += 1;
    opts.onChange?.('resume');
  });
  return {
    get paused() {
      return state.paused;
    },
    get resumed() {
      return state.resumed;
    },
  };
}
