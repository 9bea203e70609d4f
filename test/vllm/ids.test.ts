// The role switch on a real server: what the engine saw is the exact trace, token by token.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { modelServer } from '../../activities/inference/client.ts';
import type { ModelServer } from '../../activities/inference/completion.ts';
import { jinjaRenderer } from '../../activities/template/jinja.ts';
import type { Renderer } from '../../activities/template/renderer.ts';
import type { Item, Message } from '../../domain/data/item.ts';
import type { Turn } from '../../domain/records/record.ts';
import { exactText } from '../../domain/records/text.ts';
import { toolVenv } from '../../local/python.ts';
import type { RunJson } from '../../report/json.ts';
import { dataPath, published } from '../data/folder.ts';
import { smollm2 } from './environment.ts';
import { bodies, openRig, type Rig } from './rig.ts';

const { url, base } = inject('vllm');
const sets = [
  { set: 'gsm8k', file: 'test.jsonl' },
  { set: 'ifeval', file: 'input_data.jsonl' },
] as const;
const limit = 10;
const end = 2; // <|im_end|>

let rig: Rig;
let server: ModelServer;
let template: Renderer;
let run: RunJson;

beforeAll(async () => {
  rig = await openRig();
  const policy = { timeoutMs: 120_000, random: Math.random, apiKey: null };
  server = modelServer({ url, model: base, ...policy });
  const { python } = await toolVenv({ report: () => {} });
  const text = await readFile(join(await smollm2(), 'chat_template.jinja'), 'utf8');
  template = jinjaRenderer({
    python,
    template: text,
    bos_token: '<|im_start|>',
    eos_token: '<|im_end|>',
    date: null,
    kwargs: {},
  });
  run = await rig.sweep({
    models: [{ url, model: base, dtype: 'float32', concurrency: 16 }],
    data: sets.map(({ set, file }) => ({ set, path: dataPath(set, file) })),
    temperatures: [0, 0.7],
    limit,
    max_tokens: { assistant: 64, user: 32 },
  });
}, 900_000);

afterAll(async () => {
  await template?.close();
  await rig?.[Symbol.asyncDispose]();
});

test('a sweep over GSM8K and IFEval ends with every turn, each known by token ids', async () => {
  expect(run).toMatchObject({ samples: 40, totals: { errors: 0 } });
  for (const stage of ['assistant_turn', 'user_turn'] as const) {
    const turns = await rig.records<Turn>(run.run, stage);
    expect(turns).toHaveLength(40);
    for (const { result } of turns) {
      expect(result).toMatchObject({ status: 'ok', body: { prompt: { form: 'ids' } } });
      if (result.status !== 'ok') continue;
      expect(result.body.ids).toHaveLength(result.body.tokens);
      expect(result.body.prompt?.ids).toHaveLength(result.body.prompt?.tokens ?? -1);
      expect(result.body.ids?.includes(end)).toBe(result.body.finish === 'stop');
    }
  }
});

test('the prompt of a user turn is the prompt of the answer, the answer and the bridge, id by id', async () => {
  const bridge = await server.tokenize('<|im_end|>\n<|im_start|>user\n');
  const answers = new Map(
    (await rig.records<Turn>(run.run, 'assistant_turn')).map((record) => [record.hash, record.result]),
  );
  for (const { result } of await rig.records<Turn>(run.run, 'user_turn')) {
    const answer = answers.get(result.from ?? '');
    if (result.status !== 'ok' || answer?.status !== 'ok') throw new Error(`no turn for ${result.item}`);
    const written = answer.body.ids?.filter((id) => id !== end) ?? [];
    expect(result.body.prompt?.ids).toEqual([...(answer.body.prompt?.ids ?? []), ...written, ...(bridge ?? [])]);
  }
});

test('what the engine saw reads as the template renders it', async () => {
  const messages = await messagesOf();
  const answers = bodies(await rig.records<Turn>(run.run, 'assistant_turn'));
  const turns = bodies(await rig.records<Turn>(run.run, 'user_turn'));
  expect(turns.size).toBe(20);
  for (const [item, turn] of turns) {
    const [q = [], a] = [messages.get(item), answers.get(item)];
    if (a === undefined) throw new Error(`no answer for ${item}`);
    const said = exactText(a).replace(/<\|im_end\|>$/, '');
    const whole = await template.render([...q, { role: 'assistant', content: said }], { generation: 'none' });
    expect(await server.detokenize(turn.prompt?.ids ?? [])).toBe(`${whole}<|im_start|>user\n`);
  }
});

test("our rendering and its token ids are the server's own", async () => {
  const messages = [...(await messagesOf()).values()];
  const odd: Message[][] = [
    [{ role: 'user', content: '  spaces around \n' }],
    [{ role: 'user', content: 'מה שלומך? 🙂 ﷽ \u0000 <|im_end|> <b>' }],
    [
      { role: 'system', content: 'Short.' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: ' b ' },
      { role: 'user', content: 'c' },
    ],
  ];
  for (const one of [...messages, ...odd]) {
    const ours = await template.render(one, { generation: 'assistant' });
    expect(await server.renderChat(one, { generation: 'assistant', kwargs: {} })).toBe(ours);
    expect(await server.tokenize(ours)).toEqual(await chatIds(one));
  }
});

/** vLLM applying its template and tokenising in one go: the road of its chat endpoint. */
async function chatIds(messages: Message[]): Promise<number[]> {
  const body = { model: base, messages, add_generation_prompt: true, add_special_tokens: false };
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const reply = (await (await fetch(`${url}/tokenize`, init)).json()) as { tokens: number[] };
  return reply.tokens;
}

async function messagesOf(): Promise<Map<string, Message[]>> {
  const items: Item[] = [];
  for (const { set, file } of sets) items.push(...(await published(set, set, file)).items.slice(0, limit));
  return new Map(items.map((item) => [item.id, item.messages]));
}
