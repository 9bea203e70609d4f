// From a started run to the end of the command: follow it, write its page, print its table.

import { readEnding } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import { plannedAnswers, plannedSamples } from '../domain/plan/outline.ts';
import { registering } from '../domain/plan/search.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { jsonLine } from '../domain/records/json-line.ts';
import { exit } from './exit.ts';
import { type Followed, follow, onInterrupt } from './follow.ts';
import { hold, outlived, type Waking } from './hold.ts';
import { printEnd, printWaiting } from './print.ts';
import { writeReport } from './report-file.ts';
import type { Reading, Session } from './session.ts';
import type { Started } from './start.ts';
import { isHeldByBudget, type RunView } from './view.ts';

const opening = {
  new: 'started',
  found: 'is complete already; nothing is called',
  ended: 'has ended',
  joined: 'is running; following it',
  resumed: 'goes on where it stopped',
};

/** Prints an ended run in place of its table, and returns the exit code. */
export type Print = (ended: Extract<Followed, { how: 'ended' }>) => Promise<number>;

/**
 * Follows a run to its end and prints it; with `detach` returns at once. Returns the exit code. `onlyWatches`: a run that
 * goes on without this command does so when this one is interrupted. `wake`: what rouses a run that is joined.
 */
export async function finish(
  at: Reading | Session,
  { doc, how, searchable }: Started,
  opts: { json?: true; detach?: true; onlyWatches?: true; wake?: Waking; print?: Print },
): Promise<number> {
  say(`${doc.run} ${how === 'joined' && opts.detach ? 'is running' : opening[how]}`);
  const isOver = how === 'found' || how === 'ended';
  const session = 'client' in at && !isOver ? at : null;
  // Before anything that takes time: from its start on, a run may outlive this command.
  const interrupted = session === null || opts.detach ? null : onInterrupt(session.home, say);
  if (session?.temporal.kind === 'external' && searchable === false) {
    say(`Temporal at ${session.temporal.address} knows no attributes of uturn's: its lists cannot be asked for runs.`);
    say(`Register them once: ${registering}`);
  }
  if (session !== null && how === 'joined') await opts.wake?.(session, doc);
  if (opts.detach && !isOver) {
    say(`  uturn watch ${doc.run}`);
    sayState(doc.run, how === 'joined' ? 'running' : 'started', opts);
    return exit.ok;
  }
  const followed = session && interrupted ? await followToEnd(session, doc, interrupted) : await ended(at, doc.run);
  if (followed.how === 'interrupted') {
    sayState(doc.run, session === null ? 'interrupted' : await leave(session, doc, opts), opts);
    return exit.interrupted;
  }
  if (followed.how !== 'ended') {
    sayState(doc.run, followed.how, opts, followed.view);
    return printWaiting(followed);
  }
  if (opts.print !== undefined) return opts.print(followed);
  const report = await writeReport(at, followed.summary);
  return printEnd({ ...followed, report }, { json: opts.json === true });
}

/** What a script gets of a run that has not ended: one object too. */
function sayState(
  run: string,
  state: 'started' | 'running' | Followed['how'],
  opts: { json?: true },
  view?: RunView,
): void {
  if (!opts.json) return;
  const held = view !== undefined && isHeldByBudget(view) ? { paused_by: 'budget', budget: view.budget } : {};
  process.stdout.write(`${jsonLine({ run, state, ...held })}\n`);
}

/** What commands say to a person goes to stderr: stdout is for results. On a terminal it takes the place of a live line. */
export function say(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}${line}\n`);
}

/** Nothing new begins after Ctrl-C: the worker stops with this command, or it is told to begin nothing. */
async function leave(
  session: Session,
  doc: Started['doc'],
  { onlyWatches }: { onlyWatches?: true },
): Promise<'interrupted' | 'paused'> {
  const { run } = doc;
  if (!(await outlived(session))) {
    say(`${run} is not finished; nothing that was completed is lost. Go on with: uturn resume ${run}`);
    return 'interrupted';
  }
  const now = onlyWatches ? 'running' : await hold(session, doc);
  if (now === 'paused') say(`${run} is paused; nothing that was completed is lost. Go on with: uturn resume ${run}`);
  else if (now === 'ended') say(`${run} has come to its end. See it: uturn status ${run}`);
  else say(`${run} goes on without this command. Stop it with: uturn pause ${run}`);
  return now === 'paused' ? 'paused' : 'interrupted';
}

async function followToEnd(session: Session, doc: Started['doc'], interrupted: AbortSignal): Promise<Followed> {
  const plan = await getPlan(session.store, doc.plan);
  const models = plan.models.map((model) => model.id);
  return follow(session, doc, { samples: plannedSamples(plan), answers: plannedAnswers(plan), models, interrupted });
}

async function ended(at: Reading, run: string): Promise<Followed> {
  const ending = await readEnding(at.store, run);
  if (ending === null)
    throw new ConfigProblem(`${run} has not ended`, { advice: `Go on with it: uturn resume ${run}` });
  return { how: 'ended', ...ending };
}
