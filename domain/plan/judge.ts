// A judge that is a model, as a plan and a run hold it.
import type { Prices } from './estimate.ts';

/** All that decides its verdicts. Known only by its address, its verdicts belong to the run that first asked it. */
export type PlannedJudge = {
  /** Its name in records and tables. */
  model: string;
  identity: { weights: string } | { url: string; served: string };
  /** SHA-256 of the prompt file, a blob in the store. */
  prompt: string;
  /** Version of how replies are read, and of the schema they are held to. */
  replies: number;
  temperature: number | null;
  /** What the seeds of its requests are derived from; null: none is sent. */
  seed: number | null;
  max_tokens: number;
  reasoning_effort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  response_format: 'json_schema' | 'json_object' | 'none';
  extra_body: Record<string, unknown>;
};

/** Where it is and how it is talked to: decides nothing about results. */
export type JudgeLocation = {
  url: string;
  served: string;
  api_key_env: string | null;
  max_tokens_as: 'max_completion_tokens' | 'max_tokens';
  concurrency: number;
  timeout_s: number;
};

/** What tokens cost, as the config said when the run was started; null where it did not. */
export type RunPrices = { models: Record<string, Prices | null>; judge: Prices | null };
