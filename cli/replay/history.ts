// `uturn replay --history`: what a run's workflows did, done again by today's workflow code.

import type { Client } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { begunExecutions, endedExecutions } from '../../activities/run/documents.ts';
import { keptHistories } from '../../activities/run/kept.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { cacheFolder } from '../../local/cache.ts';
import { oneLine } from '../../report/escape.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { temporalThatIsUp } from '../glance.ts';
import { inHome, openLooking, type Reading, withTemporal } from '../session.ts';
import { type FoundHistory, historiesAt, historiesOf, saved } from './histories.ts';
import { whyNot } from './why-not.ts';

export type HistoryOptions = { file: string | null; save: string | null; json: boolean };

/** `why`: where today's code goes another way than the history; null where it does not. */
export type ReplayedWorkflow = Omit<FoundHistory, 'history' | 'begun'> & { equal: boolean; why: string | null };

/** Starts no worker, and Temporal only where it may know what the store does not. Returns the exit code. */
export async function replayHistory(run: string, opts: HistoryOptions): Promise<number> {
  if (opts.file !== null) return finish(run, await replayed(keeping(historiesAt(opts.file), opts)), opts);
  return inHome(async (reading) => {
    const look = async (client: Client | null) =>
      finish(run, await replayed(keeping(historiesOf({ ...reading, client }, run), opts)), opts);
    const isUp = (await temporalThatIsUp(reading.home)) !== null;
    if (!isUp && (await isKept(reading, run))) return look(null);
    return withTemporal(reading, { keep: 'run', worker: 'elsewhere', report: say }, ({ client }) => look(client));
  }, openLooking);
}

/** Whether the run has ended, and what it did is in the store. */
async function isKept({ store }: Reading, run: string): Promise<boolean> {
  const begun = await begunExecutions(store, run);
  if (begun > (await endedExecutions(store, run))) return false;
  for await (const _ of keptHistories(store, run)) return true;
  return false;
}

function keeping(histories: AsyncGenerator<FoundHistory>, { save }: HistoryOptions): AsyncGenerator<FoundHistory> {
  return save === null ? histories : saved(histories, save);
}

/** Each history once more through the code that workers here would run. Nothing is sent to Temporal. */
export async function replayed(histories: AsyncIterable<FoundHistory>): Promise<ReplayedWorkflow[]> {
  const logger = new DefaultLogger('ERROR', () => undefined);
  const logging = { filter: 'ERROR', forward: {} };
  Runtime.install({ logger, telemetryOptions: { logging }, shutdownSignals: [] });
  const waiting: Omit<FoundHistory, 'history' | 'begun'>[] = [];
  const read = (async function* () {
    for await (const { history, begun: _, ...about } of histories) {
      waiting.push(about);
      yield { workflowId: about.workflow, history };
    }
  })();
  const codePath = await workflowBundle(cacheFolder());
  const found: ReplayedWorkflow[] = [];
  // One after another, in the order of the histories.
  for await (const { error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, read)) {
    const about = waiting.shift();
    if (about !== undefined)
      found.push({ ...about, equal: error === undefined, why: error === undefined ? null : whyNot(error) });
  }
  return found;
}

function finish(run: string, workflows: ReplayedWorkflow[], { json }: HistoryOptions): number {
  const equal = workflows.length === 0 ? null : workflows.every((one) => one.equal);
  if (json) process.stdout.write(`${jsonLine({ run, equal, workflows, meaning: 'history' })}\n`);
  else process.stdout.write(text(run, workflows));
  if (equal === null) return exit.unfinished;
  return equal ? exit.ok : exit.failed;
}

function text(run: string, workflows: ReplayedWorkflow[]): string {
  if (workflows.length === 0)
    return `Neither Temporal nor the store has a history of ${run}: Temporal forgets them after a time. Give one: --history-file <path>\n`;
  const lines = workflows.map(({ type, workflow, execution, events, from, why }) => {
    const name = oneLine(`${type} ${workflow}${execution === '' ? '' : `, execution ${execution}`}`);
    return `${why === null ? 'goes on' : 'CANNOT GO ON'}  ${name}, ${events} events${from === 'store' ? ', from the store' : ''}${why === null ? '' : `\n  ${oneLine(why)}`}`;
  });
  const failed = workflows.filter((one) => !one.equal).length;
  const sum =
    failed === 0
      ? `Today’s workflow code does what all ${workflows.length} histories say.`
      : `Today’s workflow code does not do what ${failed} of ${workflows.length} histories say. How to change a workflow: docs/changing-workflows.md`;
  return `${lines.join('\n')}\n${sum}\n`;
}
