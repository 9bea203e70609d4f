// `uturn report`: a run's table and page, made from its records alone.
import type { Command } from 'commander';
import { begunExecutions, endedExecutions, readEnding } from '../../activities/run/documents.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Summary } from '../../domain/summary.ts';
import { cellsCsv } from '../../report/csv.ts';
import { summarise } from '../../report/summarise.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { printResult, sayEnd } from '../print.ts';
import { writeOutput, writeReport } from '../report-file.ts';
import { openLooking, type Reading } from '../session.ts';
import { checkNothingWithheld } from '../withheld.ts';

type Options = { out?: string; html?: string; csv?: string; json?: true };

export function reportCommand(program: Command): void {
  program
    .command('report')
    .argument('<run>', 'run to report on')
    .summary('print a run’s table and write its page')
    .description(
      'Makes the table and the page of a run anew from its records. Needs no Temporal and no model server.\n' +
        'A run that has not ended is shown as far as it has come; the exit code is then 3.',
    )
    .option(
      '--out <folder>',
      'write everything there: report.html, report.md, cells.csv, and figures/ as SVG and Vega-Lite',
    )
    .option('--html <file>', 'write the page there (default: reports/<run>.html in .uturn/)')
    .option('--csv <file>', 'write the cells as CSV too; - prints them in place of the table')
    .option('--json', 'print one JSON object in place of the table')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ uturn report quickstart-3f9a2c1b\n' +
        '  $ uturn report quickstart-3f9a2c1b --out quickstart-report\n' +
        '  $ uturn report quickstart-3f9a2c1b --html sweep.html --csv sweep.csv\n' +
        '  $ uturn report quickstart-3f9a2c1b --csv - | column -s, -t',
    )
    .action(async (run: string, opts: Options) => {
      const empty = (['out', 'html', 'csv'] as const).find((name) => opts[name]?.trim() === '');
      if (empty !== undefined)
        throw new ConfigProblem(`--${empty} is empty`, { advice: 'Give it a path, or leave it out.' });
      if (opts.csv === '-' && opts.json) {
        throw new ConfigProblem('--csv - and --json would both print on standard output', {
          advice: 'Give --csv a file.',
        });
      }
      process.exitCode = await report(await openLooking(), run, opts);
    });
}

async function report(at: Reading, run: string, opts: Options): Promise<number> {
  await checkNothingWithheld(at.store, run, 'records');
  const summary = await summarise(at.store, run);
  const place = {
    ...(opts.out !== undefined && { folder: opts.out }),
    ...(opts.html !== undefined && { file: opts.html }),
  };
  const page = await writeReport(at, summary, place);
  if (opts.csv === '-') {
    process.stdout.write(cellsCsv(summary));
    say(`Report: ${page}`);
  } else {
    if (opts.csv !== undefined) say(`CSV: ${await writeOutput(opts.csv, cellsCsv(summary))}`);
    printResult({ summary, report: page }, { json: opts.json === true });
  }
  return sayWhereItStands(at, summary);
}

/** How the run ended, or that it has not; returns the exit code. */
async function sayWhereItStands({ store }: Reading, summary: Summary): Promise<number> {
  const { run } = summary;
  const ending = await readEnding(store, run);
  const resumed = (await begunExecutions(store, run)) > (await endedExecutions(store, run));
  if (ending !== null && !resumed) return sayEnd(ending.end, summary);
  const pending = summary.cells.filter((cell) => cell.state === 'pending').length;
  say(
    `\n${run} has not ended: ${pending} of ${summary.cells.length} cells are pending. Go on with it: uturn resume ${run}`,
  );
  return exit.unfinished;
}
