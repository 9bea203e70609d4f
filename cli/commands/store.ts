// `uturn store`: copy a store, look through it, bring it to this uturn's format.

import type { Command } from 'commander';
import { noMetrics } from '../../activities/metrics.ts';
import { verifyStore } from '../../activities/run/verify.ts';
import { migrate } from '../../activities/store/migrate.ts';
import { openStore } from '../../activities/store/open.ts';
import type { Store } from '../../activities/store/store.ts';
import { syncStores } from '../../activities/store/sync.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { homePaths } from '../../local/home.ts';
import { terminalSafe } from '../../report/escape.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { megabytes } from '../words.ts';

type Options = { json?: true };

export function storeCommand(program: Command): void {
  const store = program
    .command('store')
    .summary('copy, verify and migrate stores')
    .description(
      'What can be done with a whole store, in a folder or in a bucket. None of these replaces or deletes anything.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn store sync .uturn/store s3://bucket/results\n  $ uturn store verify\n  $ uturn store migrate',
    );
  sync(store);
  verify(store);
  migrateTo(store);
}

function sync(store: Command): void {
  store
    .command('sync')
    .argument('<from>', 'store to copy: a path, or a file: or s3: URI')
    .argument('<to>', 'store to copy it into; it is made where there is none')
    .summary('copy what another store lacks')
    .description(
      'Copies everything that <to> lacks, and reads it again there. Damaged objects are not copied, and what a run wrote differently in\n' +
        'both stores is left as it is; exit code 1 where there were such. May be broken off and begun again, and run beside runs.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn store sync .uturn/store s3://bucket/results\n  $ uturn store sync s3://bucket/results /data/copy',
    )
    .action(async (from: string, to: string, opts: Options) => {
      const stores = { from: await existing(from), to: await openStore(to) };
      const done = await syncStores(stores.from, stores.to, { report: say });
      for (const { path, why } of done.left) say(terminalSafe(`${stores.from.uri}/${path} was not copied: ${why}`));
      if (opts.json) process.stdout.write(`${jsonLine({ from: stores.from.uri, to: stores.to.uri, ...done })}\n`);
      else
        process.stdout.write(`${done.copied} objects copied (${megabytes(done.bytes)}), ${done.present} were there.\n`);
      process.exitCode = done.left.length === 0 ? exit.ok : exit.failed;
    });
}

function verify(store: Command): void {
  store
    .command('verify')
    .argument('[store]', 'store to look through (default: UTURN_STORE, else the home’s)')
    .summary('read a whole store and say what is missing or damaged')
    .description(
      'Reads every part, segment, blob, plan and document and compares it with its name, and every run with what it goes by.\n' +
        'Changes nothing. Exit code 1 where something is missing or damaged.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  $ uturn store verify\n  $ uturn store verify s3://bucket/results --json')
    .action(async (given: string | undefined, opts: Options) => {
      const opened = await existing(given ?? inUse());
      const verified = await verifyStore(opened, { report: say });
      if (opts.json) process.stdout.write(`${jsonLine({ store: opened.uri, ...verified })}\n`);
      else process.stdout.write(summary(verified));
      for (const { path, what, advice } of verified.found)
        say(terminalSafe(`${opened.uri}/${path} ${what}\n  ${advice}`));
      process.exitCode = verified.found.length === 0 ? exit.ok : exit.failed;
    });
}

function migrateTo(store: Command): void {
  store
    .command('migrate')
    .argument('[store]', 'store to migrate (default: UTURN_STORE, else the home’s)')
    .summary('bring a store to the format of this uturn')
    .description(
      'Brings a store that an older uturn made to the format of this one. It only adds, so older records stay as they are.\n' +
        'A store that a newer uturn made is refused. Today there is one format.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ uturn store migrate')
    .action(async (given: string | undefined, opts: Options) => {
      const opened = await openStore(given ?? inUse(), noMetrics, { older: 'take', missing: 'refuse' });
      const done = await migrate(opened, { report: say });
      if (opts.json) process.stdout.write(`${jsonLine({ store: opened.uri, ...done })}\n`);
      else if (done.steps.length === 0)
        process.stdout.write(`${opened.uri} has format ${done.to}, as this uturn: nothing to do.\n`);
      else process.stdout.write(`${opened.uri} was brought from format ${done.from} to ${done.to}.\n`);
    });
}

function existing(uri: string): Promise<Store> {
  return openStore(uri, noMetrics, { missing: 'refuse' });
}

function inUse(): string {
  return process.env['UTURN_STORE'] || homePaths().store;
}

function summary({ checked, runs, found }: Awaited<ReturnType<typeof verifyStore>>): string {
  const { parts, segments, blobs, plans } = checked;
  const counted = Object.entries({ runs, plans, blobs, parts, segments });
  const words = counted.map(([name, n]) => `${n} ${n === 1 ? name.slice(0, -1) : name}`);
  const read = `${words.slice(0, -1).join(', ')} and ${words.at(-1)} were read: `;
  return `${read}${found.length === 0 ? 'all is as it should be' : `${found.length} are missing or damaged`}.\n`;
}
