// The nights of a schedule, as the store knows them.
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { NightVerdict } from '../../domain/nights/night.ts';
import { findRun } from '../run/documents.ts';
import { judgeTestSchema } from '../run/judge-tests.ts';
import { documentText, latestIn, listRuns, putNumbered, type Shape } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { folderOf } from './experiment.ts';

/** `verdict`: null while there is none. */
export type Night = { run: string; nominal: string; verdict: NightVerdict | null };

const verdictSchema = z.looseObject({
  format: z.literal(1),
  schedule: z.string(),
  nominal: z.string(),
  run: z.string(),
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'broken']),
  problem: z.string().nullable(),
  baseline: z.array(z.string()),
  cells: z.array(z.looseObject({ verdict: z.enum(['pass', 'fail', 'inconclusive']) })),
  self_test: judgeTestSchema.optional(),
});

const verdictShape: Shape<NightVerdict> = {
  what: 'what came of a night',
  holds: (value): value is NightVerdict => verdictSchema.safeParse(value).success,
  advice: 'Restore it from a copy of the store, or have the night judged again: uturn schedule trigger.',
};

const atOnce = 16;

/** By their nominal times, the earliest first; also those that could not even be planned, and so never became a run. */
export async function nightsOf(store: Store, schedule: string): Promise<Night[]> {
  const limit = pLimit(atOnce);
  const all = <T>(names: string[], read: (run: string) => Promise<T | null>) =>
    Promise.all(names.map((run) => limit(() => read(run))));
  const judged = (await store.list(`${folderOf(schedule)}verdicts/`)).map((name) => name.slice(0, -1));
  const begun = (await listRuns(store)).filter((run) => run.startsWith(`${schedule}-`) && !judged.includes(run));
  const nights = [
    ...(await all(judged, (run) => judgedNight(store, { schedule, run }))),
    ...(await all(begun, (run) => openNight(store, { schedule, run }))),
  ];
  return nights.filter((night) => night !== null).sort((a, b) => (a.nominal < b.nominal ? -1 : 1));
}

type Named = { schedule: string; run: string };

async function judgedNight(store: Store, at: Named): Promise<Night | null> {
  const verdict = await readVerdict(store, at);
  return verdict === null ? null : { run: at.run, nominal: verdict.nominal, verdict };
}

async function openNight(store: Store, { schedule, run }: Named): Promise<Night | null> {
  const night = (await findRun(store, run))?.night;
  return night?.schedule === schedule ? { run, nominal: night.nominal, verdict: null } : null;
}

/** The last verdict on a night, or null where there is none. @throws ConfigProblem  it is damaged */
export async function readVerdict(store: Store, at: Named): Promise<NightVerdict | null> {
  return (await latestIn(store, verdictFolder(at), verdictShape))?.value ?? null;
}

/** Writes a verdict down; the same again changes nothing, another one is the next. */
export async function putVerdict(store: Store, verdict: NightVerdict): Promise<void> {
  const folder = verdictFolder(verdict);
  const last = await latestIn(store, folder, verdictShape);
  if (last !== null && isDeepStrictEqual(last.value, JSON.parse(documentText(verdict)))) return;
  await putNumbered(store, folder, { n: (last?.n ?? -1) + 1, value: verdict });
}

function verdictFolder({ schedule, run }: Named): string {
  return `${folderOf(schedule)}verdicts/${run}/`;
}
