// Whole runs on real vLLM: a home, a store and the command line, all of their own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openStore } from '../../activities/store/open.ts';
import type { Store } from '../../activities/store/store.ts';
import type { Stage, StageRecord } from '../../domain/records/record.ts';
import { type Home, openHome } from '../../local/home.ts';
import { stop } from '../../local/process.ts';
import { listServices, stopUnkept } from '../../local/services.ts';
import { joinHome } from '../../local/users.ts';
import type { RunJson } from '../../report/json.ts';
import { type CommandOptions, command, type Ran, type Running } from '../lab/command.ts';
import { pinnedRecords, resultHashes, storedRecords } from '../lab/reading.ts';
import { environment } from '../lab.ts';

export type Rig = {
  dir: string;
  home: Home;
  store: Store;
  begin<Json = RunJson>(args: string[], opts?: CommandOptions): Running<Json>;
  run<Json = RunJson>(args: string[], opts?: CommandOptions): Promise<Ran<Json>>;
  /** Writes `sweep.yaml`. */
  config(fields: Record<string, unknown>): Promise<void>;
  /** Writes it and runs it to its end. @throws where it does not end well */
  sweep(fields: Record<string, unknown>): Promise<RunJson>;
  records<Body>(run: string, stage: Stage): Promise<StageRecord<Body>[]>;
  hashes(run: string): Promise<string[]>;
  /** Records in the store, whoever made them. */
  stored(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** On a model this small and a machine this slow a sweep takes minutes. */
const limitMs = 900_000;

/** `env`: what its commands, and the workers they start, find beside the usual. */
export async function openRig(env: NodeJS.ProcessEnv = {}): Promise<Rig> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-rig-'));
  const home = await openHome({ UTURN_HOME: join(dir, '.uturn') });
  const store = await openStore(home.store);
  const member = await joinHome(home);
  const begin = <Json>(args: string[], opts: CommandOptions = {}) =>
    command<Json>(args, { cwd: dir, limitMs, ...opts, env: { ...environment(home), ...env, ...opts.env } });
  const config = (fields: Record<string, unknown>) =>
    writeFile(
      join(dir, 'sweep.yaml'),
      stringify({ kind: 'sweep', name: 'vllm', ...fields }, { aliasDuplicateObjects: false }),
    );

  return {
    dir,
    home,
    store,
    begin,
    run: (args, opts) => begin<never>(args, opts).done,
    config,
    async sweep(fields) {
      await config(fields);
      const { code, json, stderr } = await begin<RunJson>(['run', 'sweep.yaml', '--json']).done;
      if (code !== 0) throw new Error(`uturn run ended with ${code}: ${stderr}`);
      return json;
    },
    records: (run, stage) => pinnedRecords(store, run, stage),
    hashes: (run) => resultHashes(store, run),
    stored: async () => (await storedRecords(store)).length,
    async [Symbol.asyncDispose]() {
      await member.leave(() => stopUnkept(home));
      for (const service of await listServices(home)) await stop(service.process, { graceMs: 10_000 });
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Successful bodies by item. */
export function bodies<Body>(records: StageRecord<Body>[]): Map<string, Body> {
  return new Map(
    records.flatMap(({ result }) => (result.status === 'ok' ? [[result.item, result.body] as const] : [])),
  );
}
