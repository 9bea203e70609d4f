// `uturn list`: the runs in a store.

import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import { readEnding, readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { listRuns } from '../../activities/store/runs.ts';
import type { Store } from '../../activities/store/store.ts';
import { plannedSamples } from '../../domain/plan/outline.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { grouped } from '../../report/numbers.ts';
import { columns } from '../columns.ts';
import { say } from '../finish.ts';
import { glancing } from '../glance.ts';
import { tags } from '../options.ts';
import { printAll } from '../output.ts';
import { isUsed, openReading } from '../session.ts';
import { isHeldByBudget, type ViewState, viewRun } from '../view.ts';
import { minute } from '../words.ts';

type Options = { tag: string[]; json?: true };

/** `state` is `damaged` where what the store holds of the run cannot be read; then numbers are null. */
type Row = {
  run: string;
  state: ViewState | 'damaged';
  /** There only where nobody has paused a run that is paused. */
  paused_by?: 'budget';
  name: string;
  tags: string[];
  created: string | null;
  /** User turns asked for. */
  samples: number | null;
  /** Samples that ended in an error so far. */
  errors: number | null;
};

export function listCommand(program: Command): void {
  program
    .command('list')
    .summary('list the runs in the store')
    .description(
      'Lists the runs in the store, newest first. Starts nothing: how a run stands comes from a Temporal that is up, or from the store.',
    )
    .option('--tag <tag>', 'only runs with this tag; may be given several times', tags, [])
    .option('--json', 'print one JSON object per run and line')
    .addHelpText('after', '\nExamples:\n  $ uturn list\n  $ uturn list --tag trial --json | jq -r .run')
    .action(async (opts: Options) => {
      const rows = isUsed() ? await everyRun() : [];
      const shown = rows.filter(({ tags }) => opts.tag.every((tag) => tags.includes(tag)));
      if (opts.json) return printAll(shown.map((row) => `${jsonLine(row)}\n`));
      if (shown.length === 0)
        return say(rows.length === 0 ? 'There is no run yet: uturn run <config>' : 'No run has these tags.');
      return printAll([table(shown)]);
    });
}

async function everyRun(): Promise<Row[]> {
  const { home, store } = await openReading();
  return glancing(home, (client) => allRows(store, client));
}

async function allRows(store: Store, client: Client | null): Promise<Row[]> {
  const rows: Row[] = [];
  for (const run of await listRuns(store))
    rows.push(await rowOf(store, run, client).catch((error) => damaged(run, error)));
  return rows.toSorted((a, b) => (b.created ?? '').localeCompare(a.created ?? '') || a.run.localeCompare(b.run));
}

async function rowOf(store: Store, run: string, client: Client | null): Promise<Row> {
  const doc = await readRun(store, run);
  const plan = await getPlan(store, doc.plan);
  const models = plan.models.map(({ id }) => id);
  const view = await viewRun({ client, store }, run, models).catch(() => viewRun({ client: null, store }, run, models));
  const ending = view.end === null ? null : await readEnding(store, run);
  const tallies = view.campaigns.flatMap(({ tally }) => Object.values(tally));
  return {
    run,
    state: view.state,
    ...(isHeldByBudget(view) && { paused_by: 'budget' as const }),
    name: doc.name,
    tags: doc.tags,
    created: doc.created,
    samples: plannedSamples(plan),
    errors: ending?.end.errors ?? tallies.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** One broken run must not hide the others. */
function damaged(run: string, error: unknown): Row {
  if (!(error instanceof ConfigProblem)) throw error;
  return { run, state: 'damaged', name: '', tags: [], created: null, samples: null, errors: null };
}

function table(rows: Row[]): string {
  return columns(
    ['run', 'state', 'name', 'tags', 'begun', 'samples', 'errors'],
    rows.map(({ run, state, paused_by, name, tags, created, samples, errors }) => [
      run,
      paused_by === undefined ? state : `${state} (${paused_by})`,
      name,
      tags.join(' '),
      created === null ? '–' : minute(created),
      samples === null ? '–' : grouped(samples),
      errors === null ? '–' : grouped(errors),
    ]),
    ['left', 'left', 'left', 'left', 'left', 'right', 'right'],
  );
}
