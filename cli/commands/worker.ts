// `uturn worker`: one worker in the foreground, for clusters.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { releaseEarly } from '../early.ts';
import { exit } from '../exit.ts';
import { inHome } from '../session.ts';

type Options = { role: string; store?: string; deployment?: string; build?: string };

export function workerCommand(program: Command): void {
  program
    .command('worker')
    .summary('serve the queues from this machine')
    .description(
      'Runs a worker in the foreground. Ctrl-C lets what is in flight end; a second one stops at once.\n\n' +
        'Several machines share their work through two things: one Temporal (TEMPORAL_ADDRESS or a profile), whose queues\n' +
        'uturn-control, uturn-inference and uturn-gpu all workers poll, and one store (--store or UTURN_STORE, a bucket\n' +
        'or a folder that all of them see). Start as many workers as you like, and runs with --no-worker. One that is killed loses what\n' +
        'was in flight there and nothing else: another takes its shards over.\n\n' +
        'A gpu worker serves models of configs that say `serve:`, UTURN_ENGINES at once (default 1), at UTURN_ADVERTISE\n' +
        '(default 127.0.0.1, which only workers on the same machine reach).',
    )
    .addOption(
      new Option(
        '--role <role>',
        'control: workflows, judging, scoring; inference: calls to model servers; gpu: vLLM servers; local: all',
      )
        .choices(['control', 'inference', 'gpu', 'local'])
        .default('local'),
    )
    .option('--store <store>', 'store to use (default: UTURN_STORE, else the home’s)')
    .option(
      '--deployment <name>',
      'with control and inference: poll as a version of this deployment, and runs stay with the version they began with (default: TEMPORAL_DEPLOYMENT_NAME, else no version)',
    )
    .option('--build <id>', 'which version (default: TEMPORAL_WORKER_BUILD_ID, else made from the code)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ export TEMPORAL_ADDRESS=temporal.lab:7233 UTURN_STORE=s3://bucket/uturn\n' +
        '  $ uturn worker --role control                 # on one machine or two\n' +
        '  $ uturn worker --role inference               # on as many as there are\n' +
        '  $ UTURN_ADVERTISE=10.0.0.7 uturn worker --role gpu   # where GPUs and vLLM are\n' +
        '  $ uturn worker --role control --deployment uturn   # runs end on the version they began with\n' +
        '  $ uturn run sweep.yaml --no-worker',
    )
    .action(async (opts: Options) => {
      // Signed on, so that a command that leaves does not stop the Temporal this worker polls.
      process.exitCode = await inHome(() => work(opts));
    });
}

async function work({ role, ...given }: Options): Promise<number> {
  const entry = ['../../workers/main.ts', '../../workers/main.js']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync);
  const further = (['store', 'deployment', 'build'] as const).flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  const args = [entry ?? '', '--role', role, ...further];
  // In a group of its own: Ctrl-C in a terminal would reach it twice, and the second time means at once.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  releaseEarly();
  const pass = () => void child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  const [code]: (number | null)[] = await once(child, 'exit');
  return code ?? exit.interrupted;
}
