import { expect, test } from 'vitest';
import { RequestRefused } from '../../../activities/inference/completion.ts';
import { startFakeServer } from '../../fakes/model-server.ts';
import { type Scripted, startScriptedServer } from '../../fakes/scripted-server.ts';
import { tokenize } from '../../fakes/tokenizer.ts';
import { asking, clientOf, failureOf, toldBy, untilDone } from './asking.ts';

const question = [{ role: 'user' as const, content: 'What is 2 + 2?' }];
const uturn = {
  weights: 'ab'.repeat(32),
  dtype: 'q4_1',
  engine: { name: 'fake', version: '1' },
  template: '{{ x }}',
  bos_token: '',
  eos_token: '<|im_end|>',
};

test('text becomes ids as it stands, and back', async () => {
  await using fake = await startFakeServer();
  const client = clientOf(fake.url);
  const text = '<|im_start|>user\nA\ud835 \u0000 é 𝔸<|im_end|>\n';
  const ids = await client.tokenize(text);
  expect(ids).toEqual(tokenize(text));
  expect(await client.detokenize(ids ?? [])).toBe(text);
});

test('a prompt as text and as ids are one prompt', async () => {
  await using fake = await startFakeServer();
  const client = clientOf(fake.url);
  const prompt = '<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n<|im_start|>assistant\n';
  const text = await client.complete(asking(prompt), untilDone);
  const ids = await client.complete(asking((await client.tokenize(prompt)) ?? []), untilDone);
  expect(ids).toEqual(text);
  expect(text.completion.promptIds).toEqual(tokenize(prompt));
  expect(fake.stats()).toMatchObject({ distinct: 1, repeated: 1 });
});

test.each([
  ['assistant', '<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n<|im_start|>assistant\n'],
  ['none', '<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n'],
] as const)('the server’s own template is applied, with generation %s', async (generation, text) => {
  await using fake = await startFakeServer();
  expect(await clientOf(fake.url).renderChat(question, { generation, kwargs: {} })).toBe(text);
});

test('a rendering says what the template gets, and that nothing is added', async () => {
  await using server = await startScriptedServer(({ path }) => ({
    body: path === '/tokenize' ? { count: 2, max_model_len: 8, tokens: [1, 2] } : { prompt: 'rendered' },
  }));
  const kwargs = { enable_thinking: false };
  expect(await clientOf(server.url).renderChat(question, { generation: 'none', kwargs })).toBe('rendered');
  expect(server.seen.map(({ path, body }) => [path, body])).toEqual([
    [
      '/tokenize',
      {
        model: 'fake-chat',
        messages: question,
        add_generation_prompt: false,
        continue_final_message: false,
        add_special_tokens: false,
        chat_template_kwargs: kwargs,
      },
    ],
    ['/detokenize', { model: 'fake-chat', tokens: [1, 2] }],
  ]);
});

test.each<[what: string, reply: Scripted]>([
  ['no such path', { status: 404, body: { detail: 'Not Found' } }],
  ['no such method', { status: 405 }],
  ['llama.cpp’s own', { body: { tokens: [] } }],
])('a server with %s has no tokenizer, and is not asked again', async (_, reply) => {
  await using server = await startScriptedServer(() => reply);
  const client = clientOf(server.url);
  expect(await client.tokenize('a')).toBeNull();
  expect(await client.tokenize('b')).toBeNull();
  expect(await client.renderChat(question, { generation: 'assistant', kwargs: {} })).toBeNull();
  expect(server.seen).toHaveLength(1);
});

test('a plain server has no tokenizer and no ids', async () => {
  await using fake = await startFakeServer({ dialect: 'plain' });
  const client = clientOf(fake.url);
  expect(await client.tokenize('a')).toBeNull();
  expect(await client.detokenize([1])).toBeNull();
  expect(await client.renderChat(question, { generation: 'assistant', kwargs: {} })).toBeNull();
  expect((await client.complete(asking('Hi'), untilDone)).completion).toMatchObject({ ids: null, promptIds: null });
});

test.each([
  'you must provide a chat template if the tokenizer does not define one.',
  'messages: this server applies no chat templates; send the finished text as prompt.',
])('a server that says “%s” cannot render', async (message) => {
  await using server = await startScriptedServer(() => ({ status: 400, body: { error: { message } } }));
  expect(await clientOf(server.url).renderChat(question, { generation: 'assistant', kwargs: {} })).toBeNull();
});

test('a template that refuses these messages is a problem with its own words', async () => {
  const message = 'Conversation roles must alternate';
  await using server = await startScriptedServer(() => ({ status: 400, body: { error: { message } } }));
  const client = clientOf(server.url);
  expect(await toldBy(client.renderChat(question, { generation: 'assistant', kwargs: {} }))).toBe(
    `the chat template cannot be applied: ${server.url} answered 400: ${message}\n` +
      '  Some templates refuse a system message, or two turns of one side in a row.',
  );
  expect(await failureOf(client.tokenize('a'))).toEqual(
    Object.assign(new RequestRefused('refused', `${server.url} answered 400: ${message}`), { requests: 1 }),
  );
});

test('a tokenizer asked for a model it does not have is a wrong config, not a missing tokenizer', async () => {
  const message = 'The model `fake-chat` does not exist.';
  await using server = await startScriptedServer(({ path }) =>
    path === '/v1/models' ? { body: { data: [{ id: 'other' }] } } : { status: 404, body: { error: { message } } },
  );
  expect(await toldBy(clientOf(server.url).tokenize('a'))).toBe(
    `the server at ${server.url} does not serve fake-chat; it serves other\n  Name one of its models in the config, or ` +
      'start the server with this one.',
  );
});

test('the tokenizer’s faults are retried too', async () => {
  await using server = await startScriptedServer((_, number) =>
    number < 3 ? { status: 503 } : { body: { count: 1, max_model_len: 8, tokens: [9] } },
  );
  expect(await clientOf(server.url).tokenize('a')).toEqual([9]);
});

test('a served model is described by what its server says', async () => {
  await using vllm = await startFakeServer({ contextLength: 2_048, version: '0.32.0' });
  await using plain = await startFakeServer({ dialect: 'plain' });
  await using ours = await startFakeServer({ uturn });
  expect(await Promise.all([vllm, plain, ours].map(({ url }) => clientOf(url).describe()))).toEqual([
    { id: 'fake-chat', max_model_len: 2_048, engine: { name: 'vllm', version: '0.32.0' }, uturn: null },
    { id: 'fake-chat', max_model_len: null, engine: null, uturn: null },
    { id: 'fake-chat', max_model_len: 32_768, engine: uturn.engine, uturn },
  ]);
});

test('a server says whether it was started batch-invariant, or nothing', async () => {
  await using on = await startFakeServer({ batchInvariant: true });
  await using off = await startFakeServer({ batchInvariant: false });
  await using silent = await startFakeServer();
  await using odd = await startScriptedServer(() => ({ body: { vllm_env: { VLLM_BATCH_INVARIANT: '1' } } }));
  await using other = await startScriptedServer(() => ({ body: { info: [] } }));
  const all = [on, off, silent, odd, other].map(({ url }) => clientOf(url).batchInvariant());
  expect(await Promise.all(all)).toEqual([true, false, null, true, null]);
});

test('an address without /v1/models is no such server', async () => {
  await using server = await startScriptedServer(() => ({ status: 404, body: 'nothing here' }));
  expect(await toldBy(clientOf(server.url).describe())).toBe(
    `${server.url} has no /v1/models, so it is no OpenAI-compatible server\n  Give its address up to, or with, /v1.`,
  );
});

test('names of models are shown on one line, ten at most', async () => {
  const data = Array.from({ length: 12 }, (_, at) => ({ id: `m${at}\u001b[31m` }));
  await using server = await startScriptedServer(() => ({ body: { data } }));
  const names = Array.from({ length: 10 }, (_, at) => `m${at} [31m`).join(', ');
  expect(await toldBy(clientOf(server.url).describe())).toBe(
    `the server at ${server.url} does not serve fake-chat; it serves ${names} and 2 more\n  Name one of its models in ` +
      'the config, or start the server with this one.',
  );
});
