// `uturn data`: which data sets a config of this home may name, and whether they are still what they were.

import type { Command } from 'commander';
import {
  addData,
  listData,
  type RegisteredData,
  starterData,
  type Verified,
  verifyData,
} from '../../activities/data/registry.ts';
import { sentence } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { openHome } from '../../local/home.ts';
import { terminalSafe } from '../../report/escape.ts';
import { columns } from '../columns.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';

type Options = { json?: true };

export function dataCommand(program: Command): void {
  const data = program
    .command('data')
    .summary('list, register and verify data sets')
    .description(
      'Data sets that configs of this home may name: the one that comes with uturn, and those registered here.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn data add gsm8k test.jsonl\n  $ uturn data list\n  $ uturn data verify gsm8k',
    );
  list(data);
  add(data);
  verify(data);
}

function list(data: Command): void {
  data
    .command('list')
    .summary('list the data sets')
    .description('Lists the data sets that a config may name.')
    .option('--json', 'print a JSON list')
    .addHelpText('after', '\nExample:\n  $ uturn data list')
    .action(async (opts: Options) => {
      const sets = [await starterData(), ...(await listData(await openHome()))];
      print(opts, sets, () => table(sets));
    });
}

function add(data: Command): void {
  data
    .command('add')
    .argument('<name>', 'name that configs will use')
    .argument('<file>', 'data file, plain or gzip')
    .summary('register a data file under a name')
    .description(
      'Reads a data file whole, checks every line and registers it with its checksum.\n' +
        'A set with the name of a format (gsm8k) is read as that format, any other as jsonl. A name that is taken is taken over.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn data add gsm8k test.jsonl\n  $ uturn data add my-questions questions.jsonl.gz',
    )
    .action(async (name: string, file: string, opts: Options) => {
      const added = await addData(name, file, { home: await openHome(), report: say });
      print(opts, added, () => table([added]));
      say(`A config names it with: data: [{ set: ${added.name} }]`);
    });
}

function verify(data: Command): void {
  data
    .command('verify')
    .argument('[name]', 'set to verify (default: all)')
    .summary('read data sets again and compare their checksums')
    .description(
      'Reads every registered file again: it must be there, have its checksum, and hold items. Exit code 2 where one does not.',
    )
    .option('--json', 'print a JSON list')
    .addHelpText('after', '\nExamples:\n  $ uturn data verify\n  $ uturn data verify gsm8k')
    .action(async (name: string | undefined, opts: Options) => {
      const verified =
        name === 'starter' ? [{ ...(await starterData()), problem: null }] : await verifyData(await openHome(), name);
      const shown = verified.map(({ problem, ...set }) => ({ ...set, problem: problem && sentence(problem) }));
      print(opts, shown, () => verifiedTable(verified));
      if (verified.length === 0) say('No data set is registered here: uturn data add <name> <file>');
      for (const { problem } of verified) if (problem !== null) say(terminalSafe(sentence(problem)));
      process.exitCode = verified.every(({ problem }) => problem === null) ? exit.ok : exit.problem;
    });
}

function print(opts: Options, value: unknown, text: () => string): void {
  process.stdout.write(opts.json ? `${jsonLine(value)}\n` : text());
}

function table(sets: RegisteredData[]): string {
  const rows = sets.map(({ name, adapter, count, sha256, path }) => [
    name,
    adapter,
    String(count),
    sha256.slice(0, 12),
    path,
  ]);
  return columns(['name', 'format', 'items', 'sha256', 'file'], rows, ['left', 'left', 'right']);
}

function verifiedTable(sets: Verified[]): string {
  const rows = sets.map(({ name, count, sha256, problem }) => [
    name,
    String(count),
    sha256.slice(0, 12),
    stateOf(name, problem),
  ]);
  return columns(['name', 'items', 'sha256', 'state'], rows, ['left', 'right']);
}

function stateOf(name: string, problem: Verified['problem']): string {
  if (name === 'starter') return 'comes with uturn';
  return problem === null ? 'as registered' : 'not usable';
}
