// The local model server: vLLM's completions API in front of llama.cpp, one process, 127.0.0.1 only.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { ServedModel } from '../../activities/inference/completion.ts';
import { ConfigProblem, sentence } from '../../domain/problems.ts';
import { generate } from './generate.ts';
import { installEngine } from './install.ts';
import { type LlamaSequence, loadModel, openSequences } from './library.ts';
import { createPool, Overloaded, type Pool } from './pool.ts';
import { completionOrder, Refusal, type Served, textToTokenize, tokenize, tokensToDetokenize } from './request.ts';
import { sha256OfFile } from './weights.ts';

const LONGEST_QUEUE = 1024;
const LARGEST_BODY = 16 * 1024 * 1024;
const CLIENT_GONE = new Error('the client has gone');
/** How long a stopping server lets generations run on. */
const GRACE_MS = 5_000;

type Description = { id: string; object: 'model'; owned_by: 'uturn'; root: string } & Omit<ServedModel, 'engine'>;
type Room = Served & { pool: Pool<LlamaSequence>; description: Description };
/** `stopping` cuts what is still running; `isOpen` is false from the moment the server is told to stop. */
type Door = { room: Room; stopping: AbortSignal; isOpen(): boolean };
type Answer = { status: number; body: unknown };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      name: { type: 'string' },
      port: { type: 'string', default: '0' },
      contexts: { type: 'string', default: String(Math.min(4, availableParallelism())) },
      'context-size': { type: 'string', default: '2048' },
    },
  });
  if (!values.model) throw new ConfigProblem('--model is missing', { advice: 'Give the path of a GGUF file.' });
  const room = await open({
    file: values.model,
    name: values.name ?? basename(values.model).replace(/\.gguf$/i, ''),
    contexts: atLeastOne('contexts', values.contexts),
    contextSize: atLeastOne('context-size', values['context-size']),
  });

  const stopping = new AbortController();
  const door: Door = { room, stopping: stopping.signal, isOpen: () => server.listening };
  const server = createServer((request, response) => void serve(request, response, door));
  server.listen(Number(values.port), '127.0.0.1', () => {
    const address = server.address();
    console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : null }));
  });
  server.on('error', fail);
  process.once('SIGTERM', () => {
    server.close(() => process.exit(0));
    setTimeout(() => stopping.abort(new Overloaded('the server is stopping')), GRACE_MS).unref();
    // A native call that does not return must not keep us; whoever waits has been answered by then.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2 * GRACE_MS).unref();
    void room.pool.close();
  });
}

async function open(opts: { file: string; name: string; contexts: number; contextSize: number }): Promise<Room> {
  const engine = await installEngine({ report: (line) => console.error(line) });
  const model = await loadModel(engine, opts.file);
  if (opts.contextSize > model.trainContextSize) {
    throw new ConfigProblem(`--context-size ${opts.contextSize} is more than the model was trained for`, {
      advice: `Give at most ${model.trainContextSize}.`,
    });
  }
  const sequences = await openSequences(model, { count: opts.contexts, contextSize: opts.contextSize });
  const description: Description = {
    id: opts.name,
    object: 'model',
    owned_by: 'uturn',
    root: opts.file,
    max_model_len: opts.contextSize,
    uturn: {
      weights: await sha256OfFile(opts.file),
      // The library's summary ends with how the weights are stored: "llama 135M Q4_1".
      dtype: model.typeDescription.split(' ').slice(2).join(' ').toLowerCase(),
      engine: { name: 'node-llama-cpp', version: engine.version },
      template: model.fileInfo.metadata.tokenizer?.chat_template ?? '',
      bos_token: model.tokens.bosString ?? '',
      eos_token: model.tokens.eosString ?? '',
    },
  };
  const pool = createPool(sequences, { longestQueue: LONGEST_QUEUE });
  return { id: opts.name, model, contextSize: opts.contextSize, pool, description };
}

async function serve(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort(CLIENT_GONE));
  const signal = AbortSignal.any([gone.signal, door.stopping]);
  const answer = await answerTo(request, door.room, signal).catch(errorAnswer);
  if (response.destroyed) return;
  const headers = { 'content-type': 'application/json', ...(!door.isOpen() && { connection: 'close' }) };
  response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
}

async function answerTo(request: IncomingMessage, room: Room, signal: AbortSignal): Promise<Answer> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  switch (`${request.method} ${path}`) {
    case 'GET /health':
      return { status: 200, body: room.pool.state() };
    case 'GET /v1/models':
      return { status: 200, body: { object: 'list', data: [room.description] } };
    case 'POST /tokenize': {
      const { text, addSpecial } = textToTokenize(await bodyOf(request), room);
      const tokens = tokenize(room.model, text, addSpecial);
      return { status: 200, body: { count: tokens.length, max_model_len: room.contextSize, tokens, token_strs: null } };
    }
    case 'POST /detokenize':
      return {
        status: 200,
        body: { prompt: room.model.detokenize(tokensToDetokenize(await bodyOf(request), room), true) },
      };
    case 'POST /v1/completions':
      return complete(await bodyOf(request), room, signal);
    default:
      throw new Refusal(404, `There is no ${request.method} ${path} here.`);
  }
}

async function complete(body: unknown, room: Room, signal: AbortSignal): Promise<Answer> {
  const { order, returnIds } = completionOrder(body, room);
  const made = await room.pool.run((sequence) => generate(order, { model: room.model, sequence, signal }), signal);
  const choice = {
    index: 0,
    text: made.text,
    logprobs: null,
    finish_reason: made.finish,
    stop_reason: made.reason,
    token_ids: returnIds ? made.ids : null,
    prompt_token_ids: returnIds ? order.prompt : null,
  };
  const usage = {
    prompt_tokens: order.prompt.length,
    completion_tokens: made.ids.length,
    total_tokens: order.prompt.length + made.ids.length,
  };
  const created = Math.floor(Date.now() / 1000);
  const head = { id: `cmpl-${randomUUID()}`, object: 'text_completion', created, model: room.id };
  return { status: 200, body: { ...head, choices: [choice], usage } };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Refusal(413, `The request is larger than ${LARGEST_BODY} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The request is not JSON.');
  }
}

function errorAnswer(error: unknown): Answer {
  if (error instanceof Refusal) {
    return errorBody(error.status, error.status === 404 ? 'NotFoundError' : 'BadRequestError', error.message);
  }
  if (error === CLIENT_GONE) return errorBody(499, 'ClientClosedRequest', CLIENT_GONE.message); // nobody reads it
  if (error instanceof Overloaded) return errorBody(503, 'ServiceUnavailableError', error.message);
  const message = error instanceof Error ? error.message : String(error);
  console.error(error);
  return errorBody(500, 'InternalServerError', message);
}

function errorBody(status: number, type: string, message: string): Answer {
  return { status, body: { error: { message, type, param: null, code: status } } };
}

function atLeastOne(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new ConfigProblem(`--${option} ${text} is not a number of at least 1`);
}

function fail(problem: unknown): never {
  console.error(problem instanceof ConfigProblem ? sentence(problem) : problem);
  process.exit(problem instanceof ConfigProblem ? 2 : 1);
}

await main().catch(fail);
