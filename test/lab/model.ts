// The lab's model server: in this process, or in one of its own that can be killed like any other.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type FakeOptions, startFakeServer } from '../fakes/model-server.ts';
import type { FaultRuleInput } from '../fakes/faults.ts';
import type { Stats } from '../fakes/stats.ts';

export type LabModel = {
  url: string;
  name: string;
  /** Of the process that serves now. */
  stats(): Promise<Stats>;
  setFaults(faults: FaultRuleInput[]): Promise<void>;
  reset(): Promise<void>;
  /** Kill -9, or as near as one comes to it in one process; `start` brings it back at its address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function ownModel(opts: FakeOptions): Promise<LabModel> {
  let fake = await startFakeServer(opts);
  return {
    url: fake.url,
    name: fake.model,
    stats: async () => fake.stats(),
    setFaults: async (faults) => fake.setFaults(faults),
    reset: async () => fake.reset(),
    kill: () => fake.stop(),
    start: async () => {
      fake = await startFakeServer({ ...opts, port: fake.port });
    },
    [Symbol.asyncDispose]: () => fake.stop(),
  };
}

/** In a process of its own. */
export async function separateModel(opts: FakeOptions): Promise<LabModel> {
  let child: ChildProcess;
  let url = '';
  const launch = async (port: number) => {
    const started = spawn(process.execPath, ['--no-warnings', import.meta.filename, JSON.stringify({ ...opts, port })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const lines = createInterface(started.stdout)[Symbol.asyncIterator]();
    url = String((await lines.next()).value);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(url + path, init)).json();
  };
  await launch(opts.port ?? 0);
  return {
    get url() {
      return url;
    },
    name: opts.model ?? 'fake-chat',
    stats: async () => (await ask('/__stats')) as Stats,
    setFaults: async (faults) => void (await ask('/__faults', faults)),
    reset: async () => void (await ask('/__reset', {})),
    kill,
    start: () => launch(Number(new URL(url).port)),
    [Symbol.asyncDispose]: kill,
  };
}

if (import.meta.main) console.log((await startFakeServer(JSON.parse(process.argv[2] ?? '{}') as FakeOptions)).url);
