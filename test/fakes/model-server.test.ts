import { expect, test } from 'vitest';
import { renderChatml } from './chatml.ts';
import { type FakeOptions, type FakeServer, startFakeServer } from './model-server.ts';
import { tokenize } from './tokenizer.ts';
import type { World } from './world.ts';

const QUESTION = 'Ada has 12 pens and gives away 5. How many are left?';
const assistantPrompt = renderChatml([{ role: 'user', content: QUESTION }], { generation: 'assistant' });
const ANSWER = 'Start from 12.\nAnswer: 7';
const turns = [
  { role: 'user', content: QUESTION },
  { role: 'assistant', content: ANSWER },
];
const userPrompt = `${renderChatml(turns, { generation: 'none' })}<|im_start|>user\n`;
const honest = { wrong: 0, unmarked: 0, endless: 0, odd: 0 };
const followUps = { restate_question: 0, restate_answer: 0, empty: 0, artifact: 0 };

type Choice = {
  text: string;
  finish_reason: string;
  stop_reason: unknown;
  token_ids: number[];
  prompt_token_ids: number[];
};

/** What a completion request gets: its status and body. */
async function complete(fake: FakeServer, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const body = {
    model: 'fake-chat',
    prompt: assistantPrompt,
    max_tokens: 512,
    seed: 1,
    add_special_tokens: false,
    skip_special_tokens: false,
    return_token_ids: true,
    ...more,
  };
  const reply = await fetch(`${fake.url}/v1/completions`, { method: 'POST', body: JSON.stringify(body), headers });
  const answer = (await reply.json()) as { id: string; choices: [Choice] };
  return { status: reply.status, body: answer };
}

async function choices(opts: FakeOptions, prompt: string, more: Record<string, unknown> = {}) {
  await using fake = await startFakeServer(opts);
  const seeds = Array.from({ length: 300 }, (_, seed) => seed);
  return await Promise.all(
    seeds.map(async (seed) => (await complete(fake, { prompt, seed, ...more })).body.choices[0]),
  );
}

const texts = async (opts: FakeOptions, prompt: string) => (await choices(opts, prompt)).map((choice) => choice.text);

test('a reply has vLLM’s shape', async () => {
  await using fake = await startFakeServer({ world: { answers: honest, key: { [QUESTION]: '7' } } });
  const { status, body } = await complete(fake, { temperature: 0 });
  const text = body.choices[0].text;
  const ids = [...tokenize(text), 2];
  const prompt = tokenize(assistantPrompt);
  expect(text).toMatchInlineSnapshot(`
    "Here is how I read it. The numbers that matter are 12, 5.
    From there one arrives at 7.
    Answer: 7"
  `);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^cmpl-[0-9a-f]{16}$/),
      object: 'text_completion',
      created: 0,
      model: 'fake-chat',
      choices: [
        {
          index: 0,
          text,
          logprobs: null,
          finish_reason: 'stop',
          stop_reason: null,
          token_ids: ids,
          prompt_token_ids: prompt,
        },
      ],
      usage: { prompt_tokens: prompt.length, completion_tokens: ids.length, total_tokens: prompt.length + ids.length },
    },
  });
});

test('the same request gets the same answer from another server, another gets another', async () => {
  await using one = await startFakeServer();
  await using two = await startFakeServer({ latencyMs: 5, faults: [{ fault: 500, when: { at: [1] } }] });
  await complete(two);
  const first = await complete(one, { temperature: 0.7 });
  expect(await complete(two, { temperature: 0.7 })).toEqual(first);
  expect(await complete(one, { temperature: 0.7, prompt: tokenize(assistantPrompt) })).toEqual(first);
  const others = [
    { temperature: 0.3 },
    { temperature: 0.7, seed: 2 },
    { temperature: 0.7, prompt: `${assistantPrompt} ` },
  ];
  const ids = await Promise.all(others.map(async (other) => (await complete(one, other)).body.id));
  expect(new Set([first.body.id, ...ids]).size).toBe(4);
});

test('temperature 0 knows no seed, a higher one does', async () => {
  const at = async (temperature: number) =>
    new Set((await choices({}, assistantPrompt, { temperature })).map((one) => one.text));
  expect((await at(0)).size).toBe(1);
  expect((await at(1)).size).toBeGreaterThan(20);
});

test.each<[habit: keyof World['answers'], of: (text: string) => boolean]>([
  ['wrong', (text) => text.includes('Answer: ') && !text.endsWith('Answer: 7')],
  ['unmarked', (text) => !text.includes('Answer: ')],
  ['endless', (text) => text.includes('once more from the start')],
  ['odd', (text) => !text.isWellFormed() && text.includes('\u0000')],
])('answers are %s as often as the world says', async (habit, of) => {
  const share = async (rate: number) => {
    const world = { answers: { ...honest, [habit]: rate }, key: { [QUESTION]: '7' } };
    return (await texts({ world }, assistantPrompt)).filter(of).length / 300;
  };
  expect([await share(0), await share(1)]).toEqual([0, 1]);
  expect(await share(0.3)).toBeCloseTo(0.3, 0.7);
});

test.each<[kind: keyof World['user'], of: (text: string) => boolean]>([
  ['restate_question', (text) => text === QUESTION],
  ['restate_answer', (text) => text === ANSWER],
  ['empty', (text) => text === ''],
  ['artifact', (text) => /im_start|assistant|INST/.test(text)],
])('user turns are %s as often as the world says, else follow-ups', async (kind, of) => {
  const share = async (rate: number) => {
    const world = { user: { ...followUps, [kind]: rate } };
    return (await texts({ world }, userPrompt)).filter(of).length / 300;
  };
  expect([await share(0), await share(1)]).toEqual([0, 1]);
  expect(await share(0.3)).toBeCloseTo(0.3, 0.7);
});

test('a follow-up is about what was said', async () => {
  const asked = new Set(await texts({ world: { user: followUps } }, userPrompt));
  expect([...asked].sort()).toMatchInlineSnapshot(`
    [
      "Could you check the part about the pens once more?",
      "How did you get to 7? I would have expected less.",
      "Is 7 exact, or did you round it?",
      "Thanks. And what if the pens were twice as large?",
      "Why does the pens matter here?",
    ]
  `);
});

test('max_tokens cuts an answer and says so; one that ends exactly there has ended', async () => {
  await using fake = await startFakeServer({ world: { answers: honest } });
  const whole = (await complete(fake)).body.choices[0];
  const cut = (await complete(fake, { max_tokens: whole.token_ids.length - 1 })).body.choices[0];
  expect(cut).toMatchObject({ text: whole.text, finish_reason: 'length', token_ids: whole.token_ids.slice(0, -1) });
  const exact = (await complete(fake, { max_tokens: whole.token_ids.length })).body.choices[0];
  expect(exact).toEqual(whole);
});

test('an endless answer is as long as it may be', async () => {
  await using fake = await startFakeServer({ world: { answers: { endless: 1 } } });
  for (const max_tokens of [1, 100, 3_000]) {
    expect((await complete(fake, { max_tokens })).body).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      usage: { completion_tokens: max_tokens },
    });
  }
});

test('a stop token is among the ids and not in the text, a stop string cuts the text', async () => {
  await using fake = await startFakeServer({ world: { answers: honest } });
  const whole = (await complete(fake)).body.choices[0];
  const newline = tokenize('\n')[0] ?? 0;
  const firstLine = whole.text.split('\n')[0];
  expect((await complete(fake, { stop_token_ids: [newline] })).body.choices[0]).toMatchObject({
    text: firstLine,
    finish_reason: 'stop',
    stop_reason: newline,
    token_ids: tokenize(`${firstLine}\n`),
  });
  expect((await complete(fake, { stop: ['swer:', '\nAns'] })).body.choices[0]).toMatchObject({
    text: whole.text.slice(0, whole.text.indexOf('\nAns')),
    finish_reason: 'stop',
    stop_reason: '\nAns',
  });
});

test('left to its defaults it adds a BOS and hides special tokens, as vLLM does', async () => {
  await using fake = await startFakeServer({ world: { user: { artifact: 1 } } });
  const prompt = userPrompt;
  const seed = 6;
  const kept = (await complete(fake, { prompt, seed })).body.choices[0];
  const hidden = (await complete(fake, { prompt, seed, skip_special_tokens: undefined })).body.choices[0];
  const added = (await complete(fake, { prompt, seed, add_special_tokens: undefined })).body.choices[0];
  expect(kept.text).toContain('<|im_start|>');
  expect(hidden).toEqual({ ...kept, text: kept.text.replaceAll('<|im_start|>', '') });
  expect(added.prompt_token_ids).toEqual([0, ...kept.prompt_token_ids]);
});

test('a plain server returns no ids and has no tokenizer', async () => {
  await using fake = await startFakeServer({ dialect: 'plain' });
  const { body } = await complete(fake);
  expect(Object.keys(body.choices[0])).toEqual(['index', 'text', 'logprobs', 'finish_reason', 'stop_reason']);
  expect((await fetch(`${fake.url}/tokenize`, { method: 'POST', body: '{"prompt":"a"}' })).status).toBe(404);
});

test.each<[what: string, more: Record<string, unknown>, status: number, message: RegExp]>([
  [
    'a limit beyond the context',
    { max_tokens: 4_000 },
    400,
    /^max_tokens=4000 cannot be greater than max_model_len=2048/,
  ],
  ['a prompt too long', { prompt: Array(2_049).fill(1) }, 400, /maximum context length is 2048 tokens.*2049 input/],
  ['a prompt that leaves no room', { prompt: Array(2_048).fill(1) }, 400, /^max_tokens must be at least 1, got 0\.$/],
  ['another model', { model: 'huge' }, 404, /^The model `huge` does not exist\.$/],
  ['no prompt', { prompt: undefined }, 400, /prompt/],
  ['an empty prompt', { prompt: '' }, 400, /prompt/],
  ['ids that are no tokens', { prompt: [1, 10 ** 9] }, 400, /no such token/],
  ['several completions', { n: 2 }, 400, /n$/m],
])('%s is refused in vLLM’s words', async (_, more, status, message) => {
  await using fake = await startFakeServer({ contextLength: 2_048 });
  const reply = await complete(fake, more);
  expect(reply).toEqual({
    status,
    body: { error: { message: expect.stringMatching(message), type: expect.any(String), param: null, code: status } },
  });
  expect(fake.stats()).toMatchObject({ received: 1, served: 0, refused: 1, in_flight: 0 });
});

test('with a key set, nothing but /health answers without it', async () => {
  await using fake = await startFakeServer({ apiKey: 'sk-test' });
  expect((await complete(fake)).status).toBe(401);
  expect((await complete(fake, {}, { authorization: 'Bearer sk-other' })).status).toBe(401);
  expect((await complete(fake, {}, { authorization: 'Bearer sk-test' })).status).toBe(200);
  expect((await fetch(`${fake.url}/v1/models`)).status).toBe(401);
  expect((await fetch(`${fake.url}/health`)).status).toBe(200);
});

test('faults hit the requests they name, and a share of the rest, the same ones each time', async () => {
  await using fake = await startFakeServer({ seed: 3 });
  const statuses = async () => {
    fake.reset();
    const seen: number[] = [];
    for (let number = 1; number <= 60; number += 1) seen.push((await complete(fake)).status);
    return seen;
  };
  fake.setFaults([
    { fault: 503, when: { at: [2, 4] } },
    { fault: 429, when: { rate: 0.2 }, headers: { 'retry-after': '1' } },
  ]);
  const first = await statuses();
  expect(await statuses()).toEqual(first);
  expect([first[1], first[3]]).toEqual([503, 503]);
  const limited = first.filter((status) => status === 429).length;
  expect(limited).toBeGreaterThan(3);
  expect(limited).toBeLessThan(25);
  expect(fake.stats()).toMatchObject({ received: 60, served: 58 - limited, faults: { 503: 2, 429: limited } });
});

test('what was served twice is seen, per request', async () => {
  await using fake = await startFakeServer();
  for (const seed of [1, 2, 1, 1]) await complete(fake, { seed });
  await complete(fake, { prompt: userPrompt });
  await complete(fake, { prompt: 'Once upon a time' });
  const { requests, kinds, distinct, repeated } = fake.stats();
  expect({ kinds, distinct, repeated }).toEqual({
    kinds: { assistant: 4, user: 1, other: 1 },
    distinct: 4,
    repeated: 2,
  });
  expect(Object.values(requests).sort((a, b) => a - b)).toEqual([1, 1, 1, 3]);
});

test('a client that leaves is counted as gone, not as served', async () => {
  await using fake = await startFakeServer({ latencyMs: 200 });
  const body = JSON.stringify({ model: 'fake-chat', prompt: 'Hi' });
  const left = fetch(`${fake.url}/v1/completions`, { method: 'POST', body, signal: AbortSignal.timeout(50) });
  await expect(left).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(fake.stats()).toMatchObject({ received: 1, served: 0, abandoned: 1, in_flight: 0 });
});

test('latency and speed make an answer take its time', async () => {
  await using fake = await startFakeServer({
    latencyMs: 60,
    tokensPerSecond: 1_000,
    world: { answers: { endless: 1 } },
  });
  const begun = performance.now();
  await complete(fake, { max_tokens: 100 });
  const took = performance.now() - begun;
  expect(took).toBeGreaterThanOrEqual(155);
  expect(took).toBeLessThan(600);
});
