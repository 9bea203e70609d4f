// A config's judge that is a model, looked for and frozen.
import { replySemantics } from '../../domain/followup/reply.ts';
import type { JudgeLocation, PlannedJudge } from '../../domain/plan/judge.ts';
import type { JudgeSpec } from '../../domain/spec/judge.ts';
import { reachJudge } from '../judge/judges.ts';
import { putBlob } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';

/**
 * Asks the judge's server whether it has the model, and judges nothing.
 * @throws ConfigProblem  no key is set, or the server refuses it or lacks the model
 * @throws WorldProblem   nobody answers
 */
export async function findJudge(
  spec: JudgeSpec,
  deps: { store: Store; prompt: string },
): Promise<{ planned: PlannedJudge; location: JudgeLocation }> {
  const prompt = await putBlob(deps.store, deps.prompt);
  const { url, model, weights, temperature, seed, max_tokens, reasoning_effort, response_format, extra_body } = spec;
  const { api_key_env, max_tokens_as, concurrency, timeout_s } = spec;
  const location: JudgeLocation = { url, served: model, api_key_env, max_tokens_as, concurrency, timeout_s };
  await reachJudge(location).look();
  const identity = weights === null ? { url, served: model } : { weights };
  const decides = { temperature, seed, max_tokens, reasoning_effort, response_format, extra_body };
  return { planned: { model, identity, prompt, replies: replySemantics, ...decides }, location };
}
