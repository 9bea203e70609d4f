// How turns are sampled. Every parameter is sent with every request, so that no server's defaults leak in.
import { z } from 'zod';
import { unique } from './words.ts';

/** The smallest that vLLM samples at; it takes what lies below, and samples at this one without a word. */
const coldest = 0.01;

const temperature = z
  .number()
  .min(0)
  .max(2)
  .refine((one) => one === 0 || one >= coldest, `lies between 0 and ${coldest}, where servers sample at ${coldest}.`)
  .describe('Temperatures are sampling temperatures.');

export const temperatures = z
  .array(temperature)
  .min(1)
  .check(
    unique(
      (temperature: unknown) => (typeof temperature === 'number' ? temperature : undefined),
      (key, first) => ({
        message: `${key} stands here twice; the first is temperatures[${first}].`,
        advice: 'Leave one out; `samples` asks the same temperature again.',
      }),
    ),
  )
  .describe('Sampling temperatures of both turns, from 0 (always the likeliest token) to 2, such as [0, 0.7].');

const tokens = z.int().min(1).max(1_000_000);

export const maxTokens = z
  .strictObject({
    assistant: tokens.default(512).describe('Most tokens of an answer.'),
    user: tokens.default(128).describe('Most tokens of a user turn.'),
  })
  .prefault({})
  .describe('Token limits. How often a limit was hit is reported.');

const penalty = z.number().min(-2).max(2).default(0);

export const sampling = z
  .strictObject({
    top_p: z.number().gt(0).max(1).default(1).describe('Share of probability mass sampled from. 1: off.'),
    top_k: z.int().min(0).default(0).describe('Number of likeliest tokens sampled from. 0: off.'),
    min_p: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe("Least probability, as a share of the likeliest token's. 0: off."),
    presence_penalty: penalty.describe('0: off.'),
    frequency_penalty: penalty.describe('0: off.'),
    repetition_penalty: z.number().gt(0).max(2).default(1).describe('1: off.'),
  })
  .prefault({})
  .describe('Everything else that decides a sample. The defaults change nothing.');
