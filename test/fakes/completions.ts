// One completion of the fake model: which request it is, and its reply in vLLM's shape (or a plain server's).
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type OpenTurn, openTurn } from './chatml.ts';
import { uniform } from './faults.ts';
import { detokenize, isToken, special, tokenize } from './tokenizer.ts';
import { replyTo, type World } from './world.ts';

export const completionRequest = z.looseObject({
  model: z.string(),
  prompt: z.union([z.string().min(1), z.array(z.int().refine(isToken, 'no such token')).min(1)]),
  max_tokens: z.int().positive().default(16),
  temperature: z.number().min(0).max(2).default(1),
  top_p: z.number().gt(0).max(1).default(1),
  top_k: z.int().min(-1).default(0),
  n: z.literal(1).default(1),
  stream: z.literal(false).default(false),
  seed: z.int().nullable().default(null),
  stop: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  stop_token_ids: z.array(z.int()).default([]),
  skip_special_tokens: z.boolean().default(true),
  add_special_tokens: z.boolean().default(true),
  return_token_ids: z.boolean().default(false),
});
export type FakeRequest = z.infer<typeof completionRequest>;

/** `vllm`: token ids, stop tokens, special tokens kept on request. `plain`: none of these. */
export type Dialect = 'vllm' | 'plain';

export type Generation = {
  /** What was asked, seed included: the same for every repetition of a request. */
  request: string;
  kind: OpenTurn['open'];
  question: string;
  promptIds: number[];
  ids: number[];
  body: Record<string, unknown>;
};

/** Ids of the prompt as the model would see it. vLLM puts a BOS before text unless told not to. */
export function promptIdsOf({ prompt, add_special_tokens }: FakeRequest, dialect: Dialect): number[] {
  if (typeof prompt !== 'string') return prompt;
  const ids = tokenize(prompt);
  return dialect === 'vllm' && add_special_tokens ? [special.endOfText, ...ids] : ids;
}

/** The reply is a function of prompt ids, model, temperature and seed; at temperature 0 the seed says nothing. */
export function generate(asked: FakeRequest, at: { promptIds: number[]; world: World; dialect: Dialect }): Generation {
  const { promptIds, dialect } = at;
  const request = hash(`${asked.model}\n${asked.temperature}\n${asked.seed}\n${promptIds.join()}`);
  const stream = asked.temperature === 0 ? hash(`${asked.model}\n${promptIds.join()}`) : request;
  const turn = openTurn(detokenize(promptIds));
  const whole = replyTo(turn, at.world, { draw: (what) => uniform(`${stream}/${what}`), room: asked.max_tokens });

  const end = endOf(whole, asked, dialect);
  const choice = {
    index: 0,
    text: end.text,
    logprobs: null,
    finish_reason: end.finish,
    stop_reason: end.reason,
    ...(dialect === 'vllm' && {
      token_ids: asked.return_token_ids ? end.ids : null,
      prompt_token_ids: asked.return_token_ids ? promptIds : null,
    }),
  };
  const usage = {
    prompt_tokens: promptIds.length,
    completion_tokens: end.ids.length,
    total_tokens: promptIds.length + end.ids.length,
  };
  const body = {
    id: `cmpl-${request}`,
    object: 'text_completion',
    created: 0,
    model: asked.model,
    choices: [choice],
    usage,
  };
  return { request, kind: turn.open, question: turn.question, promptIds, ids: end.ids, body };
}

type End = { text: string; ids: number[]; finish: 'stop' | 'length'; reason: number | string | null };

/** As vLLM ends: the stop token is among the ids and not in the text; a stop string cuts the text before it. */
function endOf(whole: number[], asked: FakeRequest, dialect: Dialect): End {
  const stops = dialect === 'vllm' ? asked.stop_token_ids : [];
  const at = whole.slice(0, asked.max_tokens).findIndex((id) => id === special.end || stops.includes(id));
  const ids = whole.slice(0, at < 0 ? asked.max_tokens : at + 1);
  const specials = dialect === 'vllm' && !asked.skip_special_tokens ? 'keep' : 'skip';
  const shown = at < 0 ? ids : ids.slice(0, -1);
  const text = detokenize(shown, { specials });
  const cut = firstOf(asked.stop, text);
  if (cut === null)
    return {
      text,
      ids,
      finish: at < 0 ? 'length' : 'stop',
      reason: at < 0 || ids[at] === special.end ? null : (ids[at] ?? null),
    };

  const before = text.slice(0, cut.at);
  let count = 0;
  for (let seen = ''; seen.length < cut.at + cut.stop.length; count += 1)
    seen += detokenize(shown.slice(count, count + 1), { specials });
  return { text: before, ids: ids.slice(0, count), finish: 'stop', reason: cut.stop };
}

function firstOf(stops: string[], text: string): { at: number; stop: string } | null {
  const found = stops
    .filter((stop) => stop !== '' && text.includes(stop))
    .map((stop) => ({ at: text.indexOf(stop), stop }));
  return found.sort((a, b) => a.at - b.at)[0] ?? null;
}

function hash(of: string): string {
  return createHash('sha256').update(of).digest('hex').slice(0, 16);
}
