// Word to a run that is open: begin nothing new, or go on. It shows a moment after it was given.
import { getPlan } from '../activities/store/plans.ts';
import { type ControlWord, names } from '../domain/plan/boundary.ts';
import { type Budget, limited } from '../domain/plan/budget.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { listServices } from '../local/services.ts';
import { until } from '../local/until.ts';
import { othersPresent } from '../local/users.ts';
import type { Session } from './session.ts';
import { isHeldByBudget, type RunView, viewRun } from './view.ts';

type At = Pick<RunDoc, 'run' | 'plan'>;

const patienceMs = 10_000;
/** A pause that is not seen is said to have failed, and whoever is tired of waiting presses again. */
const holdPatienceMs = 30_000;

/** Whether somebody may go on working on runs when this command has left: what `up` keeps, other commands, other machines. */
export async function outlived({ home, temporal }: Session): Promise<boolean> {
  if (temporal.kind !== 'local' || (await othersPresent(home))) return true;
  return (await listServices(home)).some(({ name, alive, keep }) => name === 'worker' && alive && keep === 'up');
}

/** Returns how the run stands once the word shows, or has not for some seconds. */
export async function hold(session: Session, at: At): Promise<'paused' | 'ended' | 'running'> {
  const sent = await tell(session, at, 'pause').catch(() => false);
  const seen = sent
    ? await look(session, at, ({ state }) => state !== 'running', holdPatienceMs)
    : await view(session, at);
  if (seen === null) return 'running';
  if (seen.state === 'paused' || seen.state === 'parked') return 'paused';
  return seen.end !== null || seen.state === 'stopped' ? 'ended' : 'running';
}

/** Until word has reached its campaigns a paused run still looks paused, and following it would end at once. */
async function wake(session: Session, at: At): Promise<void> {
  await tell(session, at, 'resume');
  await look(session, at, (seen) => !isStill(seen) || isHeldByBudget(seen));
}

export type Waking = (session: Session, at: At) => Promise<void>;

/** For whoever asks for a run by its name: what has failed is tried again. `models`: these alone, all where there are none. */
export function wakeWith({ budget, models }: { budget: Budget; models: string[] }): Waking {
  const word: ControlWord = { errors: 'retry', ...(models.length > 0 && { models }) };
  return async (session, at) => {
    const raised = limited(budget).length > 0;
    if (raised) await session.client.workflow.getHandle(at.run).signal(names.budget, budget);
    await tell(session, at, 'resume', word);
    await look(session, at, (seen) => !isStill(seen) || (!raised && isHeldByBudget(seen)));
  };
}

/** The same where somebody paused the run; one that is parked waits for whoever asks for it by name. */
export async function wakePaused(session: Session, at: At): Promise<void> {
  const seen = await view(session, at);
  if (seen?.state === 'paused' && !isHeldByBudget(seen)) await wake(session, at);
}

function isStill({ state }: RunView): boolean {
  return state === 'paused' || state === 'parked';
}

async function tell(
  { client }: Session,
  { run }: At,
  signal: 'pause' | 'resume',
  word: ControlWord = {},
): Promise<true> {
  await client.workflow.getHandle(run).signal(names[signal], word);
  return true;
}

async function look(
  session: Session,
  at: At,
  wanted: (view: RunView) => boolean,
  ms = patienceMs,
): Promise<RunView | null> {
  let seen: RunView | null = null;
  await until(async () => (seen = await view(session, at)) !== null && wanted(seen), ms, { everyMs: 100 });
  return seen;
}

async function view(session: Session, { run, plan }: At): Promise<RunView | null> {
  const models = (await getPlan(session.store, plan)).models.map((model) => model.id);
  return viewRun(session, run, models).catch(() => null);
}
