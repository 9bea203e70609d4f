// `uturn up` and `uturn down`: what runs on this machine, kept between commands.
import type { Command } from 'commander';
import { openHome } from '../../local/home.ts';
import { listServices, stopService } from '../../local/services.ts';
import { ensureTemporal } from '../../local/temporal.ts';
import { columns } from '../columns.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { ensureWorker } from '../session.ts';

export function upCommand(program: Command): void {
  program
    .command('up')
    .summary('start Temporal and a worker, and leave them running')
    .description(
      'Starts what runs need on this machine and leaves it up: commands then join it, and runs go on without one.',
    )
    .option('--ui', 'serve Temporal’s web page too')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ uturn up\n  $ uturn up --ui')
    .action(async (opts: { ui?: true; json?: true }) => {
      const home = await openHome(process.env);
      const temporal = await ensureTemporal(home, {
        keep: 'up',
        report: say,
        ...(opts.ui && { ui: 'served' as const }),
      });
      await ensureWorker(home, { keep: 'up', report: say });
      const { address, namespace, kind, ui } = temporal;
      if (opts.json)
        process.stdout.write(
          `${JSON.stringify({ temporal: { kind, address, namespace, ui }, worker: 'up', home: home.dir })}\n`,
        );
      else {
        const rows = [
          ['Temporal', `${address} (${kind === 'local' ? 'this home’s own' : 'from the environment'})`],
          ...(ui === null ? [] : [['web page', ui]]),
          ['worker', 'polling'],
          ['home', home.dir],
        ];
        process.stdout.write(columns(['what', 'where'], rows));
      }
      process.exitCode = exit.ok;
    });
}

export function downCommand(program: Command): void {
  program
    .command('down')
    .summary('stop everything that runs for this home')
    .description(
      'Stops the worker (what it has in flight ends first), model servers and Temporal. Nothing that was completed is lost.',
    )
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn down')
    .action(async (opts: { json?: true }) => {
      const home = await openHome(process.env);
      const alive = (await listServices(home)).filter((service) => service.alive);
      const rank = (name: string) => (name === 'worker' ? 0 : name === 'temporal' ? 2 : 1);
      const stopped: { name: string; how: string }[] = [];
      for (const { name } of alive.toSorted((a, b) => rank(a.name) - rank(b.name))) {
        if (name === 'worker') say('stopping the worker: what is in flight ends first');
        stopped.push({ name, how: await stopService(home, name, { graceMs: name === 'worker' ? 600_000 : 15_000 }) });
      }
      if (opts.json) process.stdout.write(`${JSON.stringify({ stopped })}\n`);
      else if (stopped.length === 0) say('Nothing was running.');
      else
        process.stdout.write(
          columns(
            ['service', 'end'],
            stopped.map(({ name, how }) => [name, how]),
          ),
        );
      process.exitCode = exit.ok;
    });
}
