// Which models of a run are paused, by what was last said to them, and which are to go through their trees again.
import { setHandler } from '@temporalio/workflow';
import type { ControlWord } from '../domain/plan/boundary.ts';
import { pause, resume } from './control.ts';

type OnWord = (signal: 'pause' | 'resume', models: string[] | null) => void;

export type Held = {
  /** From now on words are heard, those that wait at once; `onWord` is told each, with the models it goes to, null for all. */
  listen(onWord: OnWord): void;
  isPaused(model: string): boolean;
  /** Whether all of these are; of none, whether everything is. */
  arePaused(models: string[]): boolean;
  /** Whether what failed of a model is to be tried again. */
  isWanted(model: string): boolean;
  /** That is done now, or there is nothing to try. */
  settled(model: string): void;
};

export function holdModels(): Held {
  let all = false;
  const each = new Map<string, boolean>();
  let everyWanted = false;
  const wanted = new Map<string, boolean>();

  const hold = (signal: 'pause' | 'resume', models: string[] | null) => {
    const isPause = signal === 'pause';
    if (models === null) {
      all = isPause;
      each.clear();
    } else for (const model of models) each.set(model, isPause);
  };
  const want = ({ models }: ControlWord) => {
    if (models === undefined) {
      everyWanted = true;
      wanted.clear();
    } else for (const model of models) wanted.set(model, true);
  };
  const isPaused = (model: string) => each.get(model) ?? all;
  return {
    listen(onWord) {
      const heard = (signal: 'pause' | 'resume', { models = null }: { models?: string[] | null }) => {
        hold(signal, models);
        onWord(signal, models);
      };
      setHandler(pause, (word = {}) => heard('pause', word));
      setHandler(resume, (word = {}) => {
        if (word.errors === 'retry') want(word);
        heard('resume', word);
      });
    },
    isPaused,
    arePaused: (models) => (models.length === 0 ? all : models.every(isPaused)),
    isWanted: (model) => wanted.get(model) ?? everyWanted,
    settled: (model) => void wanted.set(model, false),
  };
}
