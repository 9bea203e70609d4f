// Histories kept in the store, since Temporal forgets them: one gzipped file an execution, under the run they belong to.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Store } from '../store/store.ts';
import { executionsIn, historyIn, historyOf, type RunWorkflows, type WorkflowHistory } from './histories.ts';

/** `closed`: those that nothing comes to any more. `all`: those that are open too, as far as they are. */
export type Which = 'closed' | 'all';

/** For activities: saves what Temporal has of these workflows. Never fails, since no result hangs on it, and a later one may save it. */
export type KeepHistories = (run: string, of: RunWorkflows, which: Which) => Promise<void>;

/** No shard may wait for long because of them. */
const patienceMs = 20_000;

export function historyKeeper(store: Store): KeepHistories {
  return async (run, of, which) => {
    const { client, log } = Context.current();
    await client
      .withDeadline(Date.now() + patienceMs, () => keepHistories(store, client, { run, of, which }))
      .catch((cause: unknown) => log.warn('histories are not saved now', { run, cause: String(cause) }));
  };
}

/** Those that the store has not. An execution that was saved while it was open is saved again once it has more events. Returns how many. */
export async function keepHistories(
  store: Store,
  client: Client,
  { run, of, which }: { run: string; of: RunWorkflows; which: Which },
): Promise<number> {
  const there = new Set(await store.list(folderOf(run)));
  let saved = 0;
  for await (const one of executionsIn(client, of)) {
    if (there.has(fileOf(one)) || (one.isOpen && which === 'closed')) continue;
    const found = await historyOf(client, one);
    if (found === null || there.has(fileOf(found))) continue;
    await store.create(folderOf(run) + fileOf(found), await packed(found.history));
    saved += 1;
  }
  return saved;
}

/** In the order they began. Of each execution the longest. `without`: executions that are not wanted. */
export async function* keptHistories(
  store: Store,
  run: string,
  without: ReadonlySet<string> = new Set(),
): AsyncGenerator<WorkflowHistory> {
  const longest = new Map<string, number>();
  for (const name of await store.list(folderOf(run))) {
    const [, execution = '', events = ''] = nameOf.exec(name) ?? [];
    if (execution !== '' && !without.has(execution))
      longest.set(execution, Math.max(Number(events), longest.get(execution) ?? 0));
  }
  const found: WorkflowHistory[] = [];
  for (const [execution, events] of longest) {
    const bytes = await store.read(folderOf(run) + fileOf({ execution, events }));
    const text = bytes === null ? '' : (await promisify(gunzip)(bytes).catch(() => '')).toString('utf8');
    const one = historyIn(text, { workflow: '', execution });
    if (one !== null) found.push(one);
  }
  yield* found.sort((a, b) => (a.begun < b.begun ? -1 : 1));
}

const nameOf = /^([0-9a-f-]{36})-(\d+)\.json\.gz$/;
const folderOf = (run: string) => `runs/${run}/histories/`;
const fileOf = ({ execution, events }: Pick<WorkflowHistory, 'execution' | 'events'>) =>
  `${execution}-${events}.json.gz`;

async function packed(history: unknown): Promise<Uint8Array> {
  return promisify(gzip)(placeless(JSON.stringify(history)), { level: 9 });
}

/** Stacks and identities name the machine that recorded them, which says nothing about the workflow. */
export function placeless(json: string, space?: number): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => {
      if (key === 'stackTrace') return '';
      if (key === 'identity') return 'worker';
      return key === 'name' && typeof value === 'string' && /^\d+@/.test(value) ? 'worker-sticky' : value;
    }),
    null,
    space,
  );
}
