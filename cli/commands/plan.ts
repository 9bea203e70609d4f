// `uturn plan`: what a config would do, before anything runs.

import type { Command } from 'commander';
import { planExperiment } from '../../activities/planning/plan.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { readConfig } from '../config.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { count, runName } from '../options.ts';
import { preview } from '../preview.ts';
import { previewText } from '../preview-text.ts';
import { inHome, type Reading } from '../session.ts';

type Options = { limit?: number; name?: string; json?: true };

export function planCommand(program: Command): void {
  program
    .command('plan')
    .argument('<config>', 'experiment file (YAML)')
    .summary('show what an experiment would do, and what it takes')
    .description(
      'Reads the data, asks the models what they are, and shows cells, calls, stage keys, what the store holds\n' +
        'already, and an estimate of tokens, money (from `prices` in the config) and time. Generates nothing.',
    )
    .option('--limit <n>', 'take only the first n items of each data set', count)
    .option('--name <name>', 'name of the run (default: the config’s name)', runName)
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn plan configs/quickstart.yaml\n  $ uturn plan sweep.yaml --limit 100 --json | jq .total',
    )
    .action(async (config: string, opts: Options) => {
      process.exitCode = await inHome((reading) => show(reading, config, opts));
    });
}

async function show(reading: Reading, file: string, opts: Options): Promise<number> {
  const found = await planExperiment(await readConfig(file), { ...reading, report: say, limit: opts.limit ?? null });
  const seen = await preview(reading, found, { name: opts.name ?? null, report: say });
  process.stdout.write(opts.json ? `${jsonLine(seen)}\n` : previewText(seen));
  return exit.ok;
}
