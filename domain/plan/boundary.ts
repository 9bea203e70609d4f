// What crosses between workflows, activities and the command line: keys, counts, short words.
import type { Stage, Usage } from '../records/record.ts';
import type { Amount, Budget, CampaignPrices } from './budget.ts';
import type { Pin, Tree } from './graph.ts';
import type { EngineAddress, EngineRef, EngineState } from './lease.ts';
import type { Allowance, Draw } from './ledger.ts';
import type { EngineUse } from './meter.ts';

/**
 * `execution` counts from 1; resuming a closed run starts the next. `budget`: limits that somebody set anew. `searchable`:
 * the server knows the attributes that runs are found by.
 */
export type RunInput = { run: string; execution: number; budget?: Budget; searchable?: boolean };

/**
 * A pause or a resume, as a run hears it. `models`: to these alone; to all where it is left out. `errors`: what has failed, or
 * ended in errors, is tried again.
 */
export type ControlWord = { models?: string[]; errors?: 'retry' };

/** How a campaign goes about its work; decides nothing about results. `events`: history length at which it continues as new. */
export type Pace = { lanes: number; attempts: number; events: number };

/** `engine`: what a campaign's model is to be served by, where uturn serves it. */
export type OpenedCampaign = { model: string; pace: Pace; spending?: Spending; engine?: EngineRef };

/** `budget`: only where the run has one. `before`: what earlier executions spent. */
export type OpenedRun = {
  plan: string;
  campaigns: OpenedCampaign[];
  budget?: { limits: Budget; before: Amount };
};

/** What a campaign counts its spending with. `expected`: tokens of one record, until some were made. */
export type Spending = { prices: CampaignPrices; expected: Partial<Record<Stage, Usage>> };

/** One node's work order. `sources` name the parts it is made from, by stage. */
export type ShardRef = {
  run: string;
  execution: number;
  plan: string;
  model: string;
  data: string;
  temperature: number;
  /** What was done to the answer it goes by; absent where nothing was. */
  condition?: string;
  stage: Stage;
  key: string;
  block: number;
  sample: number;
  size: number;
  items: number;
  sources: Partial<Record<Stage, { key: string; part: string }>>;
  /** Where the model is served now, if uturn serves it and it is up. */
  engine?: EngineAddress;
};

/**
 * `made`, `tokens`, `requests`: of this call; the other records were there before. `spent`: tokens of all records that
 * this execution of the run made, by whichever call; absent where older versions counted.
 */
export type ShardCounts = {
  part: string;
  records: number;
  errors: number;
  made: number;
  tokens: number;
  requests: number;
  spent?: Usage;
};

export type StageTally = Omit<ShardCounts, 'part'>;
export type Tally = Partial<Record<Stage, StageTally>>;

/** A tree whose patience ran out: it waits for `resume`. */
export type Parked = { tree: Tree; reason: string; counted: string[] };

export type CampaignInput = RunInput & {
  plan: string;
  model: string;
  pace: Pace;
  spending?: Spending;
  engine?: EngineRef;
  carried: Carried;
};

/** What a campaign takes along when it continues as new. */
export type Carried = {
  position: number;
  trees: number;
  pins: number;
  paused: boolean;
  tally: Tally;
  parked: Parked[];
  /** Parked trees that `resume` took back and that are not begun. */
  again: Pick<Parked, 'tree' | 'counted'>[];
  /** The engine's address, null while it is waited for; absent where none is held. */
  engine?: EngineAddress | null | undefined;
  /** Of the run's budget; absent where it has none. */
  allowance?: Allowance;
  gpu_hours?: number;
};

export type CampaignState = 'running' | 'paused' | 'parked' | 'complete' | 'cancelled' | 'failed';

export type CampaignProgress = {
  model: string;
  state: CampaignState;
  trees: { done: number; total: number };
  tally: Tally;
  parked: Pick<Parked, 'tree' | 'reason'>[];
  /** What holds a campaign that nobody has paused. */
  paused_by?: 'budget';
  /** Hours that its engine was up for it, times its GPUs; only where the run has a limit of them. */
  gpu_hours?: number;
  /** Of the engine it holds, if any. */
  engine?: EngineState;
};

export type PinBatch = {
  run: string;
  execution: number;
  model: string;
  n: number;
  pins: Pin[];
  progress: CampaignProgress;
};

/** `pins`: number of its next batch. */
export type ReopenedCampaign = Pick<Carried, 'pins' | 'gpu_hours'>;

export type RunState = 'complete' | 'incomplete' | 'failed' | 'cancelled';
/** `gpu_hours`: of this execution, only where the run has a limit of them. */
export type RunEnd = {
  run: string;
  state: RunState;
  problems: string[];
  samples: number;
  errors: number;
  gpu_hours?: number;
};

/** What a campaign says to its run. */
export type RunWord = { draw: Draw } | { use: EngineUse };

/** Names that clients and workers must agree on. */
export const queues = {
  control: 'uturn-control',
  judge: 'uturn-judge',
  inference: 'uturn-inference',
  gpu: 'uturn-gpu',
} as const;
export const names = {
  pause: 'pause',
  resume: 'resume',
  progress: 'progress',
  budget: 'budget',
  draw: 'draw',
  allowance: 'allowance',
  use: 'use',
  concurrency: 'concurrency',
  lanes: 'lanes',
} as const;

/** Workflow id of a run's campaign. */
export function campaignId(run: string, model: string): string {
  return `${run}/${model}`;
}
