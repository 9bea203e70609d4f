// `uturn records`: what a run wrote down, for eyes or for a script.

import type { Command } from 'commander';
import { readEnding, readRun } from '../../activities/run/documents.ts';
import { errorCode } from '../../activities/store/disk.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { type Label, labels, type Outcome, type Stage, stages } from '../../domain/records/record.ts';
import { nearest } from '../../domain/spec/nearest.ts';
import { type ListingOptions, listing } from '../../report/listing.ts';
import { writeParquet } from '../../report/parquet.ts';
import { itemsOf } from '../../report/pinned.ts';
import { type PlacedRecord, type RunOf, recordsOf } from '../../report/records.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { oneOf, position, temperature } from '../options.ts';
import { printAll } from '../output.ts';
import { notWritten } from '../report-file.ts';
import { openLooking } from '../session.ts';
import { counted } from '../words.ts';

type Options = {
  stage?: Stage;
  model?: string;
  data?: string;
  temperature?: number;
  item?: string;
  sample?: number;
  status?: 'ok' | 'error';
  label?: Label | 'undecided';
  outcome?: Outcome;
  text?: true;
  showPrivate?: true;
  format?: 'parquet';
  out?: string;
  json?: true;
};

const outcomes: Outcome[] = ['right', 'wrong', 'unscored', 'truncated', 'error'];

export function recordsCommand(program: Command): void {
  program
    .command('records')
    .argument('<run>', 'run whose records to print')
    .summary('print the records of a run')
    .description(
      'Prints the records a run goes by: one per item, sample and stage. Options narrow them;\n' +
        '--label and --outcome choose samples by their judgement and score, whatever --stage shows of them.',
    )
    .option('--stage <stage>', `only this stage: ${stages.join(', ')}`, oneOf('stage', stages))
    .option('--model <id>', 'only this model')
    .option('--data <id>', 'only this data set')
    .option('--temperature <t>', 'only this temperature', temperature)
    .option('--item <id>', 'only this item')
    .option('--sample <n>', 'only this sample, counted from 0', position)
    .option('--status <status>', 'only records that are: ok, error', oneOf('status', ['ok', 'error'] as const))
    .option(
      '--label <label>',
      'only samples whose user turn was judged so; `undecided` is one too',
      oneOf('label', [...labels, 'undecided'] as const),
    )
    .option('--outcome <outcome>', `only samples whose answer was: ${outcomes.join(', ')}`, oneOf('outcome', outcomes))
    .option('--text', 'print whole texts, not only how they start')
    .option('--show-private', 'show texts of private data too, on this screen')
    .option('--format <format>', 'write a file for notebooks: parquet', oneOf('format', ['parquet'] as const))
    .option('--out <file>', 'the file that --format writes')
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ uturn records quickstart-3f9a2c1b --text | less\n' +
        '  $ uturn records quickstart-3f9a2c1b --stage user_turn --label new_task_prompt\n' +
        '  $ uturn records quickstart-3f9a2c1b --stage user_turn --json | jq -r .result.body.text\n' +
        '  $ uturn records quickstart-3f9a2c1b --format parquet --out quickstart.parquet',
    )
    .action(async (run: string, opts: Options) => {
      process.exitCode = await records(run, opts);
    });
}

async function records(run: string, opts: Options): Promise<number> {
  const { store } = await openLooking();
  const doc = await readRun(store, run);
  const at = { store, doc, plan: await getPlan(store, doc.plan) };
  await checkNames(at, opts);
  checkOutput(opts);
  const found = watched(recordsOf(at, opts, { privateTexts: opts.showPrivate ? 'shown' : 'withheld' }));
  if (opts.out !== undefined) await writeFileOf(found.records, opts.out);
  else await printAll(opts.json ? jsonLines(found.records) : listing(found.records, layout(opts, at.plan)));
  if (found.count() === 0) say('No record is like that.');
  if (found.withheld() > 0) say('Texts of private data are withheld; on your own screen: --show-private');
  if ((await readEnding(store, run)) === null)
    say(`${run} has not ended: these are the records of the shards it has finished.`);
  return exit.ok;
}

/** @throws ConfigProblem  options that do not go together */
function checkOutput({ showPrivate, json, format, out }: Options): void {
  const exported = json ? '--json' : format === undefined ? null : '--format';
  if (showPrivate && exported !== null) {
    throw new ConfigProblem(`--show-private and ${exported}: private texts are not exported`, {
      advice: `Read them without ${exported}.`,
    });
  }
  if ((format === undefined) !== (out === undefined)) {
    throw new ConfigProblem('--format and --out go together', { advice: 'Give both: --format parquet --out <file>' });
  }
  if (format !== undefined && json) {
    throw new ConfigProblem('--format writes a file and --json prints', { advice: 'Give one of them.' });
  }
}

async function writeFileOf(records: AsyncIterable<PlacedRecord>, file: string): Promise<void> {
  try {
    const count = await writeParquet(records, file);
    say(`${file}: ${counted(count, 'record')}.`);
  } catch (cause) {
    throw errorCode(cause) === '' ? cause : notWritten(file, cause);
  }
}

function layout({ text }: Options, { samples }: Plan): ListingOptions {
  return { width: process.stdout.columns || 100, texts: text ? 'whole' : 'start', samples };
}

async function* jsonLines(records: AsyncIterable<PlacedRecord>): AsyncGenerator<string> {
  for await (const { record, ...place } of records) {
    yield `${jsonLine({ ...place, ...record })}\n`;
  }
}

function watched(records: AsyncIterable<PlacedRecord>) {
  let count = 0;
  let withheld = 0;
  async function* counting() {
    for await (const record of records) {
      count += 1;
      if (record.private) withheld += 1;
      yield record;
    }
  }
  return { records: counting(), count: () => count, withheld: () => withheld };
}

/** Names that the plan does not hold would print nothing, as if nothing had been found. @throws ConfigProblem */
async function checkNames(at: RunOf, opts: Options): Promise<void> {
  const { plan } = at;
  check(
    'model',
    opts.model,
    plan.models.map((model) => model.id),
  );
  check(
    'data set',
    opts.data,
    plan.data.map((data) => data.id),
  );
  check('temperature', opts.temperature?.toString(), plan.temperatures.map(String));
  if (opts.sample !== undefined && opts.sample >= plan.samples) {
    const several = `${plan.samples} samples per item, counted from 0 to ${plan.samples - 1}.`;
    throw new ConfigProblem(`this run has no sample ${opts.sample}`, {
      advice: `It has ${plan.samples === 1 ? 'one sample per item, counted from 0.' : several}`,
    });
  }
  if (opts.item !== undefined) check('item', opts.item, await itemIds(at, plan, opts.data));
}

async function itemIds({ store, doc }: RunOf, plan: Plan, data: string | undefined): Promise<string[]> {
  const groups = outline(plan, doc)[0]?.groups ?? [];
  const asked = groups.filter((group) => data === undefined || group.data === data);
  const items = await Promise.all(asked.map((group) => itemsOf(store, plan, group)));
  return [...new Set(items.flat().map((item) => item.id))];
}

function check(what: string, given: string | undefined, known: string[]): void {
  if (given === undefined || known.includes(given)) return;
  const meant = nearest(given, known);
  const all =
    known.length <= 12
      ? `It has ${known.join(', ')}.`
      : `It has ${known.length}, such as ${known.slice(0, 3).join(', ')}.`;
  throw new ConfigProblem(`this run has no ${what} ${given}`, {
    advice: meant === null ? all : `Did you mean ${meant}? ${all}`,
  });
}
