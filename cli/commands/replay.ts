// `uturn replay`: what a run did, done again in one of several meanings.
import type { Command } from 'commander';
import { ConfigProblem } from '../../domain/problems.ts';
import { replayRecords } from '../replay/records.ts';
import { openLooking } from '../session.ts';

type Options = { fromRecords?: true; against?: string; json?: true };

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .argument('<run>', 'run to replay')
    .summary('make a run’s results again, and say what is equal')
    .description(
      'Makes again what a run came to and says what is equal and where it differs. One of these says what is replayed:\n' +
        '--from-records makes every table, figure and page from the records alone, with every record hashed again.',
    )
    .option('--from-records', 'rebuild everything from records; needs no model, judge, network or Temporal')
    .option('--against <folder>', 'with --from-records: compare with what uturn report --out has written there too')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExit codes: 0 equal, 1 it differs, 3 there is nothing to compare with.\n' +
        '\nExamples:\n' +
        '  $ uturn replay quickstart-3f9a2c1b --from-records\n' +
        '  $ uturn replay quickstart-3f9a2c1b --from-records --against quickstart-report --json',
    )
    .action(async (run: string, opts: Options) => {
      process.exitCode = await replay(run, opts);
    });
}

async function replay(run: string, opts: Options): Promise<number> {
  const json = opts.json === true;
  if (opts.fromRecords) return replayRecords(await openLooking(), run, { against: opts.against ?? null, json });
  throw new ConfigProblem('nothing says what is to be replayed', { advice: 'Give --from-records.' });
}
