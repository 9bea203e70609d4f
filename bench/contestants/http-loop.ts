// The least that one can do: JSON over kept-alive connections, and nothing kept of it but the text.
import { Pool } from 'undici';
import { maxTokens } from '../data.ts';
import { model } from '../server/bodies.ts';
import { runLoop } from './loop.ts';

await runLoop(({ url, in_flight }) => {
  const pool = new Pool(url, { connections: in_flight });
  const headers = { 'content-type': 'application/json' };
  return async (prompt, seed) => {
    const body = JSON.stringify({ model, prompt, max_tokens: maxTokens, temperature: 0.7, seed });
    const reply = await pool.request({ method: 'POST', path: '/v1/completions', headers, body });
    const read = (await reply.body.json()) as { choices: [{ text: string }] };
    return read.choices[0].text;
  };
});
process.exit();
