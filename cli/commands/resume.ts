// `uturn resume` and `uturn watch`: back to a run that is there.
import type { Command } from 'commander';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Budget } from '../../domain/plan/budget.ts';
import { finish, say } from '../finish.ts';
import { glancing } from '../glance.ts';
import { wakeWith } from '../hold.ts';
import { limit } from '../options.ts';
import { checkLimits } from '../raise.ts';
import { inHome, openLooking, type SessionOptions, withTemporal } from '../session.ts';
import { resumeRun } from '../start.ts';
import { viewRun } from '../view.ts';
import { checkNothingWithheld } from '../withheld.ts';

type Options = { budget: Budget; json?: true; detach?: true; worker: boolean };

export function resumeCommand(program: Command): void {
  program
    .command('resume')
    .argument('<run>', 'run to go on with')
    .summary('go on with a paused, parked, failed or killed run')
    .description(
      'Goes on with a run where it stopped. Error records count as pending and are tried again; nothing that succeeded is.',
    )
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
      '\nExamples:\n  $ uturn resume quickstart-3f9a2c1b\n  $ uturn resume sweep-3f9a2c1b --budget usd=20 --budget tokens=5e6',
    )
    .action(async (run: string, opts: Options) => {
      process.exitCode = await inHome(async (reading) => {
        await checkNothingWithheld(reading.store, run, 'items');
        await checkLimits(reading, await readRun(reading.store, run), opts.budget);
        return withTemporal(reading, sessionOptions(opts), async (session) => {
          const started = await resumeRun(session, run, { errors: 'retry', budget: opts.budget });
          return finish(session, started, { ...opts, wake: wakeWith(opts.budget) });
        });
      }, openLooking);
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
