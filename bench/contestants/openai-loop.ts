// The same loop over the openai client as it comes: its own connections, its own retries.
import OpenAI from 'openai';
import { maxTokens } from '../data.ts';
import { model } from '../server/bodies.ts';
import { runLoop } from './loop.ts';

await runLoop(({ url }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
  return async (prompt, seed) => {
    const reply = await client.completions.create({ model, prompt, max_tokens: maxTokens, temperature: 0.7, seed });
    return reply.choices[0]?.text ?? '';
  };
});
process.exit();
