// uturn as people run it: its own command, a worker, a Temporal whose database is a file, every sample recorded at once.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { connectTemporal, type Temporal } from '../../local/connection.ts';
import { homePaths } from '../../local/home.ts';
import { listServices } from '../../local/services.ts';
import { localTemporal } from '../../local/temporal.ts';
import { benchItems, chatml, maxTokens } from '../data.ts';
import { profileArgs, runNode } from '../programs.ts';
import { model } from '../server/bodies.ts';
import type { Contestant, Job, Told } from './contestant.ts';

const uturn = new URL('../../bin/uturn.js', import.meta.url).pathname;

/** On a store in a folder. Prompts go out as text, one request a sample, as with all others. */
export const uturnFile: Contestant = {
  name: 'uturn-file',
  prepare: async () => null,
  run: (job) => runUturn({ ...job, url: `${job.url}/plain` }),
};

/** The same on a server that tokenises: a prompt then goes out as the token ids it is made of, which the server is asked for. */
export const uturnIds: Contestant = { name: 'uturn-ids', prepare: async () => null, run: runUturn };

async function runUturn(job: Job): Promise<Told> {
  const { env, home } = await prepared(job);
  const command = (...args: string[]) => runNode([uturn, ...args], { env, cwd: job.dir, profile: null });
  await command('up');
  try {
    const temporal = localTemporal(await serviceOf(home, 'temporal'));
    job.begin();
    const said = await command('run', 'bench.yaml', '--json');
    job.end();
    const { run, totals } = JSON.parse(said) as { run: string; totals: { errors: number } };
    if (totals.errors > 0) throw new Error(`${totals.errors} samples ended with an error`);
    return { ...(await workflowsOf(temporal, run)), store_bytes: await bytesIn(home.store) };
  } finally {
    await command('down');
  }
}

async function prepared({ dir, url, items, inFlight, env, profile }: Job) {
  const rows = benchItems(items).map(({ id, question, answer }) => ({
    id,
    messages: [{ role: 'user', content: question }],
    assistant: answer,
  }));
  await writeFile(join(dir, 'held-out.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(join(dir, 'chatml.jinja'), chatml);
  const config = {
    kind: 'sweep',
    name: 'bench',
    models: [
      { url: `${url}/v1`, model, id: 'fake', weights: 'f'.repeat(64), concurrency: inFlight, template: 'chatml.jinja' },
    ],
    data: [{ set: 'jsonl', id: 'held-out', path: 'held-out.jsonl' }],
    temperatures: [0.7],
    max_tokens: { user: maxTokens },
  };
  await writeFile(join(dir, 'bench.yaml'), stringify(config));
  const all = { ...env, UTURN_HOME: join(dir, 'home') };
  const nodeOptions = [process.env.NODE_OPTIONS, ...profileArgs(profile)].filter(Boolean).join(' ');
  return { home: homePaths(all), env: { ...all, ...(profile !== null && { NODE_OPTIONS: nodeOptions }) } };
}

export async function serviceOf(home: ReturnType<typeof homePaths>, name: string) {
  const service = (await listServices(home)).find((one) => one.name === name && one.alive);
  if (service === undefined) throw new Error(`no ${name} runs in ${home.dir}`);
  return service;
}

/** The run's workflow from its start to its end, and the events of all that it began. */
async function workflowsOf(temporal: Temporal, run: string): Promise<Pick<Told, 'work_ms' | 'events'>> {
  const { client, close } = await connectTemporal(temporal);
  try {
    const { startTime, closeTime } = await client.workflow.getHandle(run).describe();
    if (closeTime === undefined) throw new Error(`${run} has not ended`);
    const lengths: number[] = [];
    for await (const { historyLength } of client.workflow.list()) lengths.push(historyLength ?? 0);
    const total = lengths.reduce((sum, one) => sum + one, 0);
    return { work_ms: closeTime.getTime() - startTime.getTime(), events: { total, most: Math.max(0, ...lengths) } };
  } finally {
    await close();
  }
}

export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
