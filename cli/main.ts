// The `uturn` command.
import { Command, CommanderError } from 'commander';
import { ConfigProblem, sentence, WorldProblem } from '../domain/problems.ts';
import { version } from '../local/version.ts';
import { terminalSafe } from '../report/escape.ts';
import { exportCommand, importCommand } from './commands/archive.ts';
import { compareCommand } from './commands/compare.ts';
import { cancelCommand, pauseCommand } from './commands/control.ts';
import { dataCommand } from './commands/data.ts';
import { doctorCommand } from './commands/doctor.ts';
import { gcCommand } from './commands/gc.ts';
import { listCommand } from './commands/list.ts';
import { planCommand } from './commands/plan.ts';
import { recordsCommand } from './commands/records.ts';
import { replayCommand } from './commands/replay.ts';
import { reportCommand } from './commands/report.ts';
import { resumeCommand, watchCommand } from './commands/resume.ts';
import { runCommand } from './commands/run.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { downCommand, upCommand } from './commands/services.ts';
import { setCommand } from './commands/set.ts';
import { statusCommand } from './commands/status.ts';
import { storeCommand } from './commands/store.ts';
import { templateCommand } from './commands/template.ts';
import { workerCommand } from './commands/worker.ts';
import { exit } from './exit.ts';
import { allowEarlyEnd } from './output.ts';

const program = new Command('uturn')
  .description('Durable experiments on the user turn of language models.')
  .version(version())
  .option('--debug', 'show stacks and causes of errors')
  .showSuggestionAfterError()
  .showHelpAfterError('Try --help.')
  .exitOverride()
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 something in the run failed, 2 something must be changed first, 3 not finished or worse, 130 interrupted.',
  );

for (const add of [
  runCommand,
  planCommand,
  listCommand,
  statusCommand,
  resumeCommand,
  watchCommand,
  recordsCommand,
  reportCommand,
  compareCommand,
  replayCommand,
  exportCommand,
  importCommand,
  scheduleCommand,
  dataCommand,
  storeCommand,
  gcCommand,
  templateCommand,
  pauseCommand,
  cancelCommand,
  setCommand,
  upCommand,
  downCommand,
  workerCommand,
  doctorCommand,
])
  add(program);
allowEarlyEnd();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = told(error);
}
process.exit();

/** Says what went wrong in a sentence and returns the exit code. */
function told(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.problem;
  if (program.opts<{ debug?: true }>().debug) console.error(error);
  else if (error instanceof ConfigProblem) process.stderr.write(`${terminalSafe(sentence(error))}\n`);
  else if (error instanceof WorldProblem) process.stderr.write(`${terminalSafe(error.message)}\n`);
  else
    process.stderr.write(`${terminalSafe(String(error))}\n  This is unexpected; --debug shows where it comes from.\n`);
  return error instanceof WorldProblem ? exit.failed : exit.problem;
}
