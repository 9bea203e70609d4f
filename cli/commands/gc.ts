// `uturn gc`: what no run refers to, and away with it.
import type { Command } from 'commander';
import { type Amount, type Garbage, garbageIn, sweep } from '../../activities/run/gc.ts';
import { referencesIn } from '../../activities/run/references.ts';
import { listRuns } from '../../activities/store/runs.ts';
import { sweepable } from '../../activities/store/sweepable.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { othersPresent } from '../../local/users.ts';
import { columns } from '../columns.ts';
import { say } from '../finish.ts';
import { glancing } from '../glance.ts';
import { hours } from '../options.ts';
import { openLooking, type Reading } from '../session.ts';
import { statusOf } from '../view.ts';
import { counted, megabytes, secondsText } from '../words.ts';

type Options = { delete?: true; olderThan: number; json?: true };

/** A run that writes more seldom waits for something, and is open in Temporal. */
const quietMs = 10 * 60_000;

export function gcCommand(program: Command): void {
  program
    .command('gc')
    .summary('drop what no run refers to')
    .description(
      'Says which parts, segments, plans and blobs of the store no run refers to, and how much they are. Deletes them with --delete,\n' +
        'where no run is open and nothing is being written. What any run ever pinned stays, and of a run that is not complete everything.',
    )
    .option('--delete', 'delete them; without it nothing is changed')
    .option('--older-than <hours>', 'keep what was written later, whether a run refers to it or not', hours, 24)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExamples:\n  $ uturn gc\n  $ uturn gc --delete --older-than 168')
    .action(async (opts: Options) => gc(await openLooking(), opts));
}

async function gc(at: Reading, opts: Options): Promise<void> {
  const { store } = at;
  if (opts.delete) await checkNobody(at);
  const objects = await sweepable(store);
  const references = await referencesIn(store);
  const before = Date.now() - opts.olderThan * 3_600_000;
  const garbage = await garbageIn(objects, references, before);
  if (opts.delete) checkQuiet(garbage);
  const deleted = opts.delete ? await sweep({ store, objects }, garbage.paths, { report: say }) : 0;
  const { paths: _, newest: __, ...told } = garbage;
  if (opts.json) {
    const { unfinished } = references;
    process.stdout.write(
      `${jsonLine({ store: store.uri, ...told, unfinished, older_than_hours: opts.olderThan, deleted })}\n`,
    );
    return;
  }
  process.stdout.write(table(garbage));
  if (garbage.young.objects > 0)
    say(
      `${counted(garbage.young.objects, 'object')} of those kept no run refers to: younger than ${opts.olderThan} h.`,
    );
  if (references.unfinished.length > 0)
    say(`Not complete, so all they may go on with is kept: ${references.unfinished.join(', ')}`);
  say(
    opts.delete
      ? `${counted(deleted, 'object')} deleted.`
      : 'Nothing was deleted. To delete what is to go: uturn gc --delete',
  );
}

/** @throws ConfigProblem  a run is open, or another command may be about to begin one */
async function checkNobody({ home, store }: Reading): Promise<void> {
  if (await othersPresent(home))
    throw new ConfigProblem('another uturn is at work in this home, and may begin a run', {
      advice: 'Wait until it has ended, then again: uturn gc --delete',
    });
  await glancing(home, async (client) => {
    if (client === null) return;
    for (const run of await listRuns(store)) {
      const status = await statusOf(client, run);
      if (status === 'RUNNING')
        throw new ConfigProblem(`${run} is open, and may take up what no run refers to yet`, {
          advice: `Wait for its end (uturn watch ${run}), or end it (uturn cancel ${run}).`,
        });
    }
  });
}

/** @throws ConfigProblem  records were written a moment ago, perhaps from another machine */
function checkQuiet({ newest }: Garbage): void {
  const sinceMs = Date.now() - (newest ?? 0);
  if (sinceMs > quietMs) return;
  throw new ConfigProblem(
    `a record was written ${secondsText(Math.max(0, sinceMs) / 1_000)} ago: a run may be at work`,
    {
      advice: `Wait until nothing has been written for ${secondsText(quietMs / 1_000)}, then again: uturn gc --delete`,
    },
  );
}

function table({ kept, dropped }: Garbage): string {
  const rows = Object.entries(kept).map(([kind, amount]) => [
    kind,
    ...amountText(amount),
    ...amountText(Object.entries(dropped).find(([name]) => name === kind)?.[1]),
  ]);
  return columns(['', 'kept', '', 'to go', ''], rows, ['left', 'right', 'right', 'right', 'right']);
}

function amountText({ objects, bytes }: Amount = { objects: 0, bytes: 0 }): string[] {
  return [String(objects), megabytes(bytes)];
}
