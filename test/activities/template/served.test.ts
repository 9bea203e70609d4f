import { afterAll, describe, expect, test } from 'vitest';
import type { ModelServer } from '../../../activities/inference/completion.ts';
import { servedRenderer } from '../../../activities/template/served.ts';
import { roleSwitch } from '../../../domain/probe/bridge.ts';
import { reasoningHabits } from '../../../domain/probe/history.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { asked, instructed, rendererOf } from '../../domain/probe/shapes.ts';
import { templateServer } from './server.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

function serving(...args: Parameters<typeof templateServer>): ModelServer {
  const server = templateServer(...args);
  open.push(server);
  return server;
}

const now = { kwargs: {}, today: '2026-11-30' };

test('a template that only the server has is probed as one at hand', async () => {
  const served = await servedRenderer(serving('chatml'), now);
  const local = rendererOf('chatml');
  open.push(local);
  expect(await roleSwitch(asked, served.render)).toEqual(await roleSwitch(asked, local.render));
  expect({ source: served.source, endTokens: served.endTokens }).toEqual({ source: 'server', endTokens: [] });
});

test.each([
  ['qwen3', {}],
  ['qwen3', { enable_thinking: false }],
  ['harmony', { reasoning_effort: 'high' }],
  ['glm', { enable_thinking: false }],
  ['glm-opening', {}],
  ['llama3', { date_string: '1 May 2025' }],
  ['gemma3', {}],
  ['gemma4', { enable_thinking: true }],
  ['mistral', {}],
  ['deepseek', {}],
] as const)('the server’s %s %j gives the same role switch and the same habits as ours', async (shape, kwargs) => {
  const served = await servedRenderer(serving(shape, { date: '2026-01-02' }), { ...now, kwargs });
  const local = rendererOf(shape, kwargs);
  open.push(local);
  for (const q of [asked, instructed]) {
    expect(await roleSwitch(q, served.render)).toEqual(await roleSwitch(q, local.render));
  }
  expect(await reasoningHabits(asked, served.render)).toEqual(await reasoningHabits(asked, local.render));
});

test('it is known by what it prints: switches that change nothing change no digest', async () => {
  const digest = async (shape: string, kwargs: Record<string, unknown> = {}) =>
    (await servedRenderer(serving(shape), { ...now, kwargs })).sha256;
  expect(await digest('bare')).toBe(await digest('bare', { unknown: 1 }));
  expect(await digest('bare')).not.toBe(await digest('bare', { quiet: true }));
  expect(await digest('bare')).not.toBe(await digest('chatml'));
  expect(await digest('turns')).toMatch(/^[0-9a-f]{64}$/);
});

describe('refused with a sentence', () => {
  async function problemOf(server: ModelServer): Promise<string> {
    const problem = await servedRenderer(server, now).catch((failure: unknown) => failure);
    return problem instanceof ConfigProblem ? sentence(problem) : String(problem);
  }

  test('a server that cannot render', async () => {
    expect(await problemOf(serving('chatml', { can: 'nothing' }))).toMatchInlineSnapshot(`
      "http://127.0.0.1:8000 cannot render its chat template
        Give the template as a file in the model entry (\`template:\`), or serve the model with vLLM."
    `);
  });

  test('a template that prints the date of the server', async () => {
    expect(await problemOf(serving('channels'))).toMatchInlineSnapshot(`
      "the chat template of http://127.0.0.1:8000 prints today's date, so its prompts would change every day
        Give the template as a file (\`template:\`), or fix the date with template_kwargs (often \`date_string\`)."
    `);
  });

  test('a tokenizer that tidies up what it decodes', async () => {
    const server = serving('chatml');
    const tidy: ModelServer = {
      ...server,
      detokenize: async (ids) => (await server.detokenize(ids))?.replaceAll(' .', '.') ?? null,
    };
    expect(await problemOf(tidy)).toMatchInlineSnapshot(`
      "the tokenizer of http://127.0.0.1:8000 loses spaces when it decodes, and they would be lost in prompts
        Give the template as a file in the model entry (\`template:\`): what is rendered here is never decoded."
    `);
  });

  test('a template that cannot even print a question', async () => {
    expect(await problemOf(serving('endless'))).toContain('not finished after 2 s of computing');
  });
});

test('a server that is away is the world’s problem', async () => {
  const away: ModelServer = {
    ...serving('chatml'),
    renderChat: () => Promise.reject(new WorldProblem('unreachable', 'nobody listens')),
  };
  await expect(servedRenderer(away, now)).rejects.toThrow(WorldProblem);
});
