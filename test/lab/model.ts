// The lab's model server: in this process, or in one of its own that can be killed like any other.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FaultRuleInput } from '../fakes/faults.ts';
import { type FakeOptions, startFakeServer } from '../fakes/model-server.ts';
import { freshStats, type Stats } from '../fakes/stats.ts';

export type LabModel = {
  url: string;
  name: string;
  /** Over all its lives; what it did in the very moment of a kill is not counted. */
  stats(): Promise<Stats>;
  setFaults(faults: FaultRuleInput[]): Promise<void>;
  reset(): Promise<void>;
  /** Kill -9, or as near as one comes to it in one process; `start` brings it back at its address, in another world if one is given. */
  kill(): Promise<void>;
  start(world?: FakeOptions['world']): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function ownModel(opts: FakeOptions): Promise<LabModel> {
  let fake = await startFakeServer(opts);
  let before = freshStats();
  return {
    url: fake.url,
    name: fake.model,
    stats: async () => sum(before, fake.stats()),
    setFaults: async (faults) => fake.setFaults(faults),
    async reset() {
      before = freshStats();
      fake.reset();
    },
    async kill() {
      before = sum(before, { ...fake.stats(), in_flight: 0 });
      await fake.stop();
      fake.reset();
    },
    start: async (world) => {
      fake = await startFakeServer({ ...opts, world: { ...opts.world, ...world }, port: fake.port });
    },
    [Symbol.asyncDispose]: () => fake.stop(),
  };
}

/** In a process of its own. */
export async function separateModel(opts: FakeOptions): Promise<LabModel> {
  let child: ChildProcess;
  let url = '';
  let before = freshStats();
  const launch = async (port: number) => {
    const started = spawn(
      process.execPath,
      ['--no-warnings', import.meta.filename, JSON.stringify({ ...opts, port })],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
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
  const stats = async () => (await ask('/__stats')) as Stats;
  await launch(opts.port ?? 0);
  return {
    get url() {
      return url;
    },
    name: opts.model ?? 'fake-chat',
    stats: async () => sum(before, await stats()),
    setFaults: async (faults) => void (await ask('/__faults', faults)),
    async reset() {
      before = freshStats();
      await ask('/__reset', {});
    },
    async kill() {
      const last = await stats();
      before = sum(before, { ...last, in_flight: 0 });
      await kill();
    },
    start: () => launch(Number(new URL(url).port)),
    [Symbol.asyncDispose]: kill,
  };
}

/** Counts of one life after another. */
function sum(a: Stats, b: Stats): Stats {
  const requests = added(a.requests, b.requests);
  const served = a.served + b.served;
  const distinct = Object.keys(requests).length;
  return {
    received: a.received + b.received,
    served,
    kinds: added(a.kinds, b.kinds),
    faults: added(a.faults, b.faults),
    refused: a.refused + b.refused,
    abandoned: a.abandoned + b.abandoned,
    tokens: added(a.tokens, b.tokens),
    in_flight: b.in_flight,
    max_in_flight: Math.max(a.max_in_flight, b.max_in_flight),
    calls: added(a.calls, b.calls),
    distinct,
    repeated: served - distinct,
    requests,
    tries: added(a.tries, b.tries),
  };
}

function added<Counts extends Record<string, number>>(a: Counts, b: Counts): Counts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)])) as Counts;
}

if (import.meta.main) console.log((await startFakeServer(JSON.parse(process.argv[2] ?? '{}') as FakeOptions)).url);
