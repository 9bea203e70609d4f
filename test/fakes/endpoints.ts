// The fake server's paths beside completions: what it serves, and its tokenizer.
import { z } from 'zod';
import type { ServedModel } from '../../activities/inference/completion.ts';
import { renderChatml } from './chatml.ts';
import type { Dialect } from './completions.ts';
import { detokenize, isToken, special, tokenize } from './tokenizer.ts';

export type ModelCard = {
  model: string;
  /** Further names that are answered, each in its own way: LoRA adapters. */
  adapters: string[];
  dialect: Dialect;
  contextLength: number;
  uturn: ServedModel['uturn'];
};

export function modelsReply({ model, adapters, dialect, contextLength, uturn }: ModelCard) {
  const cardOf = (id: string) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: dialect === 'vllm' ? 'vllm' : 'somebody',
  });
  const more = dialect === 'vllm' ? { root: model, parent: null, max_model_len: contextLength, permission: [] } : {};
  const loaded = adapters.map((name) => ({ ...cardOf(name), root: name, parent: model }));
  return { object: 'list', data: [{ ...cardOf(model), ...more, ...(uturn !== null && { uturn }) }, ...loaded] };
}

const tokenizeRequest = z.union([
  z.object({ prompt: z.string(), add_special_tokens: z.boolean().default(true) }),
  z.object({
    messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
    add_generation_prompt: z.boolean().default(true),
    add_special_tokens: z.boolean().default(false),
  }),
]);

export function tokenizeReply(body: unknown, { contextLength }: ModelCard) {
  const asked = tokenizeRequest.parse(body);
  const text =
    'prompt' in asked
      ? asked.prompt
      : renderChatml(asked.messages, { generation: asked.add_generation_prompt ? 'assistant' : 'none' });
  const tokens = tokenize(text);
  if (asked.add_special_tokens) tokens.unshift(special.endOfText);
  return { count: tokens.length, max_model_len: contextLength, tokens, token_strs: null };
}

const detokenizeRequest = z.object({ tokens: z.array(z.int().refine(isToken, 'no such token')) });

export function detokenizeReply(body: unknown) {
  return { prompt: detokenize(detokenizeRequest.parse(body).tokens) };
}
