// `uturn run`: plan, start (or return to) the run, follow it, print the table.
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { begunWith } from '../../activities/planning/begin.ts';
import { type Planned, planExperiment } from '../../activities/planning/plan.ts';
import { readLimits } from '../../activities/run/budget.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { version } from '../../local/version.ts';
import { limitsText } from '../budget-text.ts';
import { readConfig } from '../config.ts';
import { finish, say } from '../finish.ts';
import { shardsThere } from '../held.ts';
import { wakePaused } from '../hold.ts';
import { count, runName, tags } from '../options.ts';
import { preview } from '../preview.ts';
import { takesLine } from '../preview-text.ts';
import { inHome, type Reading, withTemporal } from '../session.ts';
import { completeRun, type NewRun, placeOf, startRun } from '../start.ts';

type Options = {
  limit?: number;
  name?: string;
  tag: string[];
  new?: true;
  json?: true;
  detach?: true;
  worker: boolean;
};

export function runCommand(program: Command): void {
  program
    .command('run')
    .argument('<config>', 'experiment file (YAML)')
    .summary('run an experiment, or go on with it')
    .description(
      'Plans the experiment, starts it as a durable workflow and follows it to its table.\n' +
        'An unchanged plan returns to its last run: what is done is never computed twice.',
    )
    .option('--limit <n>', 'take only the first n items of each data set', count)
    .option('--name <name>', 'name of the run (default: the config’s name)', runName)
    .option('--tag <tag>', 'tag the run; may be given several times', tags, [])
    .option('--new', 'start another run even if the plan is unchanged')
    .option('--detach', 'start it and return; services stay up')
    .option('--no-worker', 'start no worker here: others serve the queues')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn run configs/quickstart.yaml\n  $ uturn run sweep.yaml --limit 20 --tag trial\n  $ uturn run sweep.yaml --json > result.json',
    )
    .action(async (config: string, opts: Options) => {
      process.exitCode = await inHome((reading) => run(reading, config, opts));
    });
}

async function run(reading: Reading, file: string, opts: Options): Promise<number> {
  const { wanted, found } = await planned(reading, file, opts);
  const again = opts.new ? 'always' : 'when changed';
  const complete = again === 'always' ? null : await completeRun(reading.store, wanted);
  if (complete !== null) return finish(reading, { doc: complete, how: 'found' }, opts);
  if (!opts.json) await sayTakes(reading, found, wanted);
  return withTemporal(
    reading,
    { keep: opts.detach ? 'up' : 'run', worker: opts.worker ? 'here' : 'elsewhere', report: say },
    async (session) => {
      const started = await startRun(session, wanted, { again });
      await sayOtherBudget(session, started.doc, wanted);
      return finish(session, started, { ...opts, wake: wakePaused });
    },
  );
}

/** A run keeps its budget, whatever its config says later: nobody should think that it took the new one. */
async function sayOtherBudget({ store }: Reading, doc: RunDoc, { budget = {} }: NewRun): Promise<void> {
  const limits = await readLimits(store, doc);
  if (isDeepStrictEqual(budget, limits) || isDeepStrictEqual(budget, doc.budget ?? {})) return;
  say(`The budget of ${doc.run} stays ${limitsText(limits)}, not the config's ${limitsText(budget)}.`);
  say(`Set it: uturn resume ${doc.run} --budget <unit=limit>`);
}

/** With more shards than this in the store, looking what of them is of use takes longer than a person waits. */
const mostLooked = 500;

/** What a new run takes, for whoever would rather not begin it. */
async function sayTakes(reading: Reading, found: Planned, wanted: NewRun): Promise<void> {
  const { there, ...occasion } = await placeOf(reading.store, wanted, { again: 'when changed' });
  if (there) return;
  let shards = 0;
  for (const { groups } of outline(found.plan, occasion))
    for (const group of groups) {
      const stored = await shardsThere(reading.store, group);
      shards += stored.length;
    }
  if (shards <= mostLooked)
    say(takesLine(await preview(reading, found, { name: wanted.name, report: () => undefined })));
}

async function planned(
  { home, store }: Reading,
  file: string,
  opts: Options,
): Promise<{ wanted: NewRun; found: Planned }> {
  const config = await readConfig(file);
  const found = await planExperiment(config, { home, store, report: say, limit: opts.limit ?? null });
  const begun = await begunWith(store, found, { config, uturn: version() });
  const wanted: NewRun = { name: opts.name ?? found.name, tags: opts.tag, ...begun };
  return { wanted, found };
}
