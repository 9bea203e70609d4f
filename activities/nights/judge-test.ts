// A night's judge tried before its models: asked of turns whose labels are known, each time anew.
import { frozenTurns } from '../../domain/nights/frozen-turns.ts';
import {
  driftOf,
  type FrozenVerdict,
  type JudgeFinding,
  type JudgeLimits,
  type JudgeTest,
  judgeFinding,
  usualLimits,
} from '../../domain/nights/judge-test.ts';
import type { NightOrder } from '../../domain/nights/night.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Judgement, Usage } from '../../domain/records/record.ts';
import { addUsage } from '../../domain/records/usage.ts';
import { judgeTurn } from '../judge/judge.ts';
import type { Judge, Judges } from '../judge/judges.ts';
import { readRun } from '../run/documents.ts';
import { judgeTests, putJudgeTest } from '../run/judge-tests.ts';
import type { Made } from '../shard/work.ts';
import { getPlan } from '../store/plans.ts';
import type { Store } from '../store/store.ts';
import { nightsOf } from './read.ts';

type Deps = { store: Store; judges: Judges };
type Of = { order: Pick<NightOrder, 'schedule' | 'self_test'>; run: string; signal: AbortSignal };

/**
 * Asks the run's judge, if it has one that is a model, and writes down what it said, also where it drifted.
 * @throws ConfigProblem  it does not judge as is known, or as it did on the first night
 * @throws WorldProblem   its server is away (retried)
 */
export async function testJudge({ store, judges }: Deps, { order, run, signal }: Of): Promise<void> {
  const { llm } = (await getPlan(store, (await readRun(store, run)).plan)).judge;
  if (llm === undefined) return;
  const asked = await askAll(await judges.open(run, llm), signal);
  const finding = judgeFinding(asked, await firstOf(store, order.schedule));
  await putJudgeTest(store, run, finding);
  checkJudge(finding, order.self_test ?? usualLimits);
}

/** What was said last, or null where no judge was tried. */
export async function lastJudgeTest(store: Store, run: string): Promise<JudgeFinding | null> {
  return (await judgeTests(store, run)).at(-1) ?? null;
}

async function askAll(judge: Judge, signal: AbortSignal): Promise<JudgeTest> {
  const made = await Promise.all(
    frozenTurns.map((frozen) =>
      judge.limit(async () => {
        const { id, q, a, u } = frozen;
        const turn = { text: a, finish: 'given' as const, ids: null, prompt: null, tokens: 0, seed: null };
        const at = { condition: 'self-test', item: id, sample: 0 };
        return { frozen, made: await judgeTurn({ rules: null, model: judge }, { q, a: turn, u }, { at, signal }) };
      }),
    ),
  );
  return {
    judge: judge.planned.model,
    turns: made.map((one): FrozenVerdict => {
      return { turn: one.frozen.id, known: one.frozen.label, ...saidIn(one.made) };
    }),
    requests: made.reduce((sum, one) => sum + one.made.requests, 0),
    usage: made.map((one) => one.made.usage ?? null).reduce(sumOf),
  };
}

function saidIn(made: Made<Judgement>): Pick<FrozenVerdict, 'said' | 'error'> {
  if ('error' in made) return { said: null, error: made.error.message };
  const { label, genuine } = made.body;
  return { said: label === null || genuine === null ? null : { label, genuine } };
}

function sumOf(a: Usage | null, b: Usage | null): Usage | null {
  return a === null || b === null ? null : addUsage(a, b);
}

/** The first night of the schedule that was not broken: held against the night before, a judge could drift step by step. */
async function firstOf(store: Store, schedule: string) {
  for (const { run, verdict } of await nightsOf(store, schedule))
    if (verdict !== null && verdict.verdict !== 'broken' && verdict.self_test)
      return { run, turns: verdict.self_test.turns };
  return null;
}

function checkJudge(finding: JudgeFinding, limits: JudgeLimits): void {
  const drift = driftOf(finding, limits);
  if (drift === null) return;
  throw new ConfigProblem(`what measures does not measure as it did: ${drift}`, {
    advice:
      'No model was measured. Look whether the judge is another one now; where it is as good as it gets, say so in self_test, and where it was changed on purpose, give the schedule another name.',
  });
}
