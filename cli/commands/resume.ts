// `uturn resume` and `uturn watch`: back to a run that is there.
import type { Command } from 'commander';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Budget } from '../../domain/plan/budget.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { finish, say } from '../finish.ts';
import { glancing } from '../glance.ts';
import { wakeWith } from '../hold.ts';
import { checkModels, modelName } from '../models.ts';
import { limit } from '../options.ts';
import { checkLimits } from '../raise.ts';
import { inHome, openLooking, type Session, type SessionOptions, withTemporal } from '../session.ts';
import { resumeRun } from '../start.ts';
import { statusOf, viewRun } from '../view.ts';
import { checkNothingWithheld } from '../withheld.ts';

type Options = { budget: Budget; model: string[]; json?: true; detach?: true; worker: boolean };

export function resumeCommand(program: Command): void {
  program
    .command('resume')
    .argument('<run>', 'run to go on with')
    .summary('go on with a paused, parked, failed or killed run')
    .description(
      'Goes on with a run where it stopped. Error records count as pending and are tried again; nothing that succeeded is.\n' +
        'Of a run that is open, models that have failed or ended with errors are tried again too; others come to their end first.',
    )
    .option('--model <id>', 'of a run that is open, this model alone; may be given several times', modelName, [])
    .option(
      '--budget <unit=limit>',
      'what the whole run may spend: usd, tokens, gpu_hours; may be given several times',
      limit,
      {},
    )
    .option('--detach', 'start it and return; services stay up')
    .option('--no-worker', 'start no worker here: others serve the queues')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn resume quickstart-3f9a2c1b\n  $ uturn resume sweep-3f9a2c1b --budget usd=20 --budget tokens=5e6\n  $ uturn resume sweep-3f9a2c1b --model qwen-27b --detach',
    )
    .action(async (run: string, opts: Options) => {
      process.exitCode = await inHome(async (reading) => {
        await checkNothingWithheld(reading.store, run, 'items');
        const doc = await readRun(reading.store, run);
        const known = (await getPlan(reading.store, doc.plan)).models.map(({ id }) => id);
        checkModels(run, { wanted: opts.model, known });
        await checkLimits(reading, doc, opts.budget);
        return withTemporal(reading, sessionOptions(opts), async (session) => {
          if (opts.model.length > 0) await checkOpen(session, run);
          const started = await resumeRun(session, run, { errors: 'retry', budget: opts.budget });
          return finish(session, started, { ...opts, wake: wakeWith({ ...opts, models: opts.model }) });
        });
      }, openLooking);
    });
}

/** An execution goes through all models of a run. @throws ConfigProblem  none is under way */
async function checkOpen({ client }: Session, run: string): Promise<void> {
  if ((await statusOf(client, run)) === 'RUNNING') return;
  throw new ConfigProblem(`${run} is not open, and --model is for a run that is`, {
    advice: `Go on with all of it: uturn resume ${run}. What is there already is not asked for again.`,
  });
}

export function watchCommand(program: Command): void {
  program
    .command('watch')
    .argument('<run>', 'run to watch')
    .summary('follow a run to its end')
    .description('Shows a run’s progress until it ends, and then its table. Ctrl-C leaves the run as it is.')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn watch quickstart-3f9a2c1b')
    .action(async (run: string, opts: Pick<Options, 'json'>) => {
      process.exitCode = await inHome(async (reading) => {
        const doc = await readRun(reading.store, run);
        const models = (await getPlan(reading.store, doc.plan)).models.map((model) => model.id);
        const { end } = await glancing(reading.home, (client) => viewRun({ ...reading, client }, run, models));
        if (end !== null) return finish(reading, { doc, how: 'ended' }, opts);
        return withTemporal(reading, sessionOptions({ worker: true }), (session) =>
          finish(session, { doc, how: 'joined' }, { ...opts, onlyWatches: true }),
        );
      }, openLooking);
    });
}

function sessionOptions(opts: Pick<Options, 'detach' | 'worker'>): SessionOptions {
  return { keep: opts.detach ? 'up' : 'run', worker: opts.worker ? 'here' : 'elsewhere', report: say };
}
