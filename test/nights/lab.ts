// A schedule over the lab's model, and its nights one by one.
import type { ShownNight, ShownSchedule } from '../../cli/schedule/show.ts';
import { until } from '../../local/until.ts';
import { Lab } from '../lab.ts';

export const nightly = `kind: nightly
name: smoke
experiment: sweep.yaml
when: { cron: "0 2 * * *" }
baseline: { nights: 5 }
gate: { at_least: 0.12 }
notify: { folder: told }
`;

/** Sixty items, each asked once, and a model that says the same to the same. */
export function nightLab(): Promise<Lab> {
  return Lab.start({ items: 60, config: { name: 'sums', temperatures: [0.7] } });
}

export async function nightsIn(lab: Lab, schedule = 'smoke'): Promise<ShownNight[]> {
  return (await lab.run<ShownSchedule>(['schedule', 'show', schedule, '--json'])).json.nights;
}

/** Makes up for the night of this day and returns what came of it, once that is as wanted where it has a verdict already. */
export async function night(lab: Lab, day: string, wanted?: ShownNight['state']): Promise<ShownNight> {
  const at = `${day}T02:00:00.000Z`;
  await lab.run(['schedule', 'backfill', 'smoke', '--from', at, '--to', at]);
  let found: ShownNight | undefined;
  const judged = async () => {
    found = (await nightsIn(lab)).find(({ nominal }) => nominal === at);
    return found !== undefined && (wanted === undefined ? found.state !== 'open' : found.state === wanted);
  };
  if (!(await until(judged, 120_000, { everyMs: 1_000 })) || found === undefined) throw new Error(`no night of ${day}`);
  return found;
}
