// Requests, clients and replies as the chat client's tests make them.
import { type ChatModel, type ChatRequest, chatModel } from '../../../activities/chat/chat.ts';
import type { LineOptions } from '../../../activities/inference/line.ts';
import { quick } from '../inference/asking.ts';

export function chatting(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello?' },
    ],
    temperature: 0,
    seed: 7,
    max_tokens: 64,
    max_tokens_as: 'max_completion_tokens',
    reasoning_effort: null,
    extra_body: {},
    format: { type: 'text' },
    ...more,
  };
}

export function chatOf(url: string, more: Partial<LineOptions> = {}): ChatModel {
  const opts = { url, model: 'judge', apiKey: null, timeoutMs: 5_000, policy: quick };
  return chatModel({ ...opts, random: () => 0.5, ...more });
}

/** A chat API's reply that holds this message. */
export function chatBody(content: string | null, more: { finish?: string; message?: Record<string, unknown> } = {}) {
  const message = { role: 'assistant', content, refusal: null, ...more.message };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'judge',
    choices: [{ index: 0, message, logprobs: null, finish_reason: more.finish ?? 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
  };
}
