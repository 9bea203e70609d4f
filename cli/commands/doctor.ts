// `uturn doctor`: what is missing on this machine, and how to get it.
import type { Command } from 'commander';
import { openStore } from '../../activities/store/open.ts';
import { doctor } from '../../local/doctor.ts';
import { homePaths } from '../../local/home.ts';
import { columns } from '../columns.ts';
import { exit } from '../exit.ts';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('tell what is missing here and how to get it')
    .description('Checks what uturn needs on this machine. Changes nothing but the store’s folder, which it opens.')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn doctor')
    .action(async (opts: { json?: true }) => {
      const uri = process.env['UTURN_STORE'] || homePaths(process.env).store;
      const checks = await doctor({ store: { uri, open: () => openStore(uri) } });
      if (opts.json) process.stdout.write(`${JSON.stringify({ checks })}\n`);
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
