// The nights of a schedule, as the store knows them.
import pLimit from 'p-limit';
import { z } from 'zod';
import type { NightVerdict } from '../../domain/nights/night.ts';
import { findRun } from '../run/documents.ts';
import { latest, listRuns, putVersion, type Shape } from '../store/runs.ts';
import type { Store } from '../store/store.ts';

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
});

const verdictShape: Shape<NightVerdict> = {
  what: 'what came of a night',
  holds: (value): value is NightVerdict => verdictSchema.safeParse(value).success,
  advice: 'Restore it from a copy of the store, or have the night judged again: uturn schedule trigger.',
};

const atOnce = 16;

/** By their nominal times, the earliest first. */
export async function nightsOf(store: Store, schedule: string): Promise<Night[]> {
  const limit = pLimit(atOnce);
  const names = (await listRuns(store)).filter((run) => run.startsWith(`${schedule}-`));
  const nights = await Promise.all(names.map((run) => limit(() => nightOf(store, { schedule, run }))));
  return nights.filter((night) => night !== null).sort((a, b) => (a.nominal < b.nominal ? -1 : 1));
}

async function nightOf(store: Store, { schedule, run }: { schedule: string; run: string }): Promise<Night | null> {
  const verdict = await readVerdict(store, run);
  // One that could not even be planned has no document but its verdict.
  const known = (await findRun(store, run))?.night ?? verdict;
  return known?.schedule === schedule ? { run, nominal: known.nominal, verdict } : null;
}

/** The last verdict on a night, or null where there is none. @throws ConfigProblem  it is damaged */
export async function readVerdict(store: Store, run: string): Promise<NightVerdict | null> {
  return (await latest(store, { run, name: 'verdicts' }, verdictShape))?.value ?? null;
}

/** Writes a verdict down; the same again changes nothing, another one is the next. */
export async function putVerdict(store: Store, verdict: NightVerdict): Promise<void> {
  const last = await latest(store, { run: verdict.run, name: 'verdicts' }, verdictShape);
  if (last !== null && JSON.stringify(last.value) === JSON.stringify(verdict)) return;
  await putVersion(store, verdict.run, { name: 'verdicts', n: (last?.n ?? -1) + 1, value: verdict });
}
