// How long a campaign's engine is up for it: told to the run while its GPU hours are limited.
import { defineSignal } from '@temporalio/workflow';
import { type CampaignInput, names } from '../domain/plan/boundary.ts';
import { gpusOf } from '../domain/plan/gpus.ts';
import { type EngineUse, hoursOf, type Meter, note } from '../domain/plan/meter.ts';
import type { Telling } from './telling.ts';

export const use = defineSignal<[EngineUse]>(names.use);

export type Metering = {
  /** The engine has come up, or gone away. */
  used(now: 'up' | 'away'): void;
  /** Whether hours are limited may have changed. */
  look(): void;
  /** For those who watch, and the next execution; nothing where hours are not limited. */
  hours(): { gpu_hours?: number };
};

export function meterEngine(
  { model, engine, carried }: CampaignInput,
  telling: Telling,
  isMetered: () => boolean,
): Metering {
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
    telling.tell({ use: said });
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
