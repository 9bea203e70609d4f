// What a night's run says of the model, held against the nights before it.
import type { NightOrder, NightVerdict } from '../../domain/nights/night.ts';
import { type CellRates, together } from '../../domain/nights/rates.ts';
import { regression } from '../../domain/nights/regression.ts';
import { ConfigProblem, sentence } from '../../domain/problems.ts';
import { readEnding, readRun } from '../run/documents.ts';
import { getPlan } from '../store/plans.ts';
import type { Store } from '../store/store.ts';
import { lastJudgeTest } from './judge-test.ts';
import { nightsOf } from './read.ts';

/** Every cell of a run, item by item. */
export type Rates = (store: Store, run: string) => Promise<CellRates[]>;

export type Judged = { order: NightOrder; run: string; nominal: string; problem: string | null };

/** A night whose run failed, or was left unfinished, is `broken`: that says nothing of the model. */
export async function judgedNight(store: Store, rates: Rates, at: Judged): Promise<NightVerdict> {
  const { order, run, nominal } = at;
  const tried = await lastJudgeTest(store, run);
  const known = {
    format: 1 as const,
    schedule: order.schedule,
    nominal,
    run,
    gate: order.gate,
    ...(tried !== null && { self_test: tried }),
  };
  const broken = (problem: string, baseline: string[] = []): NightVerdict => ({
    ...known,
    verdict: 'broken',
    problem,
    baseline,
    cells: [],
  });
  if (at.problem !== null) return broken(at.problem);
  const ending = await readEnding(store, run);
  if (ending?.end.state !== 'complete') return broken(whyNot(ending?.end ?? null));
  const baseline = await baselineOf(store, at);
  try {
    const { seed } = await getPlan(store, (await readRun(store, run)).plan);
    const before = await Promise.all(baseline.map((one) => rates(store, one)));
    const found = regression(await rates(store, run), { baseline: together(before), gate: order.gate, seed });
    return { ...known, ...found, problem: null, baseline };
  } catch (problem) {
    if (!(problem instanceof ConfigProblem)) throw problem;
    return broken(sentence(problem), baseline);
  }
}

function whyNot(end: { state: string; problems: string[] } | null): string {
  if (end === null) return 'the run has not ended';
  return [`the run ended ${end.state}`, ...end.problems].join(': ');
}

/** A night that failed is in no baseline: the drop that it found would become what is usual. */
async function baselineOf(store: Store, { order, nominal }: Judged): Promise<string[]> {
  const { run, pinned, nights } = order.baseline;
  if (run !== null) return [run];
  if (pinned) return pinned;
  const before = (await nightsOf(store, order.schedule)).filter(
    (night) =>
      night.nominal < nominal && (night.verdict?.verdict === 'pass' || night.verdict?.verdict === 'inconclusive'),
  );
  return before.slice(-(nights ?? 1)).map((night) => night.run);
}
