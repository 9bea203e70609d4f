// Starting a run, or returning to the one there is.
import { basename } from 'node:path';
import { type Connection, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { begunExecutions, findRun, readEnding, readRun } from '../activities/run/documents.ts';
import { checkSources, hasItsParts } from '../activities/run/whole.ts';
import { getPlan } from '../activities/store/plans.ts';
import { createDoc, listRuns } from '../activities/store/runs.ts';
import type { Store } from '../activities/store/store.ts';
import { campaignId, queues, type RunInput } from '../domain/plan/boundary.ts';
import type { Budget } from '../domain/plan/budget.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { searchNames } from '../domain/plan/search.ts';
import { isOfToday, type Semantics, todays } from '../domain/plan/semantics.ts';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import { knowsSearchAttributes } from '../local/search.ts';
import { until } from '../local/until.ts';
import type { Session } from './session.ts';
import { statusOf } from './view.ts';

/** Where runs are begun, and where they are written down. */
export type Runs = Pick<Session, 'client' | 'store'>;

export type NewRun = Omit<RunDoc, 'run' | 'occasion' | 'format'>;

/** `found`: it had ended with nothing left to do. `ended`: however it ended, nobody asked for more. `joined`: it is running. `resumed`: it goes on where it stopped. */
export type Started = {
  doc: RunDoc;
  how: 'new' | 'found' | 'ended' | 'joined' | 'resumed';
  /** Of what was started now: whether Temporal can find it by its attributes. */
  searchable?: boolean;
};

/** The last run of this name and plan goes on (or is simply returned when complete); `again: 'always'` makes another. */
export async function startRun(session: Runs, wanted: NewRun, opts: Again): Promise<Started> {
  const { run, occasion, semantics, there } = await placeOf(session.store, wanted, opts);
  if (there) return resumeRun(session, run);
  const created = await createRun(session.store, {
    format: 1,
    run,
    occasion: opts.occasion ?? occasion,
    semantics,
    ...wanted,
  });
  // What says what it was started with may have been lost, and the rest of it not.
  const execution = (await begunExecutions(session.store, run)) + 1;
  return { ...created, ...(await startExecution(session, created.doc, { run, execution })) };
}

/** `occasion`: of a run that it belongs to under another name. */
type Again = { again: 'when changed' | 'always'; occasion?: string };

/** The run that a plan belongs to, `there` or still to be made, and whose measurements count as its own. */
export async function placeOf(
  store: Store,
  wanted: Pick<NewRun, 'name' | 'plan'>,
  opts: Again,
): Promise<{ run: string; occasion: string; semantics: Semantics; there: boolean }> {
  const base = baseName(wanted);
  const runs = await listRuns(store);
  const last = newest(runs, base);
  const doc = last === null ? null : await findRun(store, last);
  if (last !== null && doc !== null && opts.again === 'when changed' && isOfToday(doc)) {
    return { run: last, occasion: doc.occasion, semantics: todays, there: true };
  }
  // A folder that does not hold its document yet is another command's, which begins the same run at this moment.
  const run = last === null ? base : doc === null ? last : `${base}-${ordinal(last, base) + 1}`;
  return { run, occasion: await occasionFor(store, { runs, wanted, opts, run }), semantics: todays, there: false };
}

/** The last run of this name and plan, if it is complete and has all its parts. */
export async function completeRun(store: Store, wanted: Pick<NewRun, 'name' | 'plan'>): Promise<RunDoc | null> {
  const doc = await lastRun(store, wanted);
  return doc !== null && (await isComplete(store, doc)) ? doc : null;
}

export async function lastRun(store: Store, wanted: Pick<NewRun, 'name' | 'plan'>): Promise<RunDoc | null> {
  const last = newest(await listRuns(store), baseName(wanted));
  return last === null ? null : findRun(store, last);
}

/** Whether nothing is left to do, by today's rules, and all its parts are there. */
export async function isComplete(store: Store, doc: RunDoc): Promise<boolean> {
  const isDone = isOfToday(doc) && (await readEnding(store, doc.run))?.end.state === 'complete';
  return isDone && (await hasItsParts(store, doc.run));
}

/** Goes on with a run: joins it, returns it when complete, else starts its next execution under the same id. What is
 * missing of a complete one is made again. */
export async function resumeRun(
  session: Runs,
  run: string,
  opts: { errors: 'keep' | 'retry'; budget?: Budget } = { errors: 'keep' },
): Promise<Started> {
  const doc = await readRun(session.store, run);
  if ((await statusOf(session.client, run)) === 'RUNNING') return { doc, how: 'joined' };
  const ending = await readEnding(session.store, run);
  const done = ending?.end.state === 'complete' && (opts.errors === 'keep' || ending.summary.totals.errors === 0);
  if (done && (await hasItsParts(session.store, run))) return { doc, how: 'found' };
  checkVersions(doc);
  await checkSources(session.store, await getPlan(session.store, doc.plan));
  const execution = (await begunExecutions(session.store, run)) + 1;
  const input = { run, execution, ...(opts.budget && { budget: opts.budget }) };
  return { doc, how: 'resumed', ...(await startExecution(session, doc, input)) };
}

/** Records that mean something else must not stand beside those that are there. @throws ConfigProblem */
function checkVersions(doc: RunDoc): void {
  if (isOfToday(doc)) return;
  throw new ConfigProblem(`${doc.run} was begun by a uturn that scored, judged or asked otherwise (${doc.uturn})`, {
    advice:
      'What it has stays as it is. Go on with that version, or run its config again with this one: what still means the same is shared.',
  });
}

/** Two commands may start the same run at the same moment: the one that comes second joins. */
async function createRun(store: Store, doc: RunDoc): Promise<Started> {
  try {
    await createDoc(store, doc.run, 'run.json', doc);
    return { doc, how: 'new' };
  } catch (problem) {
    const there = await readRun(store, doc.run);
    if (there.plan !== doc.plan) throw problem;
    return { doc: there, how: 'joined' };
  }
}

async function startExecution(session: Runs, doc: RunDoc, input: RunInput): Promise<Pick<Started, 'searchable'>> {
  const { client, store } = session;
  await leftovers(session, input.run);
  const { connection, options } = client;
  const searchable = (await knowsSearchAttributes(connection as Connection, options.namespace)) === true;
  const attributes = [{ key: defineSearchAttributeKey(searchNames.run, 'KEYWORD'), value: input.run }];
  await client.workflow.start('sweep', {
    taskQueue: queues.control,
    workflowId: input.run,
    args: [{ ...input, searchable }],
    ...(searchable && { typedSearchAttributes: attributes }),
    ...describedAs(doc, await getPlan(store, doc.plan)),
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
  return { searchable };
}

/** What Temporal's page says of a run: names and counts, no texts. */
function describedAs({ name, tags, plan, config }: RunDoc, { models, data, temperatures }: Plan) {
  const file = basename(config.file);
  return {
    staticSummary: [name, ...(tags.length === 0 ? [] : [tags.join(' ')]), file].join(' · ').slice(0, 180),
    staticDetails: [
      `config ${file}, plan ${plan.slice(0, 8)}`,
      `models: ${models.map(({ id }) => id).join(', ')}`,
      `data: ${data.map(({ id }) => id).join(', ')}`,
      `temperatures: ${temperatures.join(', ')}`,
    ].join('\n\n'),
  };
}

/** Campaigns of a run that was ended from outside take a moment to end too; the next execution needs their names. */
async function leftovers({ client, store }: Runs, run: string): Promise<void> {
  const { models } = await getPlan(store, (await readRun(store, run)).plan);
  const isOver = async () => {
    const states = await Promise.all(models.map(({ id }) => statusOf(client, campaignId(run, id))));
    return !states.includes('RUNNING') || (await statusOf(client, run)) === 'RUNNING';
  };
  if (await until(isOver, leftoverPatienceMs, { everyMs: 250 })) return;
  throw new WorldProblem('timeout', `${run} was ended from outside, and what it had begun is still ending; try again`);
}

const leftoverPatienceMs = 60_000;

/**
 * A model known only by its address belongs to the run that first measured it. A changed config of the same
 * name extends that run; `again: 'always'` measures anew.
 */
async function occasionFor(
  store: Store,
  at: { runs: string[]; wanted: Pick<NewRun, 'name'>; opts: Again; run: string },
): Promise<string> {
  if (at.opts.again === 'always') return at.run;
  const docs = await Promise.all(
    at.runs.filter((run) => run.startsWith(`${at.wanted.name}-`)).map((run) => readRun(store, run).catch(() => null)),
  );
  const earlier = docs
    .flatMap((doc) => (doc?.name === at.wanted.name && doc.anew === undefined ? [doc] : []))
    .sort((a, b) => a.created.localeCompare(b.created))
    .at(-1);
  return earlier?.occasion ?? at.run;
}

function baseName(wanted: Pick<NewRun, 'name' | 'plan'>): string {
  return `${wanted.name}-${wanted.plan.slice(0, 8)}`;
}

function newest(runs: string[], base: string): string | null {
  const same = runs.filter(
    (run) => run === base || (run.startsWith(`${base}-`) && /^\d+$/.test(run.slice(base.length + 1))),
  );
  return same.sort((a, b) => ordinal(a, base) - ordinal(b, base)).at(-1) ?? null;
}

function ordinal(run: string, base: string): number {
  return run === base ? 1 : Number(run.slice(base.length + 1));
}
