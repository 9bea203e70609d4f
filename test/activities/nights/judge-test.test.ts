// A night's judge asked of frozen turns, on a real store and a judge that a test writes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { judges } from '../../../activities/judge/judges.ts';
import { promptText } from '../../../activities/judge/prompt.ts';
import { lastJudgeTest, testJudge } from '../../../activities/nights/judge-test.ts';
import { putVerdict } from '../../../activities/nights/read.ts';
import { spentBefore } from '../../../activities/run/budget.ts';
import { readRun } from '../../../activities/run/documents.ts';
import { putBlob } from '../../../activities/store/blobs.ts';
import { openStore } from '../../../activities/store/open.ts';
import { getPlan, putPlan } from '../../../activities/store/plans.ts';
import { createDoc } from '../../../activities/store/runs.ts';
import type { Store } from '../../../activities/store/store.ts';
import { frozenTurns } from '../../../domain/nights/frozen-turns.ts';
import type { NightVerdict, NightVerdictWord } from '../../../domain/nights/night.ts';
import { ConfigProblem, WorldProblem } from '../../../domain/problems.ts';
import { type FakeJudge, startFakeJudge } from '../../fakes/judge-server.ts';
import { knowing } from '../../nights/judging.ts';
import { item, written } from '../../report/written.ts';
import { temporaryFolder } from '../store/folder.ts';

let judge: FakeJudge;
beforeAll(async () => {
  judge = await startFakeJudge(knowing());
});
beforeEach(() => {
  judge.play(knowing());
  judge.reset();
});
afterAll(() => judge[Symbol.asyncDispose]());

async function opened() {
  const folder = await temporaryFolder();
  return { ...folder, store: await openStore(folder.path) };
}

/** A run that is a night and has a judge. */
async function night(store: Store, run: string, url = judge.url): Promise<string> {
  const like = await written(store, { name: 'like', items: [item('i')], story: () => ({}) });
  const doc = await readRun(store, like);
  const plan = await getPlan(store, doc.plan);
  const llm = {
    model: 'judge',
    identity: { url, served: 'judge' },
    prompt: await putBlob(store, await promptText(null, { baseDir: '.' })),
    replies: 1,
    temperature: 0,
    seed: 0,
    max_tokens: 300,
    reasoning_effort: null,
    response_format: 'json_schema' as const,
    extra_body: {},
  };
  const location = { url, served: 'judge', api_key_env: null, max_tokens_as: 'max_tokens' as const };
  await createDoc(store, run, 'run.json', {
    ...doc,
    run,
    plan: await putPlan(store, { ...plan, judge: { ...plan.judge, llm } }),
    night: { schedule: 'smoke', nominal: nominalOf(run) },
    judge: { ...location, concurrency: 4, timeout_s: 30 },
    prices: { models: {}, judge: { prompt: 10, completion: 100 } },
  });
  return run;
}

const nominalOf = (run: string) => `2026-03-0${run.at(-1)}T02:00:00.000Z`;

async function tried(store: Store, run: string): Promise<string | null> {
  const signal = new AbortController().signal;
  const at = { order: { schedule: 'smoke' }, run, signal };
  return testJudge({ store, judges: judges({ store }) }, at).then(
    () => null,
    (problem: unknown) => (problem instanceof ConfigProblem ? problem.message : Promise.reject(problem)),
  );
}

async function judged(store: Store, run: string, verdict: NightVerdictWord): Promise<void> {
  const self_test = await lastJudgeTest(store, run);
  const gate: NightVerdict['gate'] = { measures: ['accuracy'], alpha: 0.05, power: 0.8, at_least: 0.05 };
  const known = { format: 1 as const, schedule: 'smoke', nominal: nominalOf(run), run, gate, problem: null };
  await putVerdict(store, { ...known, verdict, baseline: [], cells: [], ...(self_test && { self_test }) });
}

test('the judge is asked what a run would ask it, anew each night, and what it took is spent', async () => {
  await using at = await opened();
  const first = await night(at.store, 'smoke-1');
  expect(await tried(at.store, first)).toBeNull();
  expect(
    judge
      .asked()
      .map(({ turn }) => turn)
      .sort(),
  ).toEqual(frozenTurns.map(({ u }) => u).sort());
  expect(judge.asked()[0]?.instructions).toMatch(/^You label one message of a conversation/);
  expect(await lastJudgeTest(at.store, first)).toMatchObject({ judge: 'judge', agreed: 24, of: 24, since: null });
  const doc = await readRun(at.store, first);
  expect(await spentBefore(at.store, doc, 1)).toEqual({ tokens: 24 * 120, usd: 0.072, gpu_hours: 0 });

  await judged(at.store, first, 'pass');
  const second = await night(at.store, 'smoke-2');
  expect(await tried(at.store, second)).toBeNull();
  expect(judge.asked()).toHaveLength(48);
  expect(await lastJudgeTest(at.store, second)).toMatchObject({ since: first, changed: 0 });
});

test('a judge that drifted is found out by what is known, with what it said written down', async () => {
  await using at = await opened();
  const run = await night(at.store, 'smoke-1');
  judge.play(knowing('plausible_followup'));
  expect(await tried(at.store, run)).toMatch(/^what measures does not .*the judge judge decides 12 of 24 frozen turns/);
  expect(await lastJudgeTest(at.store, run)).toMatchObject({ agreed: 12, of: 24 });
});

test('a night is held against the first one that was not broken', async () => {
  await using at = await opened();
  judge.play(knowing('other'));
  await tried(at.store, await night(at.store, 'smoke-1'));
  await judged(at.store, 'smoke-1', 'broken');
  judge.play(knowing({ 'tower-why': 'other', 'sum-why': 'other' }));
  expect(await tried(at.store, await night(at.store, 'smoke-2'))).toBeNull();
  await judged(at.store, 'smoke-2', 'inconclusive');
  judge.play(knowing({ 'bread-tried': 'other' }));
  expect(await tried(at.store, await night(at.store, 'smoke-3'))).toMatch(
    /decides 3 of 24 frozen turns otherwise than on smoke-2, and 2 is the most; otherwise than is known are bread-tried/,
  );
});

test('a judge that nobody reaches is the world’s trouble', async () => {
  await using at = await opened();
  const run = await night(at.store, 'smoke-1', 'http://127.0.0.1:9/v1');
  await expect(tried(at.store, run)).rejects.toThrow(WorldProblem);
  expect(await lastJudgeTest(at.store, run)).toBeNull();
});

test('a run without a model for a judge asks nobody', async () => {
  await using at = await opened();
  const run = await written(at.store, { name: 'plain', items: [item('i')], story: () => ({}) });
  expect(await tried(at.store, run)).toBeNull();
  expect([judge.asked(), await lastJudgeTest(at.store, run)]).toEqual([[], null]);
});
