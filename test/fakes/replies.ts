// How the fake server answers: whole replies, refusals in vLLM's shape, and faults.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { FaultRule } from './faults.ts';

export type Refusal = { status: number; type: string; message: string };

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  // As JSON, a lone surrogate is an escape, which is the only way it can cross a wire.
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers })
    .end(bytes);
}

export function refuse(
  response: ServerResponse,
  { status, type, message }: Refusal,
  headers: Record<string, string> = {},
): void {
  send(response, status, { error: { message, type, param: null, code: status } }, headers);
}

export function sendFault(response: ServerResponse, { fault, headers }: FaultRule, body: unknown): void {
  if (fault === 'hang') return;
  if (typeof fault === 'number') {
    refuse(response, { status: fault, type: 'Fault', message: 'a fault was asked for' }, headers);
    return;
  }
  const text = JSON.stringify(body);
  if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.write(bodyOfFault.truncated(text), () => response.destroy());
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(bodyOfFault[fault](text));
}

const bodyOfFault = {
  truncated: (text: string) => text.slice(0, text.length / 2),
  garbage: () => '<html><body>Bad gateway</body></html>',
  empty: () => '',
  binary: (text: string) => Buffer.from(`${text.slice(0, -1)},"x":"\xc3(\xff"}`, 'latin1'),
  huge: (text: string) => text.replace('"text":"', `"text":"${'too much '.repeat(5_600_000)}`),
  foreign: () => '{"object":"chat.completion","choices":[{"message":{"content":"Hi."}}]}',
};

export function badRequest(error: unknown): Refusal {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
  return { status: 400, type: 'BadRequestError', message };
}

export function notFound(model: string): Refusal {
  return { status: 404, type: 'NotFoundError', message: `The model \`${model}\` does not exist.` };
}

/** vLLM's words for a request that its context cannot take; null where it can. */
export function outOfContext(length: number, asked: { prompt: number; maxTokens: number }): Refusal | null {
  const { prompt, maxTokens } = asked;
  const refusal = (message: string) => ({ status: 400, type: 'BadRequestError', message });
  if (maxTokens > length)
    return refusal(
      `max_tokens=${maxTokens} cannot be greater than max_model_len=${length}. Please request fewer output tokens.`,
    );
  if (prompt > length)
    return refusal(
      `This model's maximum context length is ${length} tokens. However, your prompt contains ${prompt} input tokens.`,
    );
  return prompt === length ? refusal('max_tokens must be at least 1, got 0.') : null;
}

/** The body as JSON; undefined where it is none. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
