import { expect, test } from 'vitest';
import { RequestRefused } from '../../../activities/inference/completion.ts';
import { WorldProblem } from '../../../domain/problems.ts';
import { startFakeServer } from '../../fakes/model-server.ts';
import { type Scripted, startScriptedServer } from '../../fakes/scripted-server.ts';
import { asking, clientOf, completionReply, failureOf, neutral, toldBy, untilDone } from './asking.ts';

test('everything that decides a sample is sent', async () => {
  await using server = await startScriptedServer(() => ({ body: completionReply('Yes.') }));
  const request = asking([1, 2], { stop_token_ids: [2], stop: ['\nuser'], sampling: { ...neutral, top_k: 40 } });

  await clientOf(server.url, { apiKey: 'sk-secret' }).complete(request, untilDone);

  expect(
    server.seen.map(({ method, path, headers, body }) => ({ method, path, key: headers.authorization, body })),
  ).toEqual([
    {
      method: 'POST',
      path: '/v1/completions',
      key: 'Bearer sk-secret',
      body: {
        model: 'fake-chat',
        prompt: [1, 2],
        max_tokens: 64,
        temperature: 1,
        seed: 1,
        stop_token_ids: [2],
        stop: ['\nuser'],
        top_p: 1,
        top_k: 40,
        min_p: 0,
        presence_penalty: 0,
        frequency_penalty: 0,
        repetition_penalty: 1,
        n: 1,
        stream: false,
        return_token_ids: true,
        skip_special_tokens: false,
        spaces_between_special_tokens: false,
        add_special_tokens: false,
        watermarking: false,
      },
    },
  ]);
});

test('an address may end in a slash, in /v1, or in a path of its own', async () => {
  await using server = await startScriptedServer(() => ({ body: completionReply('Yes.') }));
  for (const end of ['', '/', '/v1', '/v1/', '/models/a', '/models/a/v1']) {
    await clientOf(server.url + end).complete(asking('Hi'), untilDone);
  }
  expect(server.seen.map((one) => one.path)).toEqual([
    ...Array.from({ length: 4 }, () => '/v1/completions'),
    '/models/a/v1/completions',
    '/models/a/v1/completions',
  ]);
});

test.each<[what: string, reply: unknown, completion: unknown]>([
  [
    'vLLM, with token ids',
    completionReply('Yes.'),
    { text: 'Yes.', finish: 'stop', ids: [7, 2], promptIds: [5], usage: { prompt: 1, completion: 2 } },
  ],
  [
    'a plain server, without them',
    { choices: [{ text: '', finish_reason: 'length' }], usage: { prompt_tokens: 9, completion_tokens: 64 } },
    { text: '', finish: 'length', ids: null, promptIds: null, usage: { prompt: 9, completion: 64 } },
  ],
  [
    'prompt ids beside the choices, and no usage',
    { choices: [{ text: 'a', finish_reason: 'eos_token', token_ids: [7] }], prompt_token_ids: [5, 6], usage: null },
    { text: 'a', finish: 'stop', ids: [7], promptIds: [5, 6], usage: { prompt: 2, completion: 1 } },
  ],
])('a reply of %s is read', async (_, body, completion) => {
  await using server = await startScriptedServer(() => ({ body }));
  expect(await clientOf(server.url).complete(asking('Hi'), untilDone)).toEqual({
    completion,
    requests: 1,
    away: false,
  });
});

test('lone surrogates, NULs and separators cross the wire exactly, both ways', async () => {
  const odd = 'a\ud835b\udc00\u0000\u2028\ufeff\u001b[31m 𝔸 <|im_end|>';
  await using server = await startScriptedServer(() => ({
    body: JSON.stringify(completionReply('%')).replace('%', JSON.stringify(odd).slice(1, -1)),
  }));

  const { completion } = await clientOf(server.url).complete(asking(odd), untilDone);

  expect(completion.text).toBe(odd);
  expect(server.seen[0]?.body).toMatchObject({ prompt: odd });
});

const foreign = 'answers, but not as an OpenAI-compatible server does:';
test.each<[what: string, reply: Scripted, kind: string, message: string]>([
  ['no JSON', { body: '<html>busy</html>' }, 'bad_reply', 'answered with 17 characters that are no JSON'],
  ['half a reply', { body: '{"choices":[{"text":"Ye' }, 'bad_reply', 'answered with 23 characters that are no JSON'],
  ['nothing', { body: '' }, 'bad_reply', 'answered with 0 characters that are no JSON'],
  ['a list', { body: '[]' }, 'foreign_reply', `${foreign} it is []`],
  [
    'no choices',
    { body: { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } } },
    'foreign_reply',
    `${foreign} choices is []`,
  ],
  [
    'a chat’s reply',
    { body: { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] } },
    'foreign_reply',
    `${foreign} choices[0].text is missing`,
  ],
  [
    'a choice without an end',
    { body: completionReply('Yes.', { finish_reason: null }) },
    'foreign_reply',
    `${foreign} choices[0].finish_reason is null`,
  ],
  [
    'an aborted choice',
    { body: completionReply('Ye', { finish_reason: 'abort' }) },
    'bad_reply',
    'answered with a completion that ended with "abort"',
  ],
  [
    'neither counts nor ids',
    { body: { choices: [{ text: 'a', finish_reason: 'stop' }] } },
    'foreign_reply',
    `${foreign} usage is missing`,
  ],
  [
    'bytes that are no UTF-8',
    { body: Buffer.from('{"choices":[{"text":"\xff","finish_reason":"stop"}]}', 'latin1') },
    'bad_reply',
    'answered with bytes that are no UTF-8',
  ],
  [
    'more than the tokens can hold',
    { body: completionReply('y'.repeat(8_001)) },
    'bad_reply',
    'answered with 8001 characters for at most 8 tokens',
  ],
  [
    'an error under a status of success',
    { body: { error: { message: 'the model is\nloading' } } },
    'server_error',
    'answered 200 with an error: the model is loading',
  ],
])('a reply with %s is asked for again, and then the server’s fault', async (_, reply, kind, message) => {
  await using server = await startScriptedServer(() => reply);
  const failure = await failureOf(clientOf(server.url).complete(asking('Hi', { max_tokens: 8 }), untilDone));
  expect(failure).toBeInstanceOf(WorldProblem);
  expect(failure).toMatchObject({ kind, message: `${server.url} ${message}` });
  expect(server.seen).toHaveLength(5);
});

test.each<[what: string, status: number, body: unknown, kind: string, message: string]>([
  [
    'vLLM’s context length',
    400,
    {
      error: { message: "This model's maximum context length is 2048 tokens. However, you asked for 4000.", code: 400 },
    },
    'context_length',
    "answered 400: This model's maximum context length is 2048 tokens. However, you asked for 4000.",
  ],
  [
    'OpenAI’s code',
    400,
    { error: { message: 'Too much.', code: 'context_length_exceeded' } },
    'context_length',
    'answered 400: Too much.',
  ],
  [
    'vLLM’s word for a full context',
    400,
    { error: { message: 'max_tokens must be at least 1, got 0. (parameter=max_tokens, value=0)' } },
    'context_length',
    'answered 400: max_tokens must be at least 1, got 0. (parameter=max_tokens, value=0)',
  ],
  ['a validation list', 422, { detail: [{ loc: ['prompt'] }] }, 'refused', 'answered 422: [{"loc":["prompt"]}]'],
  ['control characters', 400, { message: 'no\u001b[2J\n\nway \u202e' }, 'refused', 'answered 400: no [2J way'],
  ['a page', 413, 'x'.repeat(1_000_000), 'refused', `answered 413: ${'x'.repeat(300)}…`],
  ['silence', 418, '', 'refused', 'answered 418: nothing more'],
])('a refusal with %s is asked once and is the prompt’s', async (_, status, body, kind, message) => {
  await using server = await startScriptedServer(() => ({ status, body }));
  const failure = await failureOf(clientOf(server.url).complete(asking('Hi'), untilDone));
  expect(failure).toEqual(Object.assign(new RequestRefused(kind, `${server.url} ${message}`), { requests: 1 }));
  expect(server.seen).toHaveLength(1);
});

test('a completion that the context cut off before its limit is no truncated one, but that item’s error', async () => {
  await using fake = await startFakeServer({ contextLength: 40, world: { answers: { endless: 1 } } });
  const client = clientOf(fake.url);
  const at = (prompt: number, max_tokens: number) =>
    client.complete(asking(Array(prompt).fill(1), { max_tokens }), untilDone);

  expect((await at(10, 5)).completion).toMatchObject({ finish: 'length', usage: { prompt: 10, completion: 5 } });
  expect(await failureOf(at(37, 5))).toEqual(
    Object.assign(
      new RequestRefused(
        'context_length',
        `${fake.url} cut the completion off after 3 of 5 tokens: its context is full, or it has a limit of its own`,
      ),
      { requests: 1 },
    ),
  );
  for (const [prompt, limit] of [
    [40, 5],
    [41, 5],
    [1, 41],
  ] as const) {
    expect(await failureOf(at(prompt, limit))).toMatchObject({ kind: 'context_length', requests: 1 });
  }
});

test.each<[status: number, apiKey: string | null, says: string]>([
  [401, 'sk-secret', 'refused the key (401)'],
  [403, 'sk-secret', 'refused the key (403)'],
  [401, null, 'asks for a key, and none is given (401)'],
])('status %i with key %s: a sentence that says what to set', async (status, apiKey, says) => {
  await using server = await startScriptedServer(({ headers }) => ({
    status,
    body: { error: `bad key ${headers.authorization}` },
  }));
  expect(await toldBy(clientOf(server.url, { apiKey }).complete(asking('Hi'), untilDone))).toBe(
    `the model server at ${server.url} ${says}\n  Name the environment variable that holds its key beside ` +
      'the address (`api_key_env`), and set it where the worker starts.',
  );
  expect(server.seen).toHaveLength(1);
});

test('the key is in no error, whatever the server makes of it', async () => {
  const apiKey = 'sk-very-secret-0123';
  const replies: Scripted[] = [
    ...[400, 401, 403, 422, 429, 500].map((status) => ({
      status,
      body: { error: { message: `key ${apiKey} is bad` } },
    })),
    { status: 302, headers: { location: `https://elsewhere.test/${'?'}key=${apiKey}` } },
    { body: `not JSON ${apiKey}` },
    'cut',
  ];
  for (const reply of replies) {
    await using server = await startScriptedServer(() => reply);
    const failure = (await failureOf(clientOf(server.url, { apiKey }).complete(asking('Hi'), untilDone))) as Error;
    expect(`${failure.stack} ${JSON.stringify(failure)} ${String(failure.cause)}`).not.toContain(apiKey);
  }
});

test('a redirect is not followed: the key goes nowhere else', async () => {
  await using elsewhere = await startScriptedServer(() => ({ body: completionReply('Yes.') }));
  const location = `${elsewhere.url}/v1/completions`;
  await using server = await startScriptedServer(() => ({ status: 307, headers: { location } }));

  expect(await toldBy(clientOf(server.url, { apiKey: 'sk-secret' }).complete(asking('Hi'), untilDone))).toBe(
    `${server.url} redirects to ${location} (307), where the key is not sent after it\n  Give the final address in the config.`,
  );
  expect(elsewhere.seen).toEqual([]);
});

test('an unknown model is answered with those the server has', async () => {
  await using fake = await startFakeServer({ model: 'tiny' });
  const client = clientOf(fake.url, { model: 'huge' });
  const told =
    `the server at ${fake.url} does not serve huge; it serves tiny\n  Name one of its models in the config, or start ` +
    'the server with this one.';
  expect(await toldBy(client.complete(asking('Hi'), untilDone))).toBe(told);
  expect(await toldBy(client.describe())).toBe(told);
});

const chatModelOnly = 'This is a chat model and not supported in the v1/completions endpoint.';

test.each([
  ['without a word', { detail: 'Not Found' }],
  ['as hosted models say it', { error: { message: chatModelOnly, type: 'invalid_request_error', code: null } }],
])('a server that only chats is refused with a sentence: %s', async (_, body) => {
  await using server = await startScriptedServer(({ path }) =>
    path === '/v1/models' ? { body: { data: [{ id: 'fake-chat' }] } } : { status: 404, body },
  );
  expect(await toldBy(clientOf(server.url).complete(asking('Hi'), untilDone))).toBe(
    `the server at ${server.url} serves fake-chat, but has no /v1/completions\n  A server that only chats cannot be ` +
      'asked for a user turn: it needs raw completions, as vLLM and llama.cpp have them.',
  );
});

test.each([
  [
    'no URL',
    'localhost:8000',
    '"localhost:8000" is not the address of a model server\n  Give one like http://127.0.0.1:8000.',
  ],
  [
    'a password',
    'http://me:hunter2@host:8000',
    'the address of the model server at host:8000 holds a name, a password or a query\n' +
      '  Give the address alone; a key goes into an environment variable.',
  ],
  [
    'a query',
    'http://host:8000/v1?key=hunter2',
    'the address of the model server at host:8000 holds a name, a password or a query\n' +
      '  Give the address alone; a key goes into an environment variable.',
  ],
])('an address with %s is refused before anything is sent', async (_, url, told) => {
  expect(await toldBy((async () => clientOf(url))())).toBe(told);
});

test('a key with a line break in it is refused without being shown', async () => {
  expect(await toldBy((async () => clientOf('http://host:8000', { apiKey: 'sk-secret\n' }))())).toBe(
    'the key for http://host:8000 is empty or holds white space or other characters that no header takes\n' +
      '  Look for a line break at its end.',
  );
});
