// What one model takes, and the judge: tokens, money and time, cell by cell.
import type { Planned } from '../activities/planning/plan.ts';
import { getBlob } from '../activities/store/blobs.ts';
import { blockSize } from '../domain/plan/blocks.ts';
import { type Duration, durationOf } from '../domain/plan/duration.ts';
import { type Estimate, estimate, estimateJudging, together } from '../domain/plan/estimate.ts';
import { type Campaign, type Group, treeCount, woven } from '../domain/plan/graph.ts';
import { lanesFor } from '../domain/plan/lanes.ts';
import type { PlannedModel } from '../domain/plan/plan.ts';
import { ConfigProblem } from '../domain/problems.ts';
import type { Stage } from '../domain/records/record.ts';
import type { SeenAt } from './earlier.ts';
import { isJudging, type LookedStage } from './held.ts';
import { type CellLength, type Length, lengthAt, lengthOfAll, speedAt } from './lengths.ts';
import type { Reading } from './session.ts';
import { promptSizes, type Sizes } from './sizes.ts';

/** `at_once`: requests in flight. `timed_by`: requests in the store that say how fast they are; 0 where that is assumed. */
export type Timing = { time: Duration; at_once: number; timed_by: number };

/** `reasoning`: only where the answer is rendered anew before the user turn. */
export type PreviewModel = Estimate &
  Timing & {
    model: string;
    reasoning?: PlannedModel['reasoning'];
    answer: Length;
    user_turn: Length;
    prompts_by: Sizes['by'];
  };

/** A model that judges: a call for each judgement that is not there, though the rules decide some of them for nothing. */
export type PreviewJudge = Estimate & Timing & { judge: string; reply: Length };

/** `digest`: of its data's items. */
export type LookedCell = {
  model: string;
  data: string;
  digest: string;
  temperature: number;
  items: number;
  samples: number;
  stages: LookedStage[];
};

/** A cell with what is expected of it. */
export type SizedCell = LookedCell & { prompt: number; answer: CellLength; turn: CellLength };

/** A tree has a shard for each of its stages; a score or what people said, where there is none, changes little. */
function shardCount(cells: Group[]): number {
  return woven(cells).reduce((sum, group) => sum + treeCount([group]) * Math.max(4, group.stages.length), 0);
}

type Own = { campaign: Campaign; cells: LookedCell[]; seen: SeenAt[]; report(line: string): void };

export async function takenBy(
  at: Reading,
  { plan, spec, engines, items, judge }: Planned,
  own: Own,
): Promise<{ model: PreviewModel; cells: SizedCell[] }> {
  const id = own.campaign.model;
  const planned = named(plan.models, id);
  const location = engines[id];
  if (location === undefined) throw new ConfigProblem(`the plan does not say where ${id} is served`);
  const sizes = await promptSizes(planned, items, { ...at, location, report: own.report });
  const caps = plan.max_tokens;
  const cells = own.cells.map((cell): SizedCell => {
    const place = { data: cell.digest, temperature: cell.temperature };
    return {
      ...cell,
      prompt: sizes.get(cell.data)?.prompt ?? 0,
      answer: lengthAt(own.seen, { ...place, stage: 'assistant_turn' }, caps.assistant),
      turn: lengthAt(own.seen, { ...place, stage: 'user_turn' }, caps.user),
    };
  });
  const estimates = cells.flatMap((cell) => {
    const size = sizes.get(cell.data);
    if (size === undefined) return [];
    const work = { answers: callsOf(cell, 'assistant_turn'), turns: callsOf(cell, 'user_turn'), ...size };
    const expected = { assistant: cell.answer.tokens, user: cell.turn.tokens };
    return [estimate([work], { expected, caps, prices: named(spec.models, id).prices })];
  });
  const answers = cells.map((cell) => ({ length: cell.answer, calls: callsOf(cell, 'assistant_turn') }));
  const turns = cells.map((cell) => ({ length: cell.turn, calls: callsOf(cell, 'user_turn') }));
  const block = Math.max(...plan.data.map((data) => blockSize(data.count)));
  const lanes = lanesFor({ concurrency: location.concurrency, judging: judge?.concurrency ?? 0, block });
  const [answer, userTurn] = [lengthOfAll(answers), lengthOfAll(turns)];
  const fast = { assistant: speedAt(own.seen, 'assistant_turn'), user: speedAt(own.seen, 'user_turn') };
  const time = durationOf(
    [
      {
        calls: sum(answers),
        tokens: { expected: answer.tokens, at_most: caps.assistant },
        speed: fast.assistant.speed,
      },
      { calls: sum(turns), tokens: { expected: userTurn.tokens, at_most: caps.user }, speed: fast.user.speed },
    ],
    {
      atOnce: Math.min(location.concurrency, lanes * block),
      share: location.kind === 'local' ? 'a machine' : 'nothing',
      shards: shardCount(own.campaign.groups),
      lanes,
    },
  );
  const model: PreviewModel = {
    model: id,
    ...(planned.reasoning !== undefined && { reasoning: planned.reasoning }),
    ...together(estimates),
    time,
    at_once: location.concurrency,
    timed_by: time.from === 'store' ? fast.assistant.seen.turns + fast.user.seen.turns : 0,
    answer,
    user_turn: userTurn,
    prompts_by: [...sizes.values()][0]?.by ?? 'characters',
  };
  return { model, cells };
}

const charactersPerToken = 4;
/** Tokens of a verdict with a sentence or two. */
const assumedReply = 100;

/** Each cell's turns have their own lengths; the judge's replies are alike. Null where no model judges. */
export async function takenByJudge(
  at: Reading,
  { plan, spec, judge }: Planned,
  of: { cells: SizedCell[]; seen: SeenAt[] },
): Promise<PreviewJudge | null> {
  const { llm } = plan.judge;
  if (llm === undefined) return null;
  const instructions = (await getBlob(at.store, llm.prompt)).length / charactersPerToken;
  const anywhere = { data: '', temperature: 0, stage: 'judgement' as const };
  const seen = of.seen.map((one) => (isJudging(one.stage) ? { ...one, stage: anywhere.stage } : one));
  const length = lengthAt(seen, anywhere, Math.min(2 * assumedReply, llm.max_tokens));
  const reply = lengthOfAll([{ length, calls: 1 }]);
  const counted = new Set<string>();
  const estimates = of.cells.map((cell) =>
    estimateJudging([{ judgements: missing(cell, counted), prompt: cell.prompt }], {
      instructions,
      expected: { assistant: cell.answer.tokens, user: cell.turn.tokens, reply: reply.tokens },
      caps: { ...plan.max_tokens, reply: llm.max_tokens },
      prices: spec.judge.llm?.prices ?? null,
    }),
  );
  const taken = together(estimates);
  const { speed, seen: timed } = speedAt(seen, 'judgement');
  const atOnce = judge?.concurrency ?? 1;
  const tokens = { expected: reply.tokens, at_most: llm.max_tokens };
  const time = durationOf([{ calls: taken.calls, tokens, speed }], { atOnce, share: 'nothing', shards: 0, lanes: 1 });
  const timing = { time, at_once: atOnce, timed_by: time.from === 'store' ? timed.turns : 0 };
  return { judge: llm.model, ...taken, ...timing, reply };
}

/** Cells share what is judged of people's turns: it counts at the first of them. */
function missing({ stages }: LookedCell, counted: Set<string>): number {
  const judging = stages.filter(({ stage }) => isJudging(stage));
  const ours = judging.filter(({ key }) => !counted.has(key));
  for (const { key } of ours) counted.add(key);
  return ours.reduce((total, { wanted, held }) => total + wanted - held, 0);
}

function callsOf({ stages }: LookedCell, stage: Stage): number {
  return stages.find((one) => one.stage === stage)?.calls ?? 0;
}

function sum(all: { calls: number }[]): number {
  return all.reduce((total, { calls }) => total + calls, 0);
}

function named<T extends Pick<PlannedModel, 'id'>>(entries: T[], id: string): T {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw new ConfigProblem(`the plan has no ${id}`);
  return entry;
}
