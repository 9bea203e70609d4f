// Telling of a night: files beside the config, and a post to whoever asked for one.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { request } from 'undici';
import type { NightOrder, NightVerdict } from '../../domain/nights/night.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { makeFolders } from '../../local/folders.ts';
import { diskProblem } from '../store/disk.ts';
import type { Store } from '../store/store.ts';
import { readVerdict } from './read.ts';

/** The verdict as texts. */
export type Words = {
  line(night: NightVerdict): string;
  markdown(night: NightVerdict): string;
  junit(night: NightVerdict): string;
};

const patienceMs = 15_000;

/** Files first: a post that fails is tried again, and they stay as they are. */
export async function tellOf(
  store: Store,
  words: Words,
  { order, run }: { order: NightOrder; run: string },
): Promise<void> {
  const night = await readVerdict(store, { schedule: order.schedule, run });
  if (night === null) throw new ConfigProblem(`there is no verdict on ${run}`);
  const { folder, webhook, when, beside } = order.notify;
  if (folder !== null) await writeFiles(resolve(beside, folder), night, words);
  if (webhook !== null && isWanted(night, when)) await post(webhook, words.line(night));
}

function isWanted({ verdict }: NightVerdict, when: NightOrder['notify']['when']): boolean {
  if (when === 'always') return true;
  return when === 'failed' ? verdict === 'fail' || verdict === 'broken' : verdict !== 'pass';
}

async function writeFiles(folder: string, night: NightVerdict, { markdown, junit }: Words): Promise<void> {
  const texts = { json: `${JSON.stringify(night, null, 2)}\n`, md: markdown(night), xml: junit(night) };
  try {
    await makeFolders(folder);
    for (const [ending, text] of Object.entries(texts)) await writeFile(join(folder, `${night.run}.${ending}`), text);
  } catch (error) {
    throw diskProblem(error, folder);
  }
}

/** `name`: of the variable that holds the address, which is a secret and stands in no message. */
async function post(name: string, text: string): Promise<void> {
  const address = URL.parse(process.env[name] ?? '');
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new ConfigProblem(`the environment variable ${name} of the worker holds no address to post to`, {
      place: { field: 'notify.webhook' },
      advice: 'Set it where the worker runs, and start the worker again.',
    });
  const reply = await request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    throw new WorldProblem('unreachable', `the address in ${name} cannot be posted to (${code})`);
  });
  await reply.body.dump();
  if (reply.statusCode >= 300)
    throw new WorldProblem('server_error', `the address in ${name} answered ${reply.statusCode}`);
}
