// Rounds over contestants and settings: each round asks every contestant once, so that what the machine does meanwhile hits all alike.
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Contestant } from './contestants/contestant.ts';
import { withJob } from './job.ts';
import { type Taken, watchProcesses } from './processes.ts';
import { type Failed, type Measured, settingOf } from './results.ts';
import { type BenchServer, generationsOf } from './server/server.ts';

export type Rounds = {
  contestants: Contestant[];
  settings: { latency_ms: number; in_flight: number }[];
  rounds: number;
  /** How many items at this latency. */
  itemsAt(latencyMs: number): number;
  profile: string | null;
  report(line: string): void;
};

export async function measureRounds(
  server: BenchServer,
  opts: Rounds,
): Promise<{ measured: Measured[]; failed: Failed[] }> {
  const measured: Measured[] = [];
  const failed: Failed[] = [];
  for (let round = 1; round <= opts.rounds; round += 1) {
    for (const setting of opts.settings) {
      // Nobody is always the one who comes after the same other.
      for (const contestant of rotated(opts.contestants, round - 1)) {
        const items = Math.min(opts.itemsAt(setting.latency_ms), contestant.most ?? Infinity);
        const what = `${contestant.name} (${settingOf(setting)}, round ${round})`;
        const at = { contestant: contestant.name, ...setting, round, items };
        try {
          const one = await measureOne(server, contestant, { ...at, profile: opts.profile });
          measured.push(one);
          opts.report(`${what}: ${items} items in ${one.whole_s.toFixed(1)} s`);
        } catch (problem) {
          const error = problem instanceof Error ? problem.message : String(problem);
          failed.push({ what, error });
          opts.report(`${what}: ${error}`);
        }
      }
    }
  }
  return { measured, failed };
}

type At = Pick<Measured, 'contestant' | 'latency_ms' | 'in_flight' | 'round' | 'items'> & { profile: string | null };

async function measureOne(server: BenchServer, contestant: Contestant, { profile, ...at }: At): Promise<Measured> {
  const folder = await profileFolder(profile, contestant.name);
  return withJob(server, { items: at.items, inFlight: at.in_flight, profile: folder }, async (job, mark) => {
    await server.begin(at.latency_ms);
    using watch = watchProcesses(mark);
    let begun = performance.now();
    let end: { at: number; taken: Taken } | null = null;
    const told = await contestant.run({
      ...job,
      begin() {
        watch.restart();
        begun = performance.now();
      },
      end() {
        end = { at: performance.now(), taken: watch.taken() };
      },
    });
    const ended: { at: number; taken: Taken } = end ?? { at: performance.now(), taken: watch.taken() };
    const served = await server.served();
    const requests = Object.values(served.paths).reduce((sum, one) => sum + one, 0);
    return {
      ...at,
      whole_s: (ended.at - begun) / 1_000,
      requests_s: ((served.last ?? 0) - (served.first ?? 0)) / 1_000,
      work_s: told.work_ms === null ? null : told.work_ms / 1_000,
      ...ended.taken,
      events: told.events,
      store_bytes: told.store_bytes,
      served: generationsOf(served),
      other_requests: requests - generationsOf(served),
    };
  });
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
