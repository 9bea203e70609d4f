// The run that a night is: planned when it comes, and known by its nominal time.
import { type NightOrder, nightRun, type OpenedNight } from '../../domain/nights/night.ts';
import { selfTest } from '../../domain/nights/self-test.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { todays } from '../../domain/plan/semantics.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Home } from '../../local/home.ts';
import type { Judges } from '../judge/judges.ts';
import { begunWith } from '../planning/begin.ts';
import { planExperiment } from '../planning/plan.ts';
import { begunExecutions, findRun, readEnding } from '../run/documents.ts';
import { hasItsParts } from '../run/whole.ts';
import { createDoc } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { getExperiment } from './experiment.ts';
import { testJudge } from './judge-test.ts';

export type NightDeps = { home: Home; store: Store; judges: Judges; uturn: string; report(line: string): void };

type Opening = { order: NightOrder; nominal: string; signal: AbortSignal };

/**
 * Makes the night's run, or finds it: a night that is begun again is the same one. `execution` is null where it is complete.
 * @throws ConfigProblem  the experiment cannot be planned any more, or what measures does not measure as it did
 * @throws WorldProblem   a model's or the judge's server is away (retried)
 */
export async function openNight(deps: NightDeps, { order, nominal, signal }: Opening): Promise<OpenedNight> {
  const run = nightRun(order.schedule, nominal);
  if ((await findRun(deps.store, run)) === null)
    await createDoc(deps.store, run, 'run.json', await planned(deps, order, { run, nominal }));
  const ending = await readEnding(deps.store, run);
  if (ending?.end.state === 'complete' && (await hasItsParts(deps.store, run))) return { execution: null };
  checkHarness();
  await testJudge(deps, { order, run, signal });
  return { execution: (await begunExecutions(deps.store, run)) + 1 };
}

async function planned(
  deps: NightDeps,
  order: NightOrder,
  { run, nominal }: { run: string; nominal: string },
): Promise<RunDoc> {
  const { file, text: digest } = order.experiment;
  const text = await getExperiment(deps.store, order.schedule, digest);
  const found = await planExperiment({ file, text }, { ...deps, limit: null });
  return {
    format: 1,
    run,
    name: order.schedule,
    tags: ['night'],
    occasion: run,
    anew: true,
    semantics: todays,
    night: { schedule: order.schedule, nominal },
    ...(await begunWith(deps.store, found, { config: { file, text }, uturn: deps.uturn })),
  };
}

/** Before it measures a model it measures itself: a drift here is no model's. */
function checkHarness(): void {
  const found = selfTest();
  if (found.length === 0) return;
  throw new ConfigProblem(`what measures does not measure as it did: ${found.slice(0, 3).join('; ')}`, {
    advice: 'Nothing was asked of a model. Compare the installed uturn with the one of the last good night.',
  });
}
