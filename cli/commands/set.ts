// `uturn set`: how hard a run drives its servers, from now on.
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { readConcurrency, saveConcurrency, setSince, timesSet } from '../../activities/run/concurrency.ts';
import { readRun } from '../../activities/run/documents.ts';
import { names } from '../../domain/plan/boundary.ts';
import { type Concurrency, withWord } from '../../domain/plan/concurrency.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { until } from '../../local/until.ts';
import { concurrencyText } from '../concurrency-text.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { temporalThatIsUp } from '../glance.ts';
import { atOnce, checkModels, perModel } from '../models.ts';
import { inHome, openLooking, type Reading, type Session, withTemporal } from '../session.ts';
import { statusOf } from '../view.ts';

type Options = { concurrency: Record<string, number>; judgeConcurrency?: number; json?: true };

const patienceMs = 30_000;

export function setCommand(program: Command): void {
  program
    .command('set')
    .argument('<run>', 'run to change')
    .summary('change how hard a run drives its servers')
    .description(
      'Sets how many requests of a run may be in flight at once. Workers of an open run heed it within seconds; what is in flight\n' +
        'comes to its end. It stays set for the run, and decides nothing about results.',
    )
    .option('--concurrency <model=n>', 'requests in flight at a model; may be given several times', perModel, {})
    .option('--judge-concurrency <n>', 'questions in flight at a judge that is a model', atOnce)
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn set sweep-3f9a2c1b --concurrency qwen-27b=16\n  $ uturn set sweep-3f9a2c1b --judge-concurrency 4',
    )
    .action(async (run: string, opts: Options) => {
      process.exitCode = await inHome((reading) => set(reading, run, opts), openLooking);
    });
}

async function set(reading: Reading, run: string, opts: Options): Promise<number> {
  const doc = await readRun(reading.store, run);
  const word = wordOf(doc, opts);
  const before = await readConcurrency(reading.store, doc);
  if (!isDeepStrictEqual(before, withWord(before, word))) await give(reading, { run, word, doc });
  const now = await readConcurrency(reading.store, doc);
  if (opts.json) process.stdout.write(`${jsonLine({ run, concurrency: now })}\n`);
  else say(`${run}, requests in flight at most: ${concurrencyText(now)}`);
  return exit.ok;
}

/** @throws ConfigProblem  it says nothing, or is about a model or a judge that the run does not have */
function wordOf({ run, engines, judge }: RunDoc, opts: Options): Concurrency {
  const known = Object.keys(engines);
  const named = Object.keys(opts.concurrency);
  if (named.length === 0 && opts.judgeConcurrency === undefined)
    throw new ConfigProblem('there is nothing to set', { advice: `Say what: --concurrency ${known[0] ?? 'model'}=8` });
  checkModels(run, { wanted: named, known });
  if (opts.judgeConcurrency !== undefined && judge === undefined)
    throw new ConfigProblem(`no model judges in ${run}`, { advice: 'Leave --judge-concurrency out.' });
  return {
    models: opts.concurrency,
    ...(opts.judgeConcurrency !== undefined && { judge: opts.judgeConcurrency }),
  };
}

type Given = { run: string; word: Concurrency; doc: RunDoc };

/** An open run writes it down itself, and tells its campaigns; of any other it is written down for the next time. */
async function give(reading: Reading, given: Given): Promise<void> {
  const write = () => saveConcurrency(reading.store, given.run, given.word);
  if ((await temporalThatIsUp(reading.home)) === null) return write();
  await withTemporal(reading, { keep: 'run', worker: 'elsewhere', report: say }, async (session) => {
    if ((await statusOf(session.client, given.run)) === 'RUNNING') await tell(session, given);
    else await write();
  });
}

async function tell({ client, store }: Session, { run, word, doc }: Given): Promise<void> {
  const before = await timesSet(store, run);
  await client.workflow.getHandle(run).signal(names.concurrency, word);
  // Somebody else may set something at the same time: what counts is that this word was heard.
  const says = (set: Concurrency) => isDeepStrictEqual(withWord(set, word), set);
  const isWritten = async () =>
    says(await readConcurrency(store, doc)) || (await setSince(store, run, before)).some(says);
  if (await until(isWritten, patienceMs, { everyMs: 250 })) return;
  const after = `${patienceMs / 1000} s`;
  throw new WorldProblem(
    'timeout',
    `${run} was told, but no worker has taken it up after ${after}; see whether one is up: uturn status ${run}`,
  );
}
