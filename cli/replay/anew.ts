// `uturn replay --rescore` and `--rejudge`: new verdicts over the turns that a run has, as a run of their own.
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { promptText } from '../../activities/judge/prompt.ts';
import { findJudge } from '../../activities/planning/judge.ts';
import { reportPrivate } from '../../activities/planning/plan.ts';
import { readEnding, readRun } from '../../activities/run/documents.ts';
import { getPlan, putPlan } from '../../activities/store/plans.ts';
import type { JudgeLocation, RunPrices } from '../../domain/plan/judge.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { Replays, RunDoc } from '../../domain/plan/run-doc.ts';
import { type Semantics, semanticsOf, todays } from '../../domain/plan/semantics.ts';
import { ConfigProblem, placed, sentence } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { readJudge } from '../../domain/spec/read.ts';
import { version } from '../../local/version.ts';
import { type Changes, changesBetween } from '../../report/replay/changes.ts';
import { readConfig } from '../config.ts';
import { exit } from '../exit.ts';
import { finish, say } from '../finish.ts';
import { inHome, openLooking, type Reading, withTemporal } from '../session.ts';
import { completeRun, type NewRun, startRun } from '../start.ts';
import { checkNothingWithheld } from '../withheld.ts';
import { changesText } from './changes-text.ts';
import { troubled } from './troubled.ts';

/** `judge`: file that says who judges now; null where answers are scored anew. */
export type AnewOptions = { judge: string | null; json: boolean };

type Source = { doc: RunDoc; plan: Plan };

/** Generates nothing: the turns of the run, failures among them, are those of the new one. Returns the exit code. */
export async function replayAnew(run: string, opts: AnewOptions): Promise<number> {
  return inHome(async (reading) => {
    const source = await wholeRun(reading, run);
    const wanted = opts.judge === null ? rescored(source) : await rejudged(reading, source, opts.judge);
    if (wanted === null) return nothingNew(source, opts);
    const complete = await completeRun(reading.store, wanted);
    const print = (doc: RunDoc) => printChanges(reading, { source, doc, json: opts.json });
    if (complete !== null) return print(complete);
    return withTemporal(reading, { keep: 'run', worker: 'here', report: say }, async (session) => {
      const started = await startRun(session, wanted, { again: 'when changed', occasion: source.doc.occasion });
      return finish(session, started, {
        ...(opts.json && { json: true }),
        print: ({ end }) => troubled(end) ?? print(started.doc),
      });
    });
  }, openLooking);
}

/** @throws ConfigProblem  it has turns that are still to be made */
async function wholeRun({ store }: Reading, run: string): Promise<Source> {
  const doc = await readRun(store, run);
  const ending = await readEnding(store, run);
  if (ending === null || ending.summary.cells.some(({ state }) => state === 'pending'))
    throw new ConfigProblem(`${run} has not come to its end, and nothing is generated here`, {
      advice: `Go on with it first: uturn resume ${run}`,
    });
  await checkNothingWithheld(store, run, 'records');
  return { doc, plan: await getPlan(store, doc.plan) };
}

/** Null where the run was scored by today's rules already. */
function rescored({ doc }: Source): NewRun | null {
  const { accuracy, instructions } = todays;
  const semantics = { ...semanticsOf(doc), accuracy, instructions };
  return isDeepStrictEqual(semantics, semanticsOf(doc)) ? null : again(doc, { anew: 'scores', semantics });
}

/** Null where the run was judged by just this judge. */
async function rejudged({ store }: Reading, { doc, plan }: Source, file: string): Promise<NewRun | null> {
  const config = await readConfig(file);
  const read = readJudge(config.text, { file });
  if ('problems' in read) throw new ConfigProblem(read.problems.map(sentence).join('\n'));
  const { rules: given, llm } = read.judge;
  const { enabled, ...thresholds } = given;
  const blame = (error: unknown) => {
    throw placed(error, { file, line: read.lineOf(['judge', 'llm']), field: 'judge.llm' });
  };
  const found =
    llm === null
      ? null
      : await promptText(llm.prompt, { baseDir: dirname(resolve(file)) })
          .then((prompt) => findJudge(llm, { store, prompt }))
          .catch(blame);
  const judge: Plan['judge'] = { rules: enabled ? thresholds : null, ...(found !== null && { llm: found.planned }) };
  if (found !== null) reportPrivate(found.location, { data: plan.data, report: say });
  const semantics = { ...semanticsOf(doc), rules: todays.rules };
  if (isDeepStrictEqual(judge, plan.judge) && isDeepStrictEqual(semantics, semanticsOf(doc))) return null;
  const changed = { plan: await putPlan(store, { ...plan, judge }), judge: found?.location ?? null, config };
  return again(doc, { anew: 'judgements', semantics, ...changed, price: llm?.prices ?? null });
}

type Anew = {
  anew: Replays['anew'];
  semantics: Semantics;
  plan?: string;
  judge?: JudgeLocation | null;
  config?: RunDoc['config'];
  price?: RunPrices['judge'];
};

/** The run once more, under a name of its own: nobody who runs its config means this one. */
function again(doc: RunDoc, { anew, judge = doc.judge ?? null, price, ...changed }: Anew): NewRun {
  const { tags, plan, attempts, config, prices } = doc;
  return {
    tags,
    plan,
    attempts,
    config,
    ...changed,
    name: `${doc.run}-${anew === 'scores' ? 'rescored' : 'rejudged'}`,
    created: new Date().toISOString(),
    engines: {},
    ...(doc.anew && { anew: true as const }),
    ...(judge !== null && { judge }),
    ...(prices !== undefined && { prices: price === undefined ? prices : { ...prices, judge: price } }),
    uturn: version(),
    replays: { run: doc.run, anew },
  };
}

function nothingNew({ doc }: Source, { judge, json }: AnewOptions): number {
  const why = judge === null ? 'was scored by the rules of today' : `was judged by the judge of ${judge}`;
  if (json) process.stdout.write(`${jsonLine({ run: doc.run, anew: null, compared: 0, changed: [] })}\n`);
  else process.stdout.write(`${doc.run} ${why} already: nothing is made anew.\n`);
  return exit.ok;
}

async function printChanges(
  { store }: Reading,
  { source, doc, json }: { source: Source; doc: RunDoc; json: boolean },
): Promise<number> {
  const after = { doc, plan: await getPlan(store, doc.plan) };
  const changes: Changes = await changesBetween(store, source, after);
  if (json) process.stdout.write(`${jsonLine({ run: source.doc.run, anew: doc.run, ...changes })}\n`);
  else process.stdout.write(changesText({ run: source.doc.run, anew: doc.run, ...changes }));
  return exit.ok;
}
