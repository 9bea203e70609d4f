// Fields of a server that is asked over HTTP: where it is, how its key is found, how hard it may be driven, what it costs.
import { z } from 'zod';
import { maybe } from './words.ts';

/** Ends in `/v1` whether or not it was written: one server has one address, which is in plans and keys. */
export const address = z
  .string()
  .refine(
    isPlainUrl,
    'is no address such as http://127.0.0.1:8000/v1 (http or https, no user name, nothing after "?" or "#").',
  )
  .transform((url) => {
    const [, origin, path] = /^(https?:\/\/[^/\\]+)(.*)$/i.exec(url) ?? [];
    return origin === undefined || path === undefined ? url : `${origin}${path.replace(/(\/v1)?\/*$/, '')}/v1`;
  });

export const apiKeyEnv = maybe(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'is no name of an environment variable, such as MY_SERVER_KEY.'),
).describe("Name of the environment variable that holds the server's key. Never the key itself.");

export const concurrency = z
  .int()
  .min(1)
  .max(4096)
  .describe(
    'Requests in flight at once, at most: fewer at first, and where the server says that they are too many. Decides nothing about results.',
  );

export const timeout = z
  .number()
  .min(1)
  .max(86_400)
  .default(600)
  .describe('Seconds until one request is given up and tried again.');

const usd = z.number().min(0).describe('US dollars per million tokens.');

export const prices = maybe(z.strictObject({ prompt: usd, completion: usd })).describe(
  'US dollars per million tokens, for estimates and for what a run cost. Decides nothing about results.',
);

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || /[\s?#]/.test(value)) return false;
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}
