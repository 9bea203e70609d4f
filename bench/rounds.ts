// Rounds over contestants and settings: each round asks every contestant once, so that what the machine does meanwhile hits all alike.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Contestant } from './contestants/contestant.ts';
import { markName, type Taken, watchProcesses } from './processes.ts';
import type { Failed, Measured } from './results.ts';
import { settingOf } from './results.ts';
import { type BenchServer, generationsOf, startServer } from './server/server.ts';

export type Rounds = {
  contestants: Contestant[];
  settings: { latency_ms: number; in_flight: number }[];
  rounds: number;
  /** How many items at this latency. */
  itemsAt(latencyMs: number): number;
  profile: string | null;
  report(line: string): void;
};

export async function measureRounds(opts: Rounds): Promise<{ measured: Measured[]; failed: Failed[] }> {
  await using server = await startServer();
  const measured: Measured[] = [];
  const failed: Failed[] = [];
  for (let round = 1; round <= opts.rounds; round += 1) {
    for (const setting of opts.settings) {
      // Nobody is always the one who comes after the same other.
      for (const contestant of rotated(opts.contestants, round - 1)) {
        const at = { contestant: contestant.name, ...setting, round };
        const items = Math.min(opts.itemsAt(setting.latency_ms), contestant.most ?? Infinity);
        const line = `round ${round}/${opts.rounds}, ${settingOf(setting)}: ${contestant.name}, ${items} items`;
        try {
          const one = await measureOne(server, contestant, { ...at, items, profile: opts.profile });
          measured.push(one);
          opts.report(`${line}: ${Math.round(items / one.whole_s)} samples/s in all`);
        } catch (problem) {
          const error = problem instanceof Error ? problem.message : String(problem);
          failed.push({ ...at, error });
          opts.report(`${line}: failed: ${error}`);
        }
      }
    }
  }
  return { measured, failed };
}

type At = Pick<Measured, 'contestant' | 'latency_ms' | 'in_flight' | 'round' | 'items'> & { profile: string | null };

async function measureOne(server: BenchServer, contestant: Contestant, { profile, ...at }: At): Promise<Measured> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-bench-'));
  const mark = `${process.pid}-${dir.slice(-6)}`;
  const watch = watchProcesses(mark);
  try {
    await server.begin(at.latency_ms);
    let begun = performance.now();
    let ended: number | null = null;
    let taken: Taken | null = null;
    const told = await contestant.run({
      url: server.url,
      items: at.items,
      inFlight: at.in_flight,
      dir,
      env: { ...ownEnvironment(), [markName]: mark },
      begin() {
        watch.restart();
        begun = performance.now();
      },
      end() {
        ended = performance.now();
        taken = watch.end();
      },
      profile: await profileFolder(profile, contestant.name),
    });
    const whole_s = ((ended ?? performance.now()) - begun) / 1_000;
    const served = await server.served();
    const others = Object.values(served.paths).reduce((sum, one) => sum + one, 0) - generationsOf(served);
    return {
      ...at,
      whole_s,
      requests_s: ((served.last ?? 0) - (served.first ?? 0)) / 1_000,
      work_s: told.work_ms === null ? null : told.work_ms / 1_000,
      ...(taken ?? watch.end()),
      events: told.events,
      store_bytes: told.store_bytes,
      served: generationsOf(served),
      other_requests: others,
    };
  } finally {
    watch.end();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Nobody's own Temporal, store or key takes part. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL_|UTURN_|OPENAI_|INSPECT_)/.test(name));
  return { ...Object.fromEntries(ours), NO_COLOR: '1' };
}

async function profileFolder(folder: string | null, contestant: string): Promise<string | null> {
  if (folder === null) return null;
  const at = resolve(folder, contestant);
  await mkdir(at, { recursive: true });
  return at;
}

function rotated<T>(list: T[], by: number): T[] {
  const at = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
