// What a config would do if it were run: cells, what the store holds of them, calls, tokens and money.

import type { Planned } from '../activities/planning/plan.ts';
import { readEnding } from '../activities/run/documents.ts';
import { getBlob } from '../activities/store/blobs.ts';
import { type CellWork, type Estimate, estimate, estimateJudging, together } from '../domain/plan/estimate.ts';
import type { Campaign } from '../domain/plan/graph.ts';
import { outline, plannedSamples } from '../domain/plan/outline.ts';
import type { PlannedModel } from '../domain/plan/plan.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { shortHashOf } from '../domain/records/canonical.ts';
import { type HeldStage, heldStages, isJudging } from './held.ts';
import type { Reading } from './session.ts';
import { promptSizes, type Sizes } from './sizes.ts';
import { placeOf } from './start.ts';

export type PreviewCell = {
  model: string;
  data: string;
  temperature: number;
  items: number;
  samples: number;
  stages: HeldStage[];
};

/** Tokens of one turn, or of a judge's reply. `from`: the mean of `turns` in the store; assumed where there are too few, of a turn half of its limit. */
export type Length = { tokens: number; from: 'store' | 'assumed'; turns: number };

/** `reasoning`: only where the answer is rendered anew before the user turn. */
export type PreviewModel = Estimate & {
  model: string;
  reasoning?: PlannedModel['reasoning'];
  answer: Length;
  user_turn: Length;
  prompts_by: Sizes['by'];
};

/** A model that judges: a call for each judgement that is not there, though the rules decide some of them for nothing. */
export type PreviewJudge = Estimate & { judge: string; reply: Length };

/** `state`: of the run that `uturn run` would return to; `new` where it would start one. */
export type Preview = {
  plan: string;
  name: string;
  run: string;
  state: 'new' | 'complete' | 'unfinished';
  samples: number;
  /** Only where one is put before conversations. */
  system?: string;
  cells: PreviewCell[];
  models: PreviewModel[];
  /** Null where no model judges. */
  judge: PreviewJudge | null;
  total: Estimate;
};

const charactersPerToken = 4;
/** Tokens of a verdict with a sentence or two. */
const assumedReply = 100;

// Fewer say little about a mean.
const enoughTurns = 10;

/** Looks at the store and the models' tokenizers. Generates nothing, and writes no record. */
export async function preview(
  at: Reading,
  found: Planned,
  opts: { name: string | null; report(line: string): void },
): Promise<Preview> {
  const plan = shortHashOf(found.plan);
  const name = opts.name ?? found.name;
  const place = await placeOf(at.store, { name, plan }, { again: 'when changed' });
  const ending = place.there ? await readEnding(at.store, place.run) : null;

  const cells: PreviewCell[] = [];
  const models: PreviewModel[] = [];
  const judging: JudgingOf[] = [];
  for (const campaign of outline(found.plan, place.occasion)) {
    const own = await cellsOf(at, found, campaign);
    cells.push(...own);
    const { model, sizes } = await modelOf(at, found, { campaign, cells: own, report: opts.report });
    models.push(model);
    judging.push({ model, cells: own, sizes });
  }
  const judge = await judgeOf(at, found, judging);
  return {
    plan,
    name,
    run: place.run,
    state: !place.there ? 'new' : ending?.end.state === 'complete' ? 'complete' : 'unfinished',
    samples: plannedSamples(found.plan),
    ...(found.plan.system !== undefined && { system: found.plan.system }),
    cells,
    models,
    judge,
    total: together(judge === null ? models : [...models, judge]),
  };
}

async function cellsOf(at: Reading, found: Planned, { model, groups }: Campaign): Promise<PreviewCell[]> {
  const cells: PreviewCell[] = [];
  for (const group of groups) {
    const { data, temperature, items, samples } = group;
    const stages = await heldStages(at.store, group, found.items.get(data) ?? []);
    cells.push({ model, data, temperature, items, samples, stages });
  }
  return cells;
}

type Own = { campaign: Campaign; cells: PreviewCell[]; report(line: string): void };

async function modelOf(
  at: Reading,
  found: Planned,
  own: Own,
): Promise<{ model: PreviewModel; sizes: Map<string, Sizes> }> {
  const { plan, spec, engines, items } = found;
  const id = own.campaign.model;
  const planned = named(plan.models, id);
  const location = engines[id];
  if (location === undefined) throw new ConfigProblem(`the plan does not say where ${id} is served`);
  const sizes = await promptSizes(planned, items, { ...at, location, report: own.report });
  const answer = lengthOf(own.cells, { stage: 'assistant_turn', cap: plan.max_tokens.assistant });
  const userTurn = lengthOf(own.cells, { stage: 'user_turn', cap: plan.max_tokens.user });
  const model: PreviewModel = {
    model: id,
    ...(planned.reasoning !== undefined && { reasoning: planned.reasoning }),
    ...estimate(
      own.cells.flatMap((cell) => workOf(cell, sizes)),
      {
        expected: { assistant: answer.tokens, user: userTurn.tokens },
        caps: plan.max_tokens,
        prices: named(spec.models, id).prices,
      },
    ),
    answer,
    user_turn: userTurn,
    prompts_by: [...sizes.values()][0]?.by ?? 'characters',
  };
  return { model, sizes };
}

type JudgingOf = { model: PreviewModel; cells: PreviewCell[]; sizes: Map<string, Sizes> };

/** Each model's turns have their own lengths; the judge's replies are alike. */
async function judgeOf(at: Reading, { plan, spec }: Planned, of: JudgingOf[]): Promise<PreviewJudge | null> {
  const { llm } = plan.judge;
  if (llm === undefined) return null;
  const instructions = (await getBlob(at.store, llm.prompt)).length / charactersPerToken;
  const cap = Math.min(2 * assumedReply, llm.max_tokens);
  const all = of.flatMap(({ cells }) => cells);
  const reply = lengthOf(all, { stage: 'judgement', cap });
  const caps = { ...plan.max_tokens, reply: llm.max_tokens };
  const counted = new Set<string>();
  const estimates = of.map(({ model, cells, sizes }) =>
    estimateJudging(
      cells.map((cell) => ({ judgements: missing(cell, counted), prompt: sizes.get(cell.data)?.prompt ?? 0 })),
      {
        instructions,
        expected: { assistant: model.answer.tokens, user: model.user_turn.tokens, reply: reply.tokens },
        caps,
        prices: spec.judge.llm?.prices ?? null,
      },
    ),
  );
  return { judge: llm.model, ...together(estimates), reply };
}

/** Cells share what is judged of people's turns: it counts at the first of them. */
function missing({ stages }: PreviewCell, counted: Set<string>): number {
  const judging = stages.filter(({ stage }) => isJudging(stage));
  const ours = judging.filter(({ key }) => !counted.has(key));
  for (const { key } of ours) counted.add(key);
  return ours.reduce((sum, { wanted, held }) => sum + wanted - held, 0);
}

function workOf({ data, stages }: PreviewCell, sizes: Map<string, Sizes>): CellWork[] {
  const size = sizes.get(data);
  const calls = (stage: HeldStage['stage']) => stages.find((one) => one.stage === stage)?.calls ?? 0;
  return size === undefined ? [] : [{ answers: calls('assistant_turn'), turns: calls('user_turn'), ...size }];
}

function lengthOf(cells: PreviewCell[], at: { stage: HeldStage['stage']; cap: number }): Length {
  const held = cells.flatMap(({ stages }) =>
    stages.filter((one) => one.stage === at.stage).map((one) => one.generated),
  );
  const turns = held.reduce((sum, one) => sum + one.turns, 0);
  const tokens = held.reduce((sum, one) => sum + one.tokens, 0);
  if (turns >= enoughTurns) return { tokens: tokens / turns, from: 'store', turns };
  return { tokens: at.cap / 2, from: 'assumed', turns };
}

function named<T extends Pick<PlannedModel, 'id'>>(entries: T[], id: string): T {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw new ConfigProblem(`the plan has no ${id}`);
  return entry;
}
