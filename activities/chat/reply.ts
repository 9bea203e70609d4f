// What a chat API's reply means, where that is not what it would mean for a completion.
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Usage } from '../../domain/records/record.ts';
import { RequestRefused } from '../inference/completion.ts';
import { type Asked, badReply, readValue, said, shown } from '../inference/reply.ts';
import type { Fault, Tried } from '../inference/retry.ts';
import type { Reply } from '../inference/wire.ts';

/** `refusal`: what the model said instead of a reply, where the API tells the two apart. `reasoning`: where it is given. */
export type ChatReply = {
  text: string;
  finish: 'stop' | 'length';
  refusal: string | null;
  reasoning: string | null;
};

const choice = z.object({
  message: z.object({
    content: z.string().nullish(),
    refusal: z.string().nullish(),
    reasoning: z.string().nullish().catch(null),
    reasoning_content: z.string().nullish().catch(null),
  }),
  finish_reason: z.string(),
});

const chatReply = z.object({ choices: z.tuple([choice], z.unknown()) });
const counts = z.object({
  usage: z.object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() }),
});

const stopped = new Set(['stop', 'eos', 'eos_token', 'stop_sequence', 'end_turn']);

/** Told of every reply that came, also of those that were filtered or thrown away; null where its tokens are not counted. */
export type Counted = (usage: Usage | null) => void;

/** Tells what a body says it took, whatever becomes of the reply in it. One that holds no reply took nothing it knows of. */
export function countTokens(body: unknown, counted: Counted): void {
  const { data } = counts.safeParse(body);
  if (data !== undefined) counted({ prompt: data.usage.prompt_tokens, completion: data.usage.completion_tokens });
  else if (chatReply.safeParse(body).success) counted(null);
}

/** A fault where it is filtered, given up half-way, or no such reply. */
export function chatReplyOf(body: unknown, asked: Asked): Tried<ChatReply> {
  if (body === undefined) return badReply(asked, 'nothing');
  const read = readValue(chatReply, body, asked);
  if ('fault' in read) return read;
  const [{ message, finish_reason }] = read.value.choices;
  if (finish_reason === 'content_filter') return filtered(asked);
  const finish = stopped.has(finish_reason) ? 'stop' : finish_reason;
  if (finish !== 'stop' && finish !== 'length') {
    return badReply(asked, `a reply that ended with ${shown(finish_reason)}`);
  }
  const value: ChatReply = {
    text: message.content ?? '',
    finish,
    refusal: message.refusal ?? null,
    reasoning: message.reasoning ?? message.reasoning_content ?? null,
  };
  return { value };
}

function filtered({ url }: Asked): { fault: Fault } {
  const error = new RequestRefused('refused', `${url} filtered this reply`);
  return { fault: { error, askedMs: null, reached: 'server', next: 'give_up' } };
}

const refusedCodes = new Set(['unsupported_parameter', 'unsupported_value', 'unknown_parameter']);
const refusedWords =
  /unsupported (parameter|value)|unknown parameter|unrecognized request argument|extra inputs are not permitted/i;

/** A setting that this model takes from nobody, or an account without money: no item's fault, and no wait mends it. */
export function refusedSetting(reply: Reply, asked: Asked): ConfigProblem | null {
  const code = codeOf(reply);
  const message = `${asked.url} answered ${reply.status} for ${asked.model}: ${said(reply, asked)}`;
  if (reply.status === 429 && code === 'insufficient_quota') {
    return new ConfigProblem(message, {
      advice: 'The account has no money or quota left: top it up, then `uturn resume`.',
    });
  }
  if (reply.status !== 400 && reply.status !== 422) return null;
  if (!refusedCodes.has(code) && !refusedWords.test(said(reply, asked))) return null;
  return new ConfigProblem(message, {
    advice:
      'Some models refuse a setting: `temperature: null`, `seed: null` or `reasoning_effort: null` leave it out, ' +
      '`max_tokens_as` names the limit, `response_format: none` asks for no format.',
  });
}

function codeOf({ text }: Reply): string {
  try {
    const read = z.object({ error: z.object({ code: z.string() }) }).safeParse(JSON.parse(text ?? ''));
    return read.data?.error.code ?? '';
  } catch {
    return '';
  }
}
