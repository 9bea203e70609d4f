// How long a campaign's engine is up for it: told to the run while its GPU hours are limited.
import { defineSignal, getExternalWorkflowHandle } from '@temporalio/workflow';
import { type CampaignInput, names } from '../domain/plan/boundary.ts';
import { gpusOf } from '../domain/plan/gpus.ts';
import { type EngineUse, hoursOf, type Meter, note } from '../domain/plan/meter.ts';

export const use = defineSignal<[EngineUse]>(names.use);

export type Metering = {
  /** The engine has come up, or gone away. */
  used(now: 'up' | 'away'): void;
  /** Whether hours are limited may have changed. */
  look(): void;
  /** For those who watch, and the next execution; nothing where hours are not limited. */
  hours(): { gpu_hours?: number };
};

export function meterEngine({ run, model, engine, carried }: CampaignInput, isMetered: () => boolean): Metering {
  const meter: Meter = new Map();
  let isUp = Boolean(carried.engine);
  let told = isUp && isMetered();

  const say = (up: boolean): EngineUse | null =>
    engine === undefined ? null : { model, engine: engine.id, gpus: gpusOf(engine.order), up };
  const begun = say(told);
  if (begun !== null && told) note(meter, begun, Date.now());

  const look = () => {
    const up = isUp && isMetered();
    const said = say(up);
    if (said === null || up === told) return;
    told = up;
    note(meter, said, Date.now());
    void getExternalWorkflowHandle(run)
      .signal(use, said)
      .catch(() => undefined);
  };
  return {
    used(now) {
      isUp = now === 'up';
      look();
    },
    look,
    hours: () =>
      isMetered() || meter.size > 0 ? { gpu_hours: (carried.gpu_hours ?? 0) + hoursOf(meter, Date.now()) } : {},
  };
}
