// `uturn doctor`: what is missing on this machine, and how to get it.

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { openStore } from '../../activities/store/open.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { doctor } from '../../local/doctor.ts';
import { homePaths } from '../../local/home.ts';
import { columns } from '../columns.ts';
import { exit } from '../exit.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('tell what is missing here and how to get it')
    .description(
      'Looks at what uturn needs on this machine and changes nothing. Exit code 2 where something is missing.',
    )
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn doctor')
    .action(async (opts: { json?: true }) => {
      const checks = await doctor({ store: storeInUse() });
      if (opts.json) process.stdout.write(`${jsonLine({ checks })}\n`);
      else {
        process.stdout.write(
          columns(
            ['', 'what', 'found'],
            checks.map(({ ok, name, found }) => [ok ? 'ok' : 'MISSING', name, found]),
          ),
        );
        for (const { name, fix } of checks.filter((check) => !check.ok)) process.stdout.write(`\n${name}: ${fix}\n`);
      }
      process.exitCode = checks.every((check) => check.ok) ? exit.ok : exit.problem;
    });
}

/** The home's own store may not be there yet: it is made on first use, and not by looking. */
function storeInUse(): { uri: string; open(): Promise<unknown> } {
  const given = process.env['UTURN_STORE'];
  const own = homePaths(process.env).store;
  if (given) return { uri: given, open: () => openStore(given) };
  return { uri: own, open: async () => (existsSync(own) ? openStore(own) : null) };
}
