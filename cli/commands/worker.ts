// `uturn worker`: one worker in the foreground, for clusters.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { exit } from '../exit.ts';

export function workerCommand(program: Command): void {
  program
    .command('worker')
    .summary('serve the queues from this machine')
    .description(
      'Runs a worker in the foreground until it is told to stop. Workers on several machines share one Temporal\n' +
        '(TEMPORAL_ADDRESS or a profile) and one store (UTURN_STORE, a folder that all of them see).',
    )
    .addOption(
      new Option(
        '--role <role>',
        'control: workflows, judging, scoring; inference: calls to model servers; local: both',
      )
        .choices(['control', 'inference', 'local'])
        .default('local'),
    )
    .option('--store <store>', 'store to use (default: UTURN_STORE, else the home’s)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ TEMPORAL_ADDRESS=temporal.lab:7233 UTURN_STORE=/data/uturn uturn worker --role inference\n  $ uturn worker',
    )
    .action(async (opts: { role: string; store?: string }) => {
      const entry = ['../../workers/main.ts', '../../workers/main.js']
        .map((path) => fileURLToPath(new URL(path, import.meta.url)))
        .find(existsSync);
      const args = [entry ?? '', '--role', opts.role, ...(opts.store === undefined ? [] : ['--store', opts.store])];
      const child = spawn(process.execPath, args, { stdio: 'inherit', detached: true });
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGTERM'));
      const [code] = (await once(child, 'exit')) as [number | null];
      process.exitCode = code ?? exit.failed;
    });
}
