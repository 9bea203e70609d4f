// What the completions API of vLLM (and ours) takes and gives, as far as uturn uses it.
import type { Sampling } from '../../domain/plan/plan.ts';

export type CompletionRequest = {
  prompt: string | number[];
  max_tokens: number;
  temperature: number;
  seed: number;
  stop_token_ids: number[];
  /** Only where token ids are unknown. */
  stop: string[];
  sampling: Sampling;
};

/** `ids` and `promptIds` are null where the server does not return token ids. `ids` may end with the end token. */
export type Completion = {
  text: string;
  finish: 'stop' | 'length';
  ids: number[] | null;
  promptIds: number[] | null;
  usage: { prompt: number; completion: number };
};
