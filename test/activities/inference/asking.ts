// Requests and clients as the client's tests make them.
import { modelServer } from '../../../activities/inference/client.ts';
import type { CompletionRequest, ModelServer } from '../../../activities/inference/completion.ts';
import type { LineOptions } from '../../../activities/inference/line.ts';
import type { RetryPolicy } from '../../../activities/inference/retry.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';

/** Waits short enough for a test. */
export const quick: RetryPolicy = { attempts: 5, unreachable: 2, baseMs: 4, capMs: 20, askedCapMs: 400 };

export const neutral = {
  top_p: 1,
  top_k: 0,
  min_p: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  repetition_penalty: 1,
};

export function asking(prompt: CompletionRequest['prompt'], more: Partial<CompletionRequest> = {}): CompletionRequest {
  return { prompt, max_tokens: 64, temperature: 1, seed: 1, stop_token_ids: [], stop: [], sampling: neutral, ...more };
}

export function clientOf(url: string, more: Partial<LineOptions> = {}): ModelServer {
  const opts = { url, model: 'fake-chat', apiKey: null, timeoutMs: 5_000, policy: quick };
  return modelServer({ ...opts, random: () => 0.5, ...more });
}

export const untilDone = new AbortController().signal;

/** vLLM's reply to a completion request. */
export function completionReply(text: string, more: Record<string, unknown> = {}) {
  const choice = { index: 0, text, finish_reason: 'stop', stop_reason: null, token_ids: [7, 2], prompt_token_ids: [5] };
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  return { id: 'cmpl-1', object: 'text_completion', model: 'fake-chat', choices: [{ ...choice, ...more }], usage };
}

/** What a call was refused with, so that a test can look at all of it. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (failure: unknown) => failure,
  );
}

/** What a person is told of a config problem, advice and all. */
export async function toldBy(call: Promise<unknown>): Promise<string> {
  const failure = await failureOf(call);
  if (failure instanceof ConfigProblem) return sentence(failure);
  throw failure;
}
