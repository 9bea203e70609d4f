// With the real model: fetched into the cache when it is not there yet.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ConfigProblem } from '../../domain/problems.ts';
import { LOCAL_MODELS, resolveLocalModel } from '../../local/llama/models.ts';
import { answers, type LlamaServer, startLlamaServer } from '../../local/llama/start.ts';
import { until } from '../../local/until.ts';

type Choice = {
  text: string;
  finish_reason: 'stop' | 'length';
  stop_reason: number | string | null;
  token_ids: number[];
  prompt_token_ids: number[];
};

/** Whatever some answer of the server holds. */
type Body = {
  choices: Choice[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  error: { type: string; message: string };
  tokens: number[];
  prompt: string;
  waiting: number;
  free: number;
  data: { uturn: { template: string } }[];
};

vi.setConfig({ testTimeout: 60_000 });

const logs = await mkdtemp(join(tmpdir(), 'uturn-llama-'));
const report = () => {};
let server: LlamaServer;
let file: string;

const start = (contexts: number, logFile: string) =>
  startLlamaServer({ file, name: 'smollm2-135m', contexts, contextSize: 512, logFile: join(logs, logFile), report });

beforeAll(async () => {
  ({ file } = await resolveLocalModel('smollm2-135m', { baseDir: '.', report }));
  server = await start(3, 'server.log');
}, 300_000);

afterAll(() => server.stop());

async function post(path: string, body: unknown, signal?: AbortSignal): Promise<{ status: number; body: Body }> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  return { status: response.status, body: await bodyOf(response) };
}

async function bodyOf(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

const state = async (url: string) => bodyOf(await fetch(`${url}/health`));

async function complete(request: Record<string, unknown>): Promise<Choice> {
  const { body } = await post('/v1/completions', { max_tokens: 12, seed: 1, return_token_ids: true, ...request });
  const [choice] = body.choices ?? [];
  if (!choice) throw new Error(JSON.stringify(body));
  return choice;
}

const chat = (question: string) => `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;
const tokens = async (prompt: string): Promise<number[]> => (await post('/tokenize', { prompt })).body.tokens;
const refusal = async (request: Record<string, unknown>) => {
  const { status, body } = await post('/v1/completions', { prompt: 'Hello', ...request });
  return [status, body.error.type, body.error.message];
};

const questions = ['moons', 'bread', 'rain', 'chess', 'whales', 'salt', 'bridges', 'sleep'].map((word, place) =>
  chat(`${'Think well. '.repeat(place)}Tell me about ${word}.`),
);

test.each([0, 1])(
  'eight texts at once are the eight texts one after the other, at temperature %d',
  async (temperature) => {
    const ask = async (prompt: string, seed: number) =>
      (await complete({ prompt, seed, temperature, max_tokens: 10 })).token_ids;
    const together = await Promise.all(questions.map(ask));
    const serial: number[][] = [];
    for (const [seed, prompt] of questions.entries()) serial.push(await ask(prompt, seed));
    expect(together).toEqual(serial);
    expect(new Set(serial.map(String)).size).toBe(8);
  },
);

test('a text and its token ids are the same prompt', async () => {
  const prompt = chat('Why is the sky blue?');
  const ids = await tokens(prompt);
  const asText = await complete({ prompt, temperature: 1 });
  expect(asText.prompt_token_ids).toEqual(ids);
  expect(await complete({ prompt: ids, temperature: 1 })).toEqual(asText);
});

test('a seed fixes the text, another seed changes it, greedy has none', async () => {
  const prompt = chat('Invent a name for a boat.');
  const texts = (requests: Record<string, unknown>[]) =>
    Promise.all(requests.map(async (request) => (await complete({ prompt, ...request })).text));
  const [a, again, b, greedy, otherGreedy] = await texts([
    { temperature: 1, seed: 11 },
    { temperature: 1, seed: 11 },
    { temperature: 1, seed: 12 },
    { temperature: 0, seed: 11 },
    { temperature: 0, seed: 12 },
  ]);
  expect(again).toBe(a);
  expect(b).not.toBe(a);
  expect(otherGreedy).toBe(greedy);
});

test('the seed that llama.cpp takes for "random" is a seed like any other', async () => {
  const request = { prompt: chat('Invent a word.'), temperature: 1, seed: 2 ** 32 - 1 };
  expect(await complete(request)).toEqual(await complete(request));
});

test('a generation that ends by itself has the end token in its ids and not in its text', async () => {
  const choice = await complete({
    prompt: chat('What is 2+2? Answer with a number only.'),
    temperature: 0,
    max_tokens: 30,
  });
  const [end] = await tokens('<|im_end|>');
  expect({ finish: choice.finish_reason, reason: choice.stop_reason, last: choice.token_ids.at(-1) }).toEqual({
    finish: 'stop',
    reason: null,
    last: end,
  });
  expect(await tokens(choice.text)).toEqual(choice.token_ids.slice(0, -1));
});

test('generation goes on over end tokens where they are not in play, and shows them where asked', async () => {
  const prompt = chat('What is 2+2? Answer with a number only.');
  const choice = await complete({ prompt, temperature: 0, ignore_eos: true, skip_special_tokens: false });
  expect(choice.finish_reason).toBe('length');
  expect(choice.token_ids).toHaveLength(12);
  expect(choice.text).toContain('<|im_end|>');
});

test('stop tokens and stop strings cut a text, and say which one did', async () => {
  const prompt = chat('Count from one to ten.');
  const whole = await complete({ prompt, temperature: 0 });
  const token = whole.token_ids[5] ?? -1;
  const until5 = whole.token_ids.slice(0, whole.token_ids.indexOf(token) + 1);
  const cut = await complete({ prompt, temperature: 0, stop_token_ids: [token] });
  expect([cut.token_ids, cut.finish_reason, cut.stop_reason]).toEqual([until5, 'stop', token]);
  expect(cut.text).toBe((await post('/detokenize', { tokens: until5.slice(0, -1) })).body.prompt);

  const word = whole.text.slice(4, 9);
  const short = await complete({ prompt, temperature: 0, stop: [word, 'not in it'] });
  expect(short.text).toBe(whole.text.slice(0, whole.text.indexOf(word)));
  expect([short.finish_reason, short.stop_reason]).toEqual(['stop', word]);
});

test.each([
  chat('Two  spaces, a tab\t, and a line\n'),
  'no special tokens , and spaces before punctuation !',
  '<|endoftext|><|im_start|>assistant',
  'e\u0301 \u65e5\u672c \ud83d\ude00 \u0000 \u0085',
])('tokens of %j become the text again', async (prompt) => {
  const { body } = await post('/tokenize', { prompt, add_special_tokens: false });
  expect(body).toEqual({ count: body.tokens.length, max_model_len: 512, tokens: body.tokens, token_strs: null });
  expect((await post('/detokenize', { tokens: body.tokens })).body).toEqual({ prompt });
});

test('special tokens in a text are one token each', async () => {
  expect(await tokens('<|im_start|><|im_end|><|endoftext|>')).toEqual([1, 2, 0]);
});

test('frequency and repetition penalties change a repeating text', async () => {
  const prompt = 'a b a b a b a b a b a b a b';
  const [plain, frequency, repetition] = await Promise.all(
    [{}, { frequency_penalty: 2 }, { repetition_penalty: 1.8 }].map((penalty) =>
      complete({ prompt, temperature: 0, ...penalty }),
    ),
  );
  expect(plain?.text).toBe(' a b a b a b a b a b a b');
  expect(frequency?.text.startsWith(' a b')).toBe(true); // it counts what was generated, not the prompt
  expect(frequency?.text).not.toBe(plain?.text);
  expect(repetition?.text.startsWith(' a')).toBe(false); // it counts the prompt
});

test.each<[Record<string, unknown>, number, string, string]>([
  [
    { max_tokens: 512 },
    400,
    'BadRequestError',
    "The prompt has 1 tokens and max_tokens is 512; together they exceed this model's maximum context length of 512 tokens. Shorten the prompt or lower max_tokens.",
  ],
  [{ prompt: [49_152] }, 400, 'BadRequestError', 'token 49152 is not in the vocabulary of 49152 tokens.'],
  [{ prompt: [-1] }, 400, 'BadRequestError', 'prompt.0: Too small: expected number to be >=0'],
  [{ prompt: ['one', 'two'] }, 400, 'BadRequestError', 'prompt: one text or one list of token ids is expected'],
  [{ prompt: '' }, 400, 'BadRequestError', 'prompt: it has no tokens; there is nothing to continue.'],
  [{ n: 2 }, 400, 'BadRequestError', 'n: this server cannot do 2; leave it out.'],
  [{ watermarking: true }, 400, 'BadRequestError', 'watermarking: this server cannot do true; leave it out.'],
  [{ logprobs: 0 }, 400, 'BadRequestError', 'logprobs: this server cannot do 0; leave it out.'],
  [{ mirostat: 2 }, 400, 'BadRequestError', 'Unrecognized key: "mirostat"'],
  [{ top_p: 0 }, 400, 'BadRequestError', 'top_p: Too small: expected number to be >0'],
  [{ model: 'other' }, 404, 'NotFoundError', 'There is no model "other" here, only "smollm2-135m".'],
  [
    { repetition_penalty: 1.1, presence_penalty: 1 },
    400,
    'BadRequestError',
    'repetition_penalty: this server cannot combine it with presence_penalty or frequency_penalty (llama.cpp applies all three to the same tokens, but repetition counts the prompt and the others do not).',
  ],
])('%j is refused', async (request, status, type, message) => {
  expect(await refusal(request)).toEqual([status, type, message]);
});

test('messages, broken JSON and unknown addresses are refused', async () => {
  expect((await post('/tokenize', { messages: [] })).body.error.message).toBe(
    'messages: this server applies no chat templates; send the finished text as prompt.',
  );
  const broken = await fetch(`${server.url}/v1/completions`, { method: 'POST', body: '{' });
  expect([broken.status, await broken.json()]).toEqual([
    400,
    { error: { message: 'The request is not JSON.', type: 'BadRequestError', param: null, code: 400 } },
  ]);
  expect((await post('/v1/chat/completions', {})).status).toBe(404);
});

test('a prompt and max_tokens that fill the context to the last token are served', async () => {
  const prompt = Array.from({ length: 502 }, () => 28);
  const { body } = await post('/v1/completions', { prompt, max_tokens: 10, ignore_eos: true });
  expect(body.usage).toEqual({ prompt_tokens: 502, completion_tokens: 10, total_tokens: 512 });
});

test('the model says which weights, engine and template it is', async () => {
  const { data } = await bodyOf(await fetch(`${server.url}/v1/models`));
  const template = data[0]?.uturn.template;
  expect(template).toContain('<|im_start|>');
  expect(data).toEqual([
    {
      id: 'smollm2-135m',
      object: 'model',
      owned_by: 'uturn',
      root: file,
      max_model_len: 512,
      uturn: {
        weights: LOCAL_MODELS['smollm2-135m']?.sha256,
        dtype: 'q4_1',
        engine: { name: 'node-llama-cpp', version: '3.21.1' },
        template,
        bos_token: '<|im_start|>',
        eos_token: '<|im_end|>',
      },
    },
  ]);
});

test('clients that leave free their contexts, waiting ones too', async () => {
  const leaving = new AbortController();
  const request = { prompt: chat('Tell me a long story.'), max_tokens: 400, ignore_eos: true };
  const left = Promise.allSettled(Array.from({ length: 5 }, () => post('/v1/completions', request, leaving.signal)));
  await until(async () => (await state(server.url)).waiting === 2, 5_000);
  expect(await state(server.url)).toEqual({ free: 0, waiting: 2 });
  leaving.abort();
  await left;
  await until(async () => (await state(server.url)).free === 3, 5_000);
  expect(await state(server.url)).toEqual({ free: 3, waiting: 0 });
});

test('a stopped server finishes what it generates, turns away what waits, and is gone', async () => {
  const short = await start(1, 'stopped.log');
  const ask = (max_tokens: number) =>
    fetch(`${short.url}/v1/completions`, {
      method: 'POST',
      body: JSON.stringify({ prompt: chat('Tell me about rain.'), max_tokens, ignore_eos: true }),
    });
  const running = ask(30);
  await until(async () => (await state(short.url)).free === 0, 5_000);
  const waiting = ask(1);
  await until(async () => (await state(short.url)).waiting === 1, 5_000);
  await short.stop();
  const usage = (await bodyOf(await running)).usage.completion_tokens;
  expect([usage, (await waiting).status, await answers(short.url, 1_000)]).toEqual([30, 503, false]);
});

test('a file that does not load ends the start with what the server said', async () => {
  const damaged = join(logs, 'damaged.gguf');
  await writeFile(damaged, 'GGUF');
  const problem = await startLlamaServer({ file: damaged, logFile: join(logs, 'damaged.log'), report }).catch(
    (error) => error,
  );
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(problem.message).toContain('the local model server ended at its start; it said:');
  expect(problem.message).toContain(`${damaged} cannot be loaded`);
});
