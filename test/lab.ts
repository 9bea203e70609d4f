// A laboratory for whole runs: a home, a store, a fake model server and the real command line, all of its own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openStore } from '../activities/store/open.ts';
import type { Store } from '../activities/store/store.ts';
import type { Stage, StageRecord } from '../domain/records/record.ts';
import { type Home, openHome } from '../local/home.ts';
import { stop } from '../local/process.ts';
import { listServices, stopUnkept } from '../local/services.ts';
import { until } from '../local/until.ts';
import { joinHome } from '../local/users.ts';
import type { RunJson } from '../report/json.ts';
import { type Bucket, useEnvironment } from './bucket/server.ts';
import type { FakeOptions } from './fakes/model-server.ts';
import type { Stats } from './fakes/stats.ts';
import { type CommandOptions, command, type Ran, type Running } from './lab/command.ts';
import { dataFile, type LabConfig, type LabItem, labConfig, labData, labItems } from './lab/config.ts';
import { type LabModel, ownModel, separateModel } from './lab/model.ts';
import { pinnedRecords, resultHashes, storedRecords } from './lab/reading.ts';

export type LabOptions = {
  /** Of the fake server; `process: 'own'` makes it one that `kill('model')` kills for real. */
  fake?: FakeOptions & { process?: 'own' };
  /** Items in the data file; 24 unless said. */
  items?: number;
  /** Fields of `sweep.yaml` that differ from `labConfig`. */
  config?: LabConfig;
  /** `kept`: Temporal and worker stay up between commands, until the lab ends. `ended`: the last command out stops them, as at home. */
  services?: 'kept' | 'ended';
  /** Where the store lies instead of in the home, each lab's under a prefix of its own. */
  bucket?: Bucket;
};

export type Victim = 'worker' | 'temporal' | 'model' | 'cli';

export type Lab = {
  /** Where the configs lie and the commands run. */
  dir: string;
  home: Home;
  store: Store;
  model: LabModel;
  items: LabItem[];
  /** Writes `sweep.yaml`, or another file, and returns its name. */
  config(fields?: LabConfig, file?: string): Promise<string>;
  write(file: string, text: string): Promise<string>;
  /** `uturn <args>` to its end. */
  run<Json = RunJson>(args: string[], opts?: CommandOptions): Promise<Ran<Json>>;
  /** `uturn <args>`, begun. */
  begin<Json = RunJson>(args: string[], opts?: CommandOptions): Running<Json>;
  /** Returns the model's counts as soon as they are as wanted. */
  when(wanted: (stats: Stats) => boolean): Promise<Stats>;
  /** Kill -9. */
  kill(...victims: Victim[]): Promise<void>;
  /** Pinned records of a run. */
  records<Body = unknown>(run: string, stage?: Stage): Promise<StageRecord<Body>[]>;
  hashes(run: string): Promise<string[]>;
  /** Every record in the store. */
  stored(): ReturnType<typeof storedRecords>;
  /** Another home and store on the same configs and the same model. */
  fresh(): Promise<Lab>;
  [Symbol.asyncDispose](): Promise<void>;
};

export const Lab = {
  /** Starts the model and writes the config; nothing else runs before the first command. */
  async start({ fake = {}, items = 24, config = {}, services = 'kept', bucket }: LabOptions = {}): Promise<Lab> {
    const dir = await mkdtemp(join(tmpdir(), 'uturn-lab-'));
    const questions = labItems(items);
    const key = Object.fromEntries(questions.map(({ question, answer }) => [question, answer]));
    const { process: where, ...rest } = fake;
    const options = { ...rest, world: { key, ...rest.world } };
    const model = await (where === 'own' ? separateModel(options) : ownModel(options));
    const lab = await openLab({ dir, model, items: questions, services, bucket: bucket ?? null });
    await lab.write(dataFile, labData(questions));
    await lab.config(config);
    return {
      ...lab,
      async [Symbol.asyncDispose]() {
        await lab[Symbol.asyncDispose]();
        await model[Symbol.asyncDispose]();
        await rm(dir, { recursive: true, force: true });
      },
    };
  },
};

type Parts = Pick<Lab, 'dir' | 'model' | 'items'> & { services: 'kept' | 'ended'; bucket: Bucket | null };

async function openLab({ dir, model, items, services, bucket }: Parts): Promise<Lab> {
  const base = await mkdtemp(join(tmpdir(), 'uturn-lab-home-'));
  const home = await openHome({ UTURN_HOME: join(base, '.uturn') });
  const own = storeSettings(base, bucket);
  useEnvironment(bucket?.env ?? {});
  const store = await openStore(own['UTURN_STORE'] ?? home.store);
  const member = services === 'kept' ? await joinHome(home) : null;
  const commands: Running[] = [];
  const write = async (file: string, text: string) => {
    await writeFile(join(dir, file), text);
    return file;
  };
  const begin = <Json>(args: string[], opts: CommandOptions = {}): Running<Json> => {
    const running = command<Json>(args, { cwd: dir, ...opts, env: { ...environment(home), ...own, ...opts.env } });
    commands.push(running);
    return running;
  };
  const end = async () => {
    for (const { process: child } of commands) child.kill('SIGKILL');
    await Promise.all(commands.map(({ done }) => done));
    await member?.leave(() => stopUnkept(home));
    for (const service of await listServices(home)) await stop(service.process, { graceMs: 5_000 });
    await rm(base, { recursive: true, force: true });
  };

  return {
    dir,
    home,
    store,
    model,
    items,
    write,
    begin,
    config: (fields = {}, file = 'sweep.yaml') => write(file, labConfig({ url: model.url, model: model.name }, fields)),
    run: (args, opts) => begin<never>(args, opts).done,
    async when(wanted) {
      let stats = await model.stats();
      const seen = await until(async () => wanted((stats = await model.stats())), 180_000, { everyMs: 5 });
      if (!seen) throw new Error(`the model never came so far: ${JSON.stringify({ ...stats, requests: {} })}`);
      return stats;
    },
    async kill(...victims) {
      for (const victim of victims) {
        if (victim === 'model') await model.kill();
        else if (victim === 'cli') for (const { process: child } of commands) child.kill('SIGKILL');
        else await killService(home, victim);
      }
    },
    records: (run, stage) => pinnedRecords(store, run, stage),
    hashes: (run) => resultHashes(store, run),
    stored: () => storedRecords(store),
    fresh: () => openLab({ dir, model, items, services, bucket }),
    [Symbol.asyncDispose]: end,
  };
}

/** Commands compile the same files again and again: Node keeps what it made of them here. */
const compiled = join(tmpdir(), 'node-compile-cache');

/** Nobody's own settings reach the commands: a Temporal or a store that somebody uses is none of a test's business. */
export function environment(home: Home): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(AWS_|TEMPORAL_|UTURN_(HOME|STORE))/.test(name));
  return { ...Object.fromEntries(ours), UTURN_HOME: home.dir, NO_COLOR: '1', NODE_COMPILE_CACHE: compiled };
}

function storeSettings(base: string, bucket: Bucket | null): Record<string, string> {
  return bucket === null ? {} : { ...bucket.env, UTURN_STORE: `s3://${bucket.bucket}/${basename(base)}` };
}

async function killService(home: Home, name: string): Promise<void> {
  const service = (await listServices(home)).find((one) => one.name === name);
  if (service?.alive !== true) throw new Error(`no ${name} runs`);
  process.kill(service.process.pid, 'SIGKILL');
}
