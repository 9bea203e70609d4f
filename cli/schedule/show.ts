// A schedule and its nights, as Temporal and the store know them.
import { type Night, nightsOf } from '../../activities/nights/read.ts';
import { type NightVerdictWord, scheduleId } from '../../domain/nights/night.ts';
import type { Session } from '../session.ts';
import { expectedTimes, findSchedule, scheduleNames } from './temporal.ts';

export type ListedSchedule = {
  schedule: string;
  state: 'on' | 'paused';
  next: string | null;
  last: string | null;
  verdict: string | null;
};

/** `missed`: it should have come and did not, also because its schedule was paused; `open`: it has no verdict yet. */
export type ShownNight = {
  nominal: string;
  state: NightVerdictWord | 'missed' | 'open';
  run: string | null;
  why: string | null;
  /** Of the frozen turns, those that the judge decided as is known; null where none that is a model was tried. */
  self_test: { agreed: number; of: number } | null;
};
export type ShownSchedule = Omit<ListedSchedule, 'last' | 'verdict'> & { nights: ShownNight[] };

export async function listed(session: Session): Promise<ListedSchedule[]> {
  const rows: ListedSchedule[] = [];
  for (const schedule of await scheduleNames(session.client)) {
    const { nights, ...row } = await shown(session, schedule);
    const last = nights.at(-1);
    rows.push({ ...row, last: last?.nominal ?? null, verdict: last?.state ?? null });
  }
  return rows;
}

/** Every night there was and every one that should have been, the earliest first. */
export async function shown({ client, store }: Session, name: string): Promise<ShownSchedule> {
  const { is } = await findSchedule(client, name);
  const nights = await nightsOf(store, name);
  const since = is.info.createdAt ?? new Date();
  const expected = await expectedTimes(client, name, { from: since, to: new Date() });
  const { runningActions } = is.info;
  const begun = runningActions.flatMap(({ workflow }) => waitingNight(name, workflow.workflowId, nights));
  const missed = missedOf(expected, { nights: [...nights, ...begun], jitterMs: is.spec.jitter ?? 0 });
  return {
    schedule: name,
    state: is.state.paused ? 'paused' : 'on',
    next: is.state.paused ? null : (is.info.nextActionTimes[0]?.toISOString() ?? null),
    nights: [...nights.map(shownNight), ...begun, ...missed].sort((a, b) => (a.nominal < b.nominal ? -1 : 1)),
  };
}

function shownNight({ nominal, run, verdict }: Night): ShownNight {
  const failed = verdict?.cells.filter((cell) => cell.verdict === 'fail') ?? [];
  const cells = failed.map(({ model, data, temperature, measure }) => `${model} ${data} T ${temperature} ${measure}`);
  const tried = verdict?.self_test;
  return {
    nominal,
    state: verdict?.verdict ?? 'open',
    run,
    why: verdict?.problem?.split('\n')[0] ?? (cells.length > 0 ? cells.join('; ') : null),
    self_test: tried === undefined ? null : { agreed: tried.agreed, of: tried.of },
  };
}

/** A night that Temporal has begun and that no worker has made a run of yet, known by the time behind its workflow's name. */
export function waitingNight(schedule: string, workflow: string, nights: Pick<Night, 'nominal'>[]): ShownNight[] {
  const at = Date.parse(workflow.slice(scheduleId(schedule).length + 1));
  if (Number.isNaN(at) || nights.some(({ nominal }) => Date.parse(nominal) === at)) return [];
  return [{ nominal: new Date(at).toISOString(), state: 'open', run: null, why: null, self_test: null }];
}

/** Times without a night. An expected time has its jitter in it, a night's has not. */
export function missedOf(
  expected: Date[],
  { nights, jitterMs }: { nights: Pick<Night, 'nominal'>[]; jitterMs: number },
): ShownNight[] {
  const times = nights.map(({ nominal }) => Date.parse(nominal));
  return expected
    .filter((at) => !times.some((time) => time <= at.getTime() && time >= at.getTime() - jitterMs))
    .map((at) => ({ nominal: at.toISOString(), state: 'missed', run: null, why: null, self_test: null }));
}
