// uturn as people run it: its own command, a worker, a Temporal whose database is a file, every sample recorded.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { connectTemporal } from '../../local/connection.ts';
import { type Home, homePaths } from '../../local/home.ts';
import { listServices } from '../../local/services.ts';
import { localTemporal } from '../../local/temporal.ts';
import { benchItems, chatml, maxTokens } from '../data.ts';
import { profileArgs, runNode } from '../programs.ts';
import { model } from '../server/bodies.ts';
import type { Contestant, Job, Told } from './contestant.ts';
import { type BenchStore, inFolder, type StorePlace } from './stores.ts';

const uturn = new URL('../../bin/uturn.js', import.meta.url).pathname;

/**
 * On a server that knows nothing of tokens: prompts go out as text, one request a sample, and no ids come back, as with all
 * others. Named after its store: `uturn-file`, `uturn-s3`.
 */
export function uturnOn(place: StorePlace): Contestant {
  return {
    name: `uturn-${place.name}`,
    prepare: place.prepare,
    run: (job) => runAt(plain(job), place),
  };
}

/** On vLLM: the server is asked for the prompt's ids, they go out in its place, and the ids of both turns come back. */
export const uturnIds: Contestant = {
  name: 'uturn-ids',
  prepare: inFolder.prepare,
  run: (job) => runAt(job, inFolder),
};

/** The same server's address, at which it knows nothing of tokens. */
export function plain(job: Job): Job {
  return { ...job, url: `${job.url}/plain` };
}

async function runAt(job: Job, place: StorePlace): Promise<Told> {
  await using store = await place.open(homeOf(job));
  return await runOn(job, store);
}

async function runOn(job: Job, store: BenchStore): Promise<Told> {
  const { command, home } = await prepared(job, store);
  await command('up');
  try {
    job.begin();
    const said = await command('run', 'bench.yaml', '--json');
    job.end();
    const { run, totals } = JSON.parse(said) as { run: string; totals: { errors: number } };
    if (totals.errors > 0) throw new Error(`${totals.errors} samples ended with an error`);
    return { ...(await workflowsOf(home, run)), store_bytes: await store.bytes() };
  } finally {
    await command('down');
  }
}

export type Command = (...args: string[]) => Promise<string>;

/** Writes data and config into the job's folder. */
export async function prepared(job: Job, store: BenchStore): Promise<{ command: Command; home: Home }> {
  const { dir, url, items, inFlight, profile } = job;
  const rows = benchItems(items).map(({ id, question, answer }) => ({
    id,
    messages: [{ role: 'user', content: question }],
    assistant: answer,
  }));
  await writeFile(join(dir, 'held-out.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(join(dir, 'chatml.jinja'), chatml);
  const at = { url: `${url}/v1`, model, id: 'fake', weights: 'f'.repeat(64), template: 'chatml.jinja' };
  const config = {
    kind: 'sweep',
    name: 'bench',
    models: [{ ...at, concurrency: inFlight }],
    data: [{ set: 'jsonl', id: 'held-out', path: 'held-out.jsonl' }],
    temperatures: [0.7],
    max_tokens: { user: maxTokens },
  };
  await writeFile(join(dir, 'bench.yaml'), stringify(config));
  const home = homeOf(job);
  const nodeOptions = [process.env['NODE_OPTIONS'], ...profileArgs(profile)].filter(Boolean).join(' ');
  const env = {
    ...job.env,
    ...store.env,
    UTURN_HOME: home.dir,
    ...(profile !== null && { NODE_OPTIONS: nodeOptions }),
  };
  return { home, command: (...args) => runNode([uturn, ...args], { env, cwd: dir, profile: null }) };
}

/** Of the commands of this job. */
export function homeOf({ dir }: Job): Home {
  return homePaths({ UTURN_HOME: join(dir, 'home') });
}

export async function serviceOf(home: Home, name: string) {
  const service = (await listServices(home)).find((one) => one.name === name && one.alive);
  if (service === undefined) throw new Error(`no ${name} runs in ${home.dir}`);
  return service;
}

/** The run's workflow from its start to its end, and the events of all that it began. */
async function workflowsOf(home: Home, run: string): Promise<Pick<Told, 'work_ms' | 'events'>> {
  const { client, close } = await connectTemporal(localTemporal(await serviceOf(home, 'temporal')));
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
