// `uturn up` and `uturn down`: what runs on this machine, kept between commands.

import type { Command } from 'commander';
import { jsonLine } from '../../domain/records/json-line.ts';
import { openHome } from '../../local/home.ts';
import { letGo, type Stopped, stopAll } from '../../local/services.ts';
import { ensureTemporal } from '../../local/temporal.ts';
import { joinHome } from '../../local/users.ts';
import { columns } from '../columns.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { ensureWorker, openReading } from '../session.ts';

type Options = { json?: true };

export function upCommand(program: Command): void {
  program
    .command('up')
    .summary('start Temporal and a worker, and leave them running')
    .description(
      'Starts what runs need on this machine and leaves it up: commands then join it, and runs go on without one.\n' +
        'A Temporal that the environment names is used in place of one of this home’s own.',
    )
    .option('--ui', 'serve Temporal’s web page too')
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExamples:\n  $ uturn up\n  $ uturn up --ui')
    .action(async (opts: Options & { ui?: true }) => {
      const { home, store } = await openReading();
      const temporal = await ensureTemporal(home, {
        keep: 'up',
        report: say,
        ...(opts.ui && { ui: 'served' as const }),
      });
      await ensureWorker(home, { keep: 'up', store: store.uri, report: say });
      const { address, namespace, kind, ui } = temporal;
      const seen = { temporal: { kind, address, namespace, ui }, worker: 'up', home: home.dir };
      const rows = [
        ['Temporal', `${address} (${kind === 'local' ? 'this home’s own' : 'from the environment'})`],
        ...(ui === null ? [] : [['web page', ui]]),
        ['worker', 'polling'],
        ['home', home.dir],
      ];
      process.stdout.write(opts.json ? `${jsonLine(seen)}\n` : columns(['what', 'where'], rows));
      say('They stay until: uturn down');
    });
}

export function downCommand(program: Command): void {
  program
    .command('down')
    .summary('stop everything that runs for this home')
    .description(
      'Stops the worker (what it has in flight ends first), model servers and Temporal. Nothing that was completed is lost.\n' +
        'While other commands are at work here, what runs is theirs: it then stops with the last of them (exit code 3).',
    )
    .option('--json', 'print one JSON object on stdout')
    .addHelpText('after', '\nExample:\n  $ uturn down')
    .action(async (opts: Options) => {
      process.exitCode = await down(opts);
    });
}

/** Nobody can join while it stops things: a command that comes meanwhile starts afresh. */
async function down(opts: Options): Promise<number> {
  const home = await openHome(process.env);
  const member = await joinHome(home);
  let stopped: Stopped[] = [];
  const begin = (name: string) => say(`stopping ${name}${name === 'worker' ? ': what is in flight ends first' : ''}`);
  const outcome = await member.leave(async () => {
    stopped = await stopAll(home, { begin });
  });
  const left = outcome === 'others' ? await letGo(home) : [];
  if (opts.json) process.stdout.write(`${jsonLine({ stopped, left })}\n`);
  else if (stopped.length > 0)
    process.stdout.write(
      columns(
        ['service', 'end'],
        stopped.map(({ name, how }) => [name, how]),
      ),
    );
  else if (left.length === 0) say('Nothing was running.');
  if (left.length > 0) say(`Other commands are at work here; ${left.join(', ')} will stop with the last of them.`);
  return left.length > 0 ? exit.unfinished : exit.ok;
}
