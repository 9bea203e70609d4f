import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeServer } from './model-server.ts';

const body = JSON.stringify({ model: 'tiny', prompt: 'Hi', seed: 4 });

/** Starts the fake as its own process and waits for its address. */
async function serve(...flags: string[]): Promise<{ url: string; child: ChildProcess }> {
  const script = fileURLToPath(new URL('serve.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), child };
}

const post = (url: string, content: string) => fetch(url, { method: 'POST', body: content });

test('as a process of its own it answers as it does in this one, and takes faults by HTTP', async () => {
  await using here = await startFakeServer({ model: 'tiny' });
  const faults = JSON.stringify([{ fault: 503, when: { at: [2] } }]);
  const { url, child } = await serve('--model', 'tiny', '--faults', faults);

  const answer = await (await post(`${here.url}/v1/completions`, body)).json();
  expect(await (await post(`${url}/v1/completions`, body)).json()).toEqual(answer);
  expect((await post(`${url}/v1/completions`, body)).status).toBe(503);
  expect((await post(`${url}/__faults`, JSON.stringify([{ fault: 429, when: { rate: 1 } }]))).status).toBe(200);
  expect((await post(`${url}/v1/completions`, body)).status).toBe(429);
  expect(await (await fetch(`${url}/__stats`)).json()).toMatchObject({
    received: 3,
    served: 1,
    faults: { 503: 1, 429: 1 },
  });

  expect((await post(`${url}/__faults`, JSON.stringify([{ fault: 'flood', when: { rate: 2 } }]))).status).toBe(400);
  expect((await post(`${url}/__faults`, '[]')).status).toBe(200);
  expect((await post(`${url}/__reset`, '')).status).toBe(200);
  expect(await (await fetch(`${url}/__stats`)).json()).toMatchObject({ received: 0, faults: {} });

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('its options are told to whoever asks, or takes one that it has not', () => {
  const script = fileURLToPath(new URL('serve.ts', import.meta.url));
  const said = (...flags: string[]) => spawnSync(process.execPath, [script, ...flags], { encoding: 'utf8' });
  const help = said('--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toMatch(/^Usage: node test\/fakes\/serve\.ts \[options\]\n[^]*--faults <json>/);
  for (const wrong of [said('--prot', '1'), said('--world', '{')]) {
    expect([wrong.status, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain(help.stdout);
    expect(wrong.stderr).not.toContain('    at ');
  }
});
