import { afterEach, expect, test, vi } from 'vitest';
import { RequestRefused } from '../../../activities/inference/completion.ts';
import { WorldProblem } from '../../../domain/problems.ts';
import { type Scripted, startScriptedServer } from '../../fakes/scripted-server.ts';
import { failureOf, toldBy, untilDone } from '../inference/asking.ts';
import { chatBody, chatOf, chatting } from './asking.ts';

afterEach(() => vi.unstubAllEnvs());

test('everything that decides a reply is sent, and nothing that the environment holds', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-somebody-else');
  vi.stubEnv('OPENAI_ORG_ID', 'org-somebody-else');
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1');
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-somebody: else');
  await using server = await startScriptedServer(() => ({ body: chatBody('Hi.') }));
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };

  await chatOf(server.url, { apiKey: 'sk-secret' }).chat(
    chatting({ reasoning_effort: 'low', format: { type: 'json_schema', name: 'verdict', schema } }),
    untilDone,
  );
  await chatOf(`${server.url}/v1/`).chat(
    chatting({
      temperature: null,
      seed: null,
      max_tokens_as: 'max_tokens',
      format: { type: 'json_object' },
      extra_body: { chat_template_kwargs: { enable_thinking: false }, model: 'another' },
    }),
    untilDone,
  );

  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello?' },
  ];
  expect(server.seen.map(({ method, path, headers, body }) => ({ method, path, headers, body }))).toEqual([
    {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: expect.objectContaining({ authorization: 'Bearer sk-secret' }),
      body: {
        model: 'judge',
        messages,
        stream: false,
        max_completion_tokens: 64,
        temperature: 0,
        seed: 7,
        reasoning_effort: 'low',
        response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema, strict: true } },
      },
    },
    {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: expect.not.objectContaining({ authorization: expect.anything() }),
      body: {
        model: 'judge',
        messages,
        stream: false,
        max_tokens: 64,
        response_format: { type: 'json_object' },
        chat_template_kwargs: { enable_thinking: false },
      },
    },
  ]);
  expect(JSON.stringify(server.seen)).not.toContain('somebody');
});

const usage = { prompt: 11, completion: 5 };
const { usage: _, ...uncounted } = chatBody('Hi.');
test.each<[what: string, replies: Scripted[], counts: unknown[]]>([
  ['one that is taken', [{ body: chatBody('Hi.') }], [usage]],
  ['one that is filtered', [{ body: chatBody('', { finish: 'content_filter' }) }], [usage]],
  [
    'each that is given up half-way',
    Array(5).fill({ body: chatBody(null, { finish: 'tool_calls' }) }),
    Array(5).fill(usage),
  ],
  [
    'one without a choice, and the next',
    [{ body: { ...chatBody(''), choices: [] } }, { body: chatBody('Hi.') }],
    [usage, usage],
  ],
  ['one that says nothing of tokens', [{ body: uncounted }], [null]],
  [
    'one that counts in words',
    [{ body: { ...uncounted, usage: { prompt_tokens: 'some', completion_tokens: 5 } } }],
    [null],
  ],
  [
    'none that never came',
    [{ status: 500 }, 'cut', { body: { error: { message: 'Busy.' } } }, { body: chatBody('Hi.') }],
    [usage],
  ],
])('the tokens of every reply are told: of %s', async (_, replies, counts) => {
  await using server = await startScriptedServer((_, number) => replies[number - 1] ?? 'cut');
  const counted: unknown[] = [];
  await chatOf(server.url)
    .chat(chatting(), untilDone, (one) => counted.push(one))
    .catch(() => null);
  expect(counted).toEqual(counts);
});

test.each<[what: string, body: unknown, reply: unknown]>([
  ['plain', chatBody('Hi.'), { text: 'Hi.', finish: 'stop', refusal: null, reasoning: null }],
  ['uncounted', uncounted, { text: 'Hi.', finish: 'stop', refusal: null, reasoning: null }],
  ['cut', chatBody('H', { finish: 'length' }), { text: 'H', finish: 'length', refusal: null, reasoning: null }],
  [
    'a refusal',
    chatBody(null, { message: { refusal: 'I cannot.' } }),
    { text: '', finish: 'stop', refusal: 'I cannot.', reasoning: null },
  ],
  [
    'reasoning beside the text',
    chatBody('Hi.', { message: { reasoning_content: 'Greet.', refusal: undefined } }),
    { text: 'Hi.', finish: 'stop', refusal: null, reasoning: 'Greet.' },
  ],
])('a reply is read: %s', async (_, body, reply) => {
  await using server = await startScriptedServer(() => ({ body }));
  expect(await chatOf(server.url).chat(chatting(), untilDone)).toEqual({ reply, requests: 1 });
});

test('lone surrogates, NULs and separators cross the wire exactly, both ways', async () => {
  const odd = 'a\ud835b\udc00\u0000\u2028\ufeff\u001b[31m 𝔸 <|im_end|>';
  await using server = await startScriptedServer(() => ({ body: chatBody(odd) }));
  const { reply } = await chatOf(server.url).chat(chatting({ messages: [{ role: 'user', content: odd }] }), untilDone);
  expect(reply.text).toBe(odd);
  expect(server.seen[0]?.body).toMatchObject({ messages: [{ content: odd }] });
});

test.each<[what: string, kind: string, reply: Scripted]>([
  ['status 500', 'server_error', { status: 500, body: { error: { message: 'Oops.' } } }],
  ['status 429', 'overloaded', { status: 429, headers: { 'retry-after-ms': '5' }, body: 'slow down' }],
  ['no JSON', 'bad_reply', { body: '<html>busy</html>' }],
  ['half a reply', 'bad_reply', { body: '{"choices":[{"message":{"content":"H' }],
  ['nothing', 'bad_reply', { body: '' }],
  ['no choices', 'foreign_reply', { body: { ...chatBody('Hi.'), choices: [] } }],
  ['an error in the place of a reply', 'server_error', { body: { error: { message: 'Busy.' } } }],
  ['a tool call', 'bad_reply', { body: chatBody(null, { finish: 'tool_calls' }) }],
  ['bytes that are no UTF-8', 'bad_reply', { body: Buffer.from('{"choices":"\xff"}', 'latin1') }],
  ['a cut connection', 'cut', 'cut'],
])('%s is asked for again, and then the world’s: %s', async (_, kind, reply) => {
  await using server = await startScriptedServer(() => reply);
  const failure = await failureOf(chatOf(server.url).chat(chatting(), untilDone));
  expect(failure).toBeInstanceOf(WorldProblem);
  expect(failure).toMatchObject({ kind, requests: 5 });
  expect(server.seen).toHaveLength(5);
});

test('what fails a few times is had in the end, and every request is counted', async () => {
  const script: Scripted[] = [{ status: 503 }, 'cut', { status: 429, headers: { 'retry-after': '0' } }];
  await using server = await startScriptedServer((_, number) => script[number - 1] ?? { body: chatBody('Hi.') });
  const { reply, requests } = await chatOf(server.url).chat(chatting(), untilDone);
  expect([reply.text, requests]).toEqual(['Hi.', 4]);
});

test('a server that never answers is given up after the time allowed', async () => {
  await using server = await startScriptedServer(() => 'hang');
  const chat = chatOf(server.url, {
    timeoutMs: 60,
    policy: { attempts: 2, unreachable: 2, baseMs: 1, capMs: 1, askedCapMs: 1 },
  });
  expect(await failureOf(chat.chat(chatting(), untilDone))).toMatchObject({ kind: 'timeout', requests: 2 });
});

test('a port where nobody listens is unreachable', async () => {
  const failure = await failureOf(chatOf('http://127.0.0.1:9/v1').chat(chatting(), untilDone));
  expect(failure).toMatchObject({ kind: 'unreachable', requests: 0 });
});

test('an aborted call ends at once with its reason', async () => {
  await using server = await startScriptedServer(() => 'hang');
  const stop = new AbortController();
  const call = failureOf(chatOf(server.url).chat(chatting(), stop.signal));
  await vi.waitUntil(() => server.seen.length === 1);
  const reason = new Error('stopped');
  stop.abort(reason);
  expect(await call).toBe(reason);
});

test.each<[what: string, reply: Scripted, kind: string, message: string]>([
  [
    'too long',
    { status: 400, body: { error: { message: 'Too much.', code: 'context_length_exceeded' } } },
    'context_length',
    'answered 400: Too much.',
  ],
  [
    'filtered before',
    { status: 400, body: { error: { message: 'The prompt was filtered.', code: 'content_filter' } } },
    'refused',
    'answered 400: The prompt was filtered.',
  ],
  ['filtered after', { body: chatBody('', { finish: 'content_filter' }) }, 'refused', 'filtered this reply'],
])('messages that are %s are refused once, and are the item’s', async (_, reply, kind, message) => {
  await using server = await startScriptedServer(() => reply);
  const failure = await failureOf(chatOf(server.url).chat(chatting(), untilDone));
  expect(failure).toBeInstanceOf(RequestRefused);
  expect(failure).toMatchObject({ kind, message: `${server.url} ${message}` });
  expect(server.seen).toHaveLength(1);
});

const models = { data: [{ id: 'other' }, { id: 'judge' }] };
const settingAdvice =
  'Some models refuse a setting: `temperature: null`, `seed: null` or `reasoning_effort: null` leave it out, ' +
  '`max_tokens_as` names the limit, `response_format: none` asks for no format.';

test.each<[what: string, status: number, body: unknown, listed: unknown, told: string]>([
  [
    'a refused key',
    401,
    { error: { message: 'Incorrect API key provided: sk-secret' } },
    models,
    'the model server at <url> refused the key (401)\n  Name the environment variable that holds its key beside the ' +
      'address (`api_key_env`), and set it where the worker starts.',
  ],
  [
    'an unknown model',
    404,
    { error: { message: 'The model `judge` does not exist.', code: 'model_not_found' } },
    { data: [{ id: 'other' }] },
    'the server at <url> does not serve judge; it serves other\n  Name one of its models in the config, or start the ' +
      'server with this one.',
  ],
  [
    'a model that others may use',
    404,
    { error: { message: 'The model `judge` does not exist or you do not have access to it.' } },
    models,
    '<url> lists judge, but says: The model `judge` does not exist or you do not have access to it.\n  Ask for access ' +
      'to it, or name another of its models.',
  ],
  [
    'a server that only completes',
    404,
    { detail: 'Not Found' },
    models,
    'the server at <url> serves judge, but has no /v1/chat/completions\n  A judge is asked by the chat API, as vLLM and ' +
      'hosted models have it.',
  ],
  [
    'a setting that the model refuses',
    400,
    {
      error: {
        message: "Unsupported value: 'temperature' does not support 0 with this model.",
        code: 'unsupported_value',
      },
    },
    models,
    `<url> answered 400 for judge: Unsupported value: 'temperature' does not support 0 with this model.\n  ${settingAdvice}`,
  ],
  [
    'the older name of the limit',
    400,
    { error: { message: "Unsupported parameter: 'max_tokens' is not supported with this model." } },
    models,
    `<url> answered 400 for judge: Unsupported parameter: 'max_tokens' is not supported with this model.\n  ${settingAdvice}`,
  ],
  [
    'an empty account',
    429,
    { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
    models,
    '<url> answered 429 for judge: You exceeded your current quota.\n  The account has no money or quota left: top it ' +
      'up, then `uturn resume`.',
  ],
])('%s stops at once, with a sentence that says what to change', async (_, status, body, listed, told) => {
  await using server = await startScriptedServer(({ path }) =>
    path === '/v1/models' ? { body: listed } : { status, body },
  );
  const call = chatOf(server.url, { apiKey: 'sk-secret' }).chat(chatting(), untilDone);
  expect((await toldBy(call)).replaceAll(server.url, '<url>')).toBe(told);
  expect(server.seen.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1);
});

test.each<[what: string, paths: Record<string, Scripted>]>([
  ['is listed', { '/v1/models': { body: models } }],
  [
    'is known by another name',
    { '/v1/models': { body: { data: [] } }, '/v1/models/judge': { body: { id: 'judge-2' } } },
  ],
  ['may be there, for nothing is listed', {}],
])('looking for a model that %s generates nothing', async (_, paths) => {
  await using server = await startScriptedServer(({ path }) => paths[path] ?? { status: 404 });
  await chatOf(server.url).look();
  expect(server.seen.every(({ method }) => method === 'GET')).toBe(true);
});

test('looking for a model that is not there says what is', async () => {
  await using server = await startScriptedServer(({ path }) =>
    path === '/v1/models' ? { body: { data: [{ id: 'other' }] } } : { status: 404 },
  );
  expect(await toldBy(chatOf(server.url).look())).toContain('does not serve judge; it serves other');
});
