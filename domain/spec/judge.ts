// `judge:`: who decides what a user turn is. The rules first, then a model for what they leave open.
import { z } from 'zod';
import { defaultThresholds } from '../followup/rules.ts';
import { address, apiKeyEnv, concurrency, prices, timeout } from './server.ts';
import { digest, maybe, refuse, text } from './words.ts';

const share = z.number().min(0).max(1);

const rules = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether the rules judge at all.'),
    overlap: share
      .default(defaultThresholds.overlap)
      .describe('Share of common words from which a turn counts as a copy of the query or the answer.'),
    subsequence: share
      .default(defaultThresholds.subsequence)
      .describe('Share of words in the same order from which a turn counts as a copy.'),
    short_characters: z
      .int()
      .min(0)
      .default(defaultThresholds.short_characters)
      .describe('A turn with fewer letters and digits is no message.'),
  })
  .prefault({})
  .describe('Thresholds of the rules judge.');

export const hostedAddress = 'https://api.openai.com/v1';
const hostedKey = 'OPENAI_API_KEY';

/** What a request says by itself: `extra_body` must not say it otherwise. */
const ours =
  /^(model|messages|stream|n|temperature|seed|max_tokens|max_completion_tokens|reasoning_effort|response_format)$/;

const extraBody = z
  .record(z.string(), z.json())
  .superRefine((fields, ctx) => {
    for (const name of Object.keys(fields).filter((one) => ours.test(one))) {
      const advice = 'What has a field of its own is set there.';
      refuse(ctx, [name], { message: 'is said by uturn itself.', advice });
    }
  })
  .default({})
  .describe('Further fields of every request, such as chat_template_kwargs of vLLM.');

const llm = z
  .strictObject({
    url: address
      .prefault(hostedAddress)
      .describe('Base address of an OpenAI-compatible server, /v1 included. It must offer chat.'),
    model: text().default('gpt-5.4-mini').describe("The model's name on that server."),
    weights: maybe(digest()).describe(
      'SHA-256 that stands for the weights. With it judgements are shared by all runs on the same weights, wherever served.',
    ),
    api_key_env: apiKeyEnv,
    prompt: maybe(text()).describe(
      'Path of a prompt file, relative to this file. Default: the one that comes with uturn, configs/judge/followup-1.md.',
    ),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .default(0)
      .describe('Sampling temperature. null: none is sent, for models that refuse it.'),
    seed: z
      .int()
      .min(0)
      .nullable()
      .default(0)
      .describe("Every question's own seed is derived from this one. null: none is sent."),
    max_tokens: z.int().min(1).max(1_000_000).default(1_000).describe('Most tokens of a reply, reasoning included.'),
    max_tokens_as: z
      .enum(['max_completion_tokens', 'max_tokens'])
      .default('max_completion_tokens')
      .describe('Name under which the limit is sent: some servers know only the older one.'),
    reasoning_effort: maybe(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])).describe(
      'Sent where it is given; not every model takes it.',
    ),
    response_format: z
      .enum(['json_schema', 'json_object', 'none'])
      .default('json_schema')
      .describe('What the server is asked to hold a reply to, where it can.'),
    extra_body: extraBody,
    concurrency: concurrency.default(16),
    timeout_s: timeout,
    prices,
  })
  // Nobody's key goes to another address because it happens to be set.
  .transform((one) => ({ ...one, api_key_env: one.api_key_env ?? (one.url === hostedAddress ? hostedKey : null) }));

export const judge = z
  .strictObject({
    rules,
    llm: maybe(llm).describe('A model that judges what the rules leave open. `{}` takes all defaults.'),
  })
  .superRefine((judges, ctx) => {
    if (judges.rules.enabled || judges.llm !== null) return;
    const advice = 'Give an `llm`, or leave the rules on.';
    refuse(ctx, ['rules', 'enabled'], { message: 'nobody would judge.', advice });
  })
  .prefault({})
  .describe('Who decides what a user turn is: the rules first, then a model where one is given.');

export type JudgeSpec = z.output<typeof llm>;
