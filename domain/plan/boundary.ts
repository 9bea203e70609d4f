// What crosses between workflows, activities and the command line: keys, counts, short words.
import type { Stage } from '../records/record.ts';
import type { Pin, Tree } from './graph.ts';
import type { EngineAddress, EngineRef, EngineState } from './lease.ts';

/** `execution` counts from 1; resuming a closed run starts the next. */
export type RunInput = { run: string; execution: number };

/** How a campaign goes about its work; decides nothing about results. `events`: history length at which it continues as new. */
export type Pace = { lanes: number; attempts: number; events: number };

/** `engine`: what a campaign's model is to be served by, where uturn serves it. */
export type OpenedRun = { plan: string; campaigns: { model: string; pace: Pace; engine?: EngineRef }[] };

/** One node's work order. `sources` name the parts it is made from, by stage. */
export type ShardRef = {
  run: string;
  plan: string;
  model: string;
  data: string;
  temperature: number;
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

/** `made`: records computed by this call or an earlier attempt of it; the others were there before. */
export type ShardCounts = {
  part: string;
  records: number;
  errors: number;
  made: number;
  tokens: number;
  requests: number;
};

export type StageTally = { records: number; errors: number; made: number; tokens: number; requests: number };
export type Tally = Partial<Record<Stage, StageTally>>;

/** A tree whose patience ran out: it waits for `resume`. */
export type Parked = { tree: Tree; reason: string; counted: string[] };

export type CampaignInput = RunInput & {
  plan: string;
  model: string;
  pace: Pace;
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
};

export type CampaignState = 'running' | 'paused' | 'parked' | 'complete' | 'cancelled' | 'failed';

export type CampaignProgress = {
  model: string;
  state: CampaignState;
  trees: { done: number; total: number };
  tally: Tally;
  parked: Pick<Parked, 'tree' | 'reason'>[];
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

export type RunState = 'complete' | 'incomplete' | 'failed' | 'cancelled';
export type RunEnd = { run: string; state: RunState; problems: string[]; samples: number; errors: number };

/** Names that clients and workers must agree on. */
export const queues = {
  control: 'uturn-control',
  judge: 'uturn-judge',
  inference: 'uturn-inference',
  gpu: 'uturn-gpu',
} as const;
export const names = { pause: 'pause', resume: 'resume', progress: 'progress' } as const;

/** Workflow id of a run's campaign. */
export function campaignId(run: string, model: string): string {
  return `${run}/${model}`;
}
