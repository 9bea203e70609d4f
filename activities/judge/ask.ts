// One question to a judge that is a model: asked again while its reply says nothing, a few times.
import { type Judged, promptMessages } from '../../domain/followup/prompt.ts';
import { type ReadReply, readReply, type Verdict, verdictSchema } from '../../domain/followup/reply.ts';
import type { PlannedJudge } from '../../domain/plan/judge.ts';
import { requestSeed } from '../../domain/plan/seed.ts';
import type { RecordError, Usage } from '../../domain/records/record.ts';
import type { ReplyFormat } from '../chat/chat.ts';
import type { ChatReply, Counted } from '../chat/reply.ts';
import { shown } from '../inference/reply.ts';
import { itemError } from '../shard/blame.ts';
import type { Judge } from './judges.ts';

/** A reply that fails is asked for again so often. */
export const mostAgain = 3;

/** `requests`, `usage`: of all tries together; `usage` is null where the server did not count the tokens of one of them. */
export type Answered = ({ verdict: Verdict } | { error: RecordError }) & { requests: number; usage: Usage | null };

/** Where the question stands in the experiment: its seeds follow from it. */
export type Standing = { condition: string; item: string; sample: number };

/**
 * What a judge says, or an error that stays with the item.
 * @throws WorldProblem   its server answers nobody
 * @throws ConfigProblem  refused key, unknown model, a setting that the model refuses
 */
export async function askJudge(
  judge: Judge,
  judged: Judged,
  { at, signal }: { at: Standing; signal: AbortSignal },
): Promise<Answered> {
  const messages = promptMessages(judge.prompt, judged);
  const texts = [...judged.q.map(({ content }) => content), judged.a, judged.u];
  const { temperature, max_tokens, reasoning_effort, extra_body } = judge.planned;
  const settings = { temperature, max_tokens, reasoning_effort, extra_body };
  const spent: Pick<Answered, 'requests' | 'usage'> = { requests: 0, usage: { prompt: 0, completion: 0 } };
  const counted: Counted = (usage) => {
    spent.usage = spent.usage === null || usage === null ? null : added(spent.usage, usage);
  };
  let failed = '';
  for (let again = 0; again <= mostAgain; again += 1) {
    const request = {
      ...settings,
      messages,
      max_tokens_as: judge.location.max_tokens_as,
      seed: seedOf(judge.planned, at, again),
      format: formatOf(judge.planned),
    };
    const answer = await judge.chat
      .chat(request, signal, counted)
      .catch((failure: unknown) => itemError(judge, failure));
    spent.requests += answer.requests;
    if ('error' in answer) return { error: answer.error, ...spent };
    const { reply } = answer;
    const read = readWhole(reply, { judged: texts, max_tokens });
    if ('verdict' in read) return { verdict: read.verdict, ...spent };
    failed = `the reply ${read.fault}: ${shown(reply.refusal ?? reply.text) || 'nothing'}`;
  }
  const message = `${judge.planned.model} was asked ${mostAgain + 1} times and gave no verdict; in the end ${failed}`;
  return { error: { kind: 'judge_error', message }, ...spent };
}

function readWhole(reply: ChatReply, at: { judged: string[]; max_tokens: number }): ReadReply {
  if (reply.refusal !== null) return { fault: 'is a refusal' };
  if (reply.finish === 'length') return { fault: `is cut off at ${at.max_tokens} tokens` };
  return readReply(reply.text, at);
}

/** Another one for each try: at a temperature above 0 another reply. */
function seedOf({ seed }: PlannedJudge, at: Standing, again: number): number | null {
  return seed === null ? null : requestSeed(seed, { ...at, turn: `judgement-${again}` });
}

function formatOf({ response_format }: PlannedJudge): ReplyFormat {
  if (response_format === 'none') return { type: 'text' };
  if (response_format === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', name: 'verdict', schema: verdictSchema() };
}

function added(a: Usage, b: Usage): Usage {
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion };
}
