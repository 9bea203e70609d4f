// What is written down when a run is started, beside the plan: where its models are and who asked.
import type { Budget } from './budget.ts';
import type { EngineOrder } from './engine.ts';
import type { JudgeLocation, RunPrices } from './judge.ts';
import type { Semantics } from './semantics.ts';

/** Where a model's server is, and how hard it may be driven. Decides nothing about results. */
export type EngineLocation = ReachableLocation | ServedLocation;

/** Somewhere a request can be sent to. */
export type ReachableLocation =
  | { kind: 'url'; url: string; served: string; api_key_env: string | null; concurrency: number; timeout_s: number }
  | { kind: 'local'; name: string; file: string | null; concurrency: number; timeout_s: number };

/** A model that uturn serves when a run needs it. `id`: the engine's workflow; `served`: the name requests ask for. */
export type ServedLocation = {
  kind: 'serve';
  id: string;
  order: EngineOrder;
  served: string;
  concurrency: number;
  timeout_s: number;
};

export type Night = { schedule: string; nominal: string };

/** What of a run enters the keys of what it measures. */
export type Occasion = Pick<RunDoc, 'occasion' | 'anew' | 'semantics'>;

export type Replays = { run: string; anew: 'scores' | 'judgements' };

export type RunDoc = {
  format: 1;
  run: string;
  name: string;
  tags: string[];
  plan: string;
  /** The run whose measurements count as this one's, for models known only by address. */
  occasion: string;
  /** Nothing measured on another occasion counts as this run's: where it is asked again whether an answer is still the same. */
  anew?: true;
  created: string;
  /** Of which schedule it is a night, and the time it stands for (ISO, UTC). */
  night?: Night;
  /** Attempts per shard before it is parked. */
  attempts: number;
  engines: Record<string, EngineLocation>;
  /** There only where a model judges. */
  judge?: JudgeLocation;
  /** Not there in runs of older versions. */
  prices?: RunPrices;
  /** What it may spend, until somebody sets other limits; absent without one. */
  budget?: Budget;
  /** Of a replay: the run whose records it goes by wherever keys are the same, and what it makes anew. It generates nothing. */
  replays?: Replays;
  /** Versions of the code that its records are made by: see `semanticsOf`. Not there in runs of older versions. */
  semantics?: Semantics;
  config: { file: string; text: string };
  uturn: string;
};
