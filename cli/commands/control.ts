// `uturn pause` and `uturn cancel`: stop a run from spending, for now or for good.
import type { Command } from 'commander';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { until } from '../../local/until.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { inHome, type Session, withTemporal } from '../session.ts';
import { statusOf, type ViewState, viewRun } from '../view.ts';

type Options = { json?: true };

const patienceMs = 120_000;

export function pauseCommand(program: Command): void {
  program
    .command('pause')
    .argument('<run>', 'run to pause')
    .summary('begin nothing new in a run until it is resumed')
    .description('Pauses a run: shards that are open come to their end, nothing new is begun. `uturn resume` goes on.')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn pause quickstart-3f9a2c1b')
    .action(async (run: string, opts: Options) => {
      process.exitCode = await control(run, opts, {
        send: (session) => session.client.workflow.getHandle(run).signal('pause'),
        reached: ['paused'],
        told: `${run} is paused. Go on with: uturn resume ${run}`,
      });
    });
}

export function cancelCommand(program: Command): void {
  program
    .command('cancel')
    .argument('<run>', 'run to cancel')
    .summary('end a run now and keep what it finished')
    .description('Ends a run: requests in flight are cut, what was finished is kept. `uturn resume` takes it up again.')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn cancel quickstart-3f9a2c1b')
    .action(async (run: string, opts: Options) => {
      process.exitCode = await control(run, opts, {
        send: async (session) => void (await session.client.workflow.getHandle(run).cancel()),
        reached: ['cancelled'],
        told: `${run} is cancelled; what it finished is kept. Take it up again with: uturn resume ${run}`,
      });
    });
}

type Act = { send(session: Session): Promise<unknown>; reached: ViewState[]; told: string };

/** Sends word to an open run and waits until it shows. */
async function control(run: string, opts: Options, act: Act): Promise<number> {
  return inHome(async (reading) => {
    const doc = await readRun(reading.store, run);
    const models = (await getPlan(reading.store, doc.plan)).models.map((model) => model.id);
    return withTemporal(reading, { keep: 'run', worker: 'here', report: say }, async (session) => {
      if ((await statusOf(session.client, run)) !== 'RUNNING') {
        const { state } = await viewRun(session, run, models);
        throw new ConfigProblem(`${run} is not running; it is ${state}`, { advice: `See it: uturn status ${run}` });
      }
      await act.send(session);
      const state = async () => (await viewRun(session, run, models).catch(() => null))?.state;
      const seen = await until(
        async () => {
          const now = await state();
          return act.reached.some((wanted) => wanted === now);
        },
        patienceMs,
        { everyMs: 250 },
      );
      if (!seen) {
        throw new WorldProblem(
          'timeout',
          `${run} was told, but is still ${await state()} after ${patienceMs / 1000} s; look again: uturn status ${run}`,
        );
      }
      if (opts.json) process.stdout.write(`${JSON.stringify({ run, state: act.reached[0] })}\n`);
      else say(act.told);
      return exit.ok;
    });
  });
}
