// `uturn compare`: two runs beside each other.
import type { Command } from 'commander';
import { jsonLine } from '../../domain/records/json-line.ts';
import { usualGate, type Verdict } from '../../domain/stats/verdict.ts';
import { type Compared, compareRuns } from '../../report/compare.ts';
import { type ToldFlip, toldFlips } from '../../report/compare-flips.ts';
import { comparisonText, flipsText } from '../compare-text.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { share } from '../options.ts';
import { printAll } from '../output.ts';
import { openLooking, type Reading } from '../session.ts';
import { checkNothingWithheld } from '../withheld.ts';

type Options = {
  items?: true;
  common?: true;
  failIfWorse?: true;
  atLeast: number;
  alpha: number;
  power: number;
  json?: true;
};

export function compareCommand(program: Command): void {
  program
    .command('compare')
    .argument('<before>', 'run to compare with')
    .argument('<after>', 'run that is compared')
    .summary('compare two runs, cell by cell and item by item')
    .description(
      'Compares answers and user turns of two runs on the same items: what changed, how sure it is, which samples flipped, and what the\n' +
        'plans ask differently. Cells are matched by the ids of model and data set, and by temperature. Needs no Temporal.',
    )
    .option('--items', 'list the samples that flipped, with what was said on both sides')
    .option('--common', 'compare the items that are the same in both, where others are not')
    .option('--fail-if-worse', 'show verdicts; exit code 3 where a cell fails')
    .option('--at-least <share>', 'smallest drop that matters', share, usualGate.at_least)
    .option(
      '--alpha <share>',
      'false alarms that are put up with; intervals have the level 1 − alpha',
      share,
      usualGate.alpha,
    )
    .option('--power <share>', 'chance of being found that a detectable drop has', share, usualGate.power)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ uturn compare quickstart-3f9a2c1b quickstart-9be01d77\n' +
        '  $ uturn compare quickstart-3f9a2c1b quickstart-9be01d77 --items | less\n' +
        '  $ uturn compare quickstart-3f9a2c1b quickstart-9be01d77 --fail-if-worse --at-least 0.03',
    )
    .action(async (before: string, after: string, opts: Options) => {
      process.exitCode = await compare(await openLooking(), { before, after }, opts);
    });
}

async function compare(
  { store }: Reading,
  runs: { before: string; after: string },
  { atLeast, alpha, power, ...opts }: Options,
): Promise<number> {
  for (const run of [runs.before, runs.after]) await checkNothingWithheld(store, run, 'records');
  const gate = { alpha, power, at_least: atLeast };
  const compared = await compareRuns(store, runs, { gate, items: opts.common ? 'common' : 'all' });
  const flips = opts.items ? toldFlips(store, compared.sides, compared.flips) : nothing();
  if (opts.json) await printAll([await json(compared, flips, opts)]);
  else {
    const verdicts = opts.failIfWorse ? 'shown' : 'hidden';
    await printAll(comparisonText(compared.comparison, { width: process.stdout.columns || 100, verdicts }));
    await printAll(flipsText(flips));
  }
  return opts.failIfWorse ? sayVerdict(compared.comparison.verdict) : exit.ok;
}

async function* nothing(): AsyncGenerator<ToldFlip> {}

async function json({ comparison }: Compared, told: AsyncIterable<ToldFlip>, { items }: Pick<Options, 'items'>) {
  const flips: ToldFlip[] = [];
  for await (const flip of told) flips.push(flip);
  return `${jsonLine({ ...comparison, ...(items && { flips }) })}\n`;
}

function sayVerdict(verdict: Verdict): number {
  say(`\nVerdict: ${verdict}`);
  return verdict === 'fail' ? exit.unfinished : exit.ok;
}
