// `uturn pause` and `uturn cancel`: stop a run from spending, for now or for good.
import type { Command } from 'commander';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { type ControlWord, names } from '../../domain/plan/boundary.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { until } from '../../local/until.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { temporalThatIsUp } from '../glance.ts';
import { checkModels, modelName } from '../models.ts';
import { ensureWorker, inHome, openLooking, type Session, withTemporal } from '../session.ts';
import { type RunView, statusOf, type ViewState, viewRun } from '../view.ts';

type Options = { json?: true };

const patienceMs = 120_000;

export function pauseCommand(program: Command): void {
  program
    .command('pause')
    .argument('<run>', 'run to pause')
    .summary('begin nothing new in a run until it is resumed')
    .description('Pauses a run: shards that are open come to their end, nothing new is begun. `uturn resume` goes on.')
    .option('--model <id>', 'pause this model alone; may be given several times', modelName, [])
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn pause quickstart-3f9a2c1b\n  $ uturn pause sweep-3f9a2c1b --model qwen-27b',
    )
    .action(async (run: string, { model, ...opts }: Options & { model: string[] }) => {
      const word: ControlWord = model.length === 0 ? {} : { models: model };
      const what =
        model.length === 0
          ? `${run} is paused`
          : `${model.join(', ')} of ${run} ${model.length > 1 ? 'are' : 'is'} paused`;
      process.exitCode = await control(run, opts, {
        send: (session) => session.client.workflow.getHandle(run).signal(names.pause, word),
        ...(model.length > 0 && { models: model }),
        reached: 'paused',
        told: `${what}. Go on with: uturn resume ${[run, ...model.map((id) => `--model ${id}`)].join(' ')}`,
        // What is not up works on nothing, so there is nothing to hold.
        where: 'only where it is up',
      });
    });
}

export function cancelCommand(program: Command): void {
  program
    .command('cancel')
    .argument('<run>', 'run to cancel')
    .summary('end a run now and keep what it finished')
    .description(
      'Ends a run: requests in flight are cut, what was finished is kept. `uturn resume` takes it up again.\n' +
        'A run that was interrupted is cancelled too: it would go on with the next command that starts a worker.',
    )
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn cancel quickstart-3f9a2c1b')
    .action(async (run: string, opts: Options) => {
      process.exitCode = await control(run, opts, {
        send: async (session) => void (await session.client.workflow.getHandle(run).cancel()),
        reached: 'cancelled',
        told: `${run} is cancelled; what it finished is kept. Take it up again with: uturn resume ${run}`,
        where: 'bring it up',
      });
    });
}

type Act = {
  send(session: Session): Promise<unknown>;
  /** Whom it concerns; all where it is left out. */
  models?: string[];
  reached: ViewState;
  told: string;
  where: 'only where it is up' | 'bring it up';
};

/** Sends word to an open run and waits until it shows. */
async function control(run: string, opts: Options, act: Act): Promise<number> {
  return inHome(async (reading) => {
    const doc = await readRun(reading.store, run);
    const models = (await getPlan(reading.store, doc.plan)).models.map((model) => model.id);
    checkModels(run, { wanted: act.models ?? [], known: models });
    const isUp = (await temporalThatIsUp(reading.home)) !== null;
    const saved = await viewRun({ ...reading, client: null }, run, models);
    if (!isUp && (act.where === 'only where it is up' || saved.state === 'complete'))
      throw notRunning(run, saved.state);

    // The worker comes after the word, so that it begins nothing that would be cut off at once.
    await withTemporal(reading, { keep: 'run', worker: 'elsewhere', report: say }, async (session) => {
      const seen = async () => (await viewRun(session, run, models)).state;
      if ((await statusOf(session.client, run)) !== 'RUNNING') throw notRunning(run, await seen());
      await act.send(session);
      if (session.temporal.kind === 'local')
        await ensureWorker(reading.home, { keep: 'run', store: reading.store.uri, report: say });
      await reach(session, { run, models, concerned: act.models ?? null, state: act.reached });
    });
    const about = { run, ...(act.models && { models: act.models }), state: act.reached };
    if (opts.json) process.stdout.write(`${jsonLine(about)}\n`);
    else say(act.told);
    return exit.ok;
  }, openLooking);
}

type Reaching = { run: string; models: string[]; concerned: string[] | null; state: ViewState };

/** Whether all that it concerns are so far, or have come to their end before. */
function areThere({ campaigns, end }: RunView, { concerned, state }: Reaching): boolean {
  if (concerned === null || end !== null) return false;
  const some = campaigns.filter(({ model }) => concerned.includes(model));
  return some.every((one) => one.state === state || !['running', 'parked'].includes(one.state));
}

/** A run may well end by itself before the word reaches it. */
async function reach(session: Session, at: Reaching): Promise<void> {
  let now: ViewState = 'running';
  const look = async () => {
    const view = await viewRun(session, at.run, at.models).catch(() => null);
    now = view?.state ?? now;
    if (view !== null && areThere(view, at)) now = at.state;
    return now === at.state || (view !== null && (view.end !== null || now === 'stopped'));
  };
  await until(look, patienceMs, { everyMs: 250 });
  if (now === at.state || (await endedBeforeItBegan(session, { ...at, now }))) return;
  if (now !== 'running' && now !== 'parked' && now !== 'paused') throw notRunning(at.run, now);
  const after = `${patienceMs / 1000} s`;
  throw new WorldProblem(
    'timeout',
    `${at.run} was told, but is still ${now} after ${after}; look again: uturn status ${at.run}`,
  );
}

/** A run that is cancelled before its first step has no time to write how it ended; Temporal knows. */
async function endedBeforeItBegan(
  { client }: Session,
  { run, state, now }: { run: string; state: ViewState; now: ViewState },
): Promise<boolean> {
  return state === 'cancelled' && now === 'stopped' && (await statusOf(client, run)) === 'CANCELLED';
}

function notRunning(run: string, state: ViewState): ConfigProblem {
  return new ConfigProblem(`${run} is not running; it is ${state}`, { advice: `See it: uturn status ${run}` });
}
