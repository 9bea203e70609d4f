// Bodies of the bench's model server, in vLLM's shape, written by hand: what JSON need not be parsed or made is not.
import { renderChatml } from '../../test/fakes/chatml.ts';
import { detokenize, tokenize } from '../../test/fakes/tokenizer.ts';
import { type Reply, replyTo } from './replies.ts';

export const model = 'bench-chat';
const context = 32_768;

export const models = JSON.stringify({
  object: 'list',
  data: [
    { id: model, object: 'model', created: 0, owned_by: 'vllm', root: model, parent: null, max_model_len: context },
  ],
});

export const version = '{"version":"0.17.1"}';

/** As a server that knows nothing of token ids answers, whatever it is asked for. */
export function plainCompletion(body: string): string {
  const { prompt } = JSON.parse(body) as { prompt: string };
  return completionBody(replyTo(prompt), {
    promptTokens: Math.ceil(prompt.length / 4),
    ids: 'null',
    promptIds: 'null',
  });
}

/** As vLLM. A prompt of ids is echoed as it was written, without a look at it. */
export function completion(body: string): string {
  const ids = promptIdsIn(body);
  const prompt = ids ?? (JSON.parse(body) as { prompt: string }).prompt;
  const said = replyTo(prompt);
  const wanted = body.includes('"return_token_ids":true');
  const promptIds = wanted ? (ids ?? `[${tokenize(prompt).join()}]`) : 'null';
  const promptTokens = ids === null ? Math.ceil(prompt.length / 4) : commas(ids) + 1;
  return completionBody(said, { promptTokens, ids: wanted ? said.ids : 'null', promptIds });
}

type Ids = { promptTokens: number; ids: string; promptIds: string };

function completionBody(said: Reply, { promptTokens, ids, promptIds }: Ids): string {
  return (
    `{"id":"cmpl-0","object":"text_completion","created":0,"model":"${model}","choices":[{"index":0,"text":${said.text},` +
    `"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":${ids},"prompt_token_ids":${promptIds}}],` +
    `${usage(promptTokens, said.tokens)}}`
  );
}

export function chat(body: string): string {
  const said = replyTo(body);
  return (
    `{"id":"chatcmpl-0","object":"chat.completion","created":0,"model":"${model}","choices":[{"index":0,"message":` +
    `{"role":"assistant","content":${said.text}},"logprobs":null,"finish_reason":"stop"}],` +
    `${usage(Math.ceil(body.length / 4), said.tokens)}}`
  );
}

type TokenizeRequest =
  | { prompt: string }
  | { messages: { role: string; content: string }[]; add_generation_prompt?: boolean };

export function tokens(body: string): string {
  const asked = JSON.parse(body) as TokenizeRequest;
  const text =
    'prompt' in asked
      ? asked.prompt
      : renderChatml(asked.messages, { generation: asked.add_generation_prompt === false ? 'none' : 'assistant' });
  const ids = tokenize(text);
  return `{"count":${ids.length},"max_model_len":${context},"tokens":[${ids.join()}],"token_strs":null}`;
}

export function text(body: string): string {
  return JSON.stringify({ prompt: detokenize((JSON.parse(body) as { tokens: number[] }).tokens) });
}

/** The list of ids as it stands in the body, brackets included; null where the prompt is a text. */
function promptIdsIn(body: string): string | null {
  const field = body.indexOf('"prompt":[');
  if (field < 0 || body.charCodeAt(field + 10) === 34) return null;
  const start = field + 9;
  return body.slice(start, body.indexOf(']', start) + 1);
}

function commas(list: string): number {
  let count = 0;
  for (let at = list.indexOf(','); at >= 0; at = list.indexOf(',', at + 1)) count += 1;
  return count;
}

function usage(prompt: number, completion: number): string {
  return `"usage":{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${prompt + completion}}`;
}
