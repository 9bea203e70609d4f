// `uturn replay`: what a run did, done again in one of several meanings.
import type { Command } from 'commander';
import { ConfigProblem } from '../../domain/problems.ts';
import { count } from '../options.ts';
import { replayAnew } from '../replay/anew.ts';
import { replayRecords } from '../replay/records.ts';
import { regenerate } from '../replay/regenerate.ts';
import { openLooking } from '../session.ts';

type Options = {
  fromRecords?: true;
  against?: string;
  rescore?: true;
  rejudge?: string;
  regenerate?: true;
  sample?: number;
  servers?: string;
  history?: true;
  historyFile?: string;
  saveHistories?: string;
  json?: true;
};

/** Each says what is replayed. */
const meanings = ['fromRecords', 'rescore', 'rejudge', 'regenerate', 'history'] as const;
const flags = '--from-records, --rescore, --rejudge <file>, --regenerate or --history';

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .argument('<run>', 'run to replay')
    .summary('make a run’s results again, and say what is equal')
    .description(
      'Makes again what a run came to and says what is equal and where it differs. One of these says what is replayed:\n' +
        '--from-records makes every table, figure and page from the records alone, with every record hashed again.\n' +
        '--rescore and --rejudge make new verdicts over the turns that are there, as a run of its own, and list what changed.\n' +
        '--regenerate asks the models once more, and says which turns came out the same and where the others part.\n' +
        '--history has today’s workflow code do what the run’s workflows did: whether an open run would go on under it.',
    )
    .option('--from-records', 'rebuild everything from records; needs no model, judge, network or Temporal')
    .option('--against <folder>', 'with --from-records: compare with what uturn report --out has written there too')
    .option('--rescore', 'score the answers by the rules of this version, and list what changed; generates nothing')
    .option(
      '--rejudge <file>',
      'judge the user turns by the `judge:` of this config, and list what changed; generates nothing',
    )
    .option('--regenerate', 'generate every turn again, as a run of its own, and compare')
    .option('--sample <n>', 'with --regenerate: only the first n items of each data set', count)
    .option('--servers <file>', 'with --regenerate: ask the servers that the `models:` of this file name, by their ids')
    .option('--history', 'replay the run’s Temporal histories against today’s workflow code')
    .option(
      '--history-file <path>',
      'with --history: a history as JSON, or a folder of them, in place of Temporal’s own',
    )
    .option('--save-histories <folder>', 'with --history: write them there too, as Temporal forgets')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExit codes: 0 equal, 1 it differs, 3 there is nothing to compare with.\n' +
        '\nExamples:\n' +
        '  $ uturn replay quickstart-3f9a2c1b --from-records\n' +
        '  $ uturn replay quickstart-3f9a2c1b --from-records --against quickstart-report --json\n' +
        '  $ uturn replay sweep-3f9a2c1b --rejudge other-judge.yaml\n' +
        '  $ uturn replay sweep-3f9a2c1b --regenerate --sample 50 --servers other-server.yaml\n' +
        '  $ uturn replay sweep-3f9a2c1b --history',
    )
    .action(async (run: string, opts: Options) => {
      process.exitCode = await replay(run, opts);
    });
}

async function replay(run: string, opts: Options): Promise<number> {
  const given = meanings.filter((one) => opts[one] !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'nothing says what is to be replayed' : 'one thing is replayed at a time';
    throw new ConfigProblem(what, { advice: `Give ${flags}.` });
  }
  const json = opts.json === true;
  if (opts.history) {
    // The worker's code takes a while to load.
    const { replayHistory } = await import('../replay/history.ts');
    return replayHistory(run, { file: opts.historyFile ?? null, save: opts.saveHistories ?? null, json });
  }
  if (opts.regenerate) return regenerate(run, { sample: opts.sample ?? null, servers: opts.servers ?? null, json });
  if (opts.rescore || opts.rejudge !== undefined) return replayAnew(run, { judge: opts.rejudge ?? null, json });
  return replayRecords(await openLooking(), run, { against: opts.against ?? null, json });
}
