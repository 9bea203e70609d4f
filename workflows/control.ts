// The signals that runs and campaigns share.
import { defineSignal, setHandler } from '@temporalio/workflow';
import { type ControlWord, names } from '../domain/plan/boundary.ts';

/** To a campaign they come without a word; commands of older versions send none to a run either. */
export const pause = defineSignal<[ControlWord?]>(names.pause);
export const resume = defineSignal<[ControlWord?]>(names.resume);

/** How many trees a campaign works on at once from now on. */
export const lanes = defineSignal<[number]>(names.lanes);

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
