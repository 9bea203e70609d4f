// inspect_ai with everything off that slows it down and may be off: no display, no realtime log, no servers of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchItems, maxTokens, promptOf } from '../data.ts';
import { peerPython } from '../peers.ts';
import { run } from '../programs.ts';
import { model } from '../server/bodies.ts';
import { absentWhere, type Contestant } from './contestant.ts';

const task = new URL('../python/inspect_task.py', import.meta.url).pathname;
const python = () => peerPython('inspect.txt');

export const inspect: Contestant = {
  name: 'inspect_ai',
  most: 2_000,
  prepare: () => absentWhere(python),
  async run({ url, items, inFlight, dir, env }) {
    const prompts = join(dir, 'prompts.jsonl');
    const rows = benchItems(items).map((item) => ({ id: item.id, prompt: promptOf(item) }));
    await writeFile(prompts, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const args = [url, model, prompts, join(dir, 'logs'), String(inFlight), String(maxTokens)];
    await run(await python(), [task, ...args], { env, cwd: dir });
    return { work_ms: null, events: null, store_bytes: null };
  },
};
