// How long it takes after `kill -9` of the worker until new samples are asked for, in a run in full flight.
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../local/until.ts';
import type { Job } from './contestants/contestant.ts';
import type { StorePlace } from './contestants/stores.ts';
import { homeOf, plain, prepared, serviceOf } from './contestants/uturn.ts';
import { withJob } from './job.ts';
import type { Failed, Resumed } from './results.ts';
import { type BenchServer, generationsOf } from './server/server.ts';

const limitMs = 240_000;

/** 6,000 items at 50 ms, 64 in flight, on each of these stores. */
export async function measureResumes(
  server: BenchServer,
  on: { name: string; place: StorePlace }[],
  report: (line: string) => void,
): Promise<{ resumed: Resumed[]; failed: Failed[] }> {
  const resumed: Resumed[] = [];
  const failed: Failed[] = [];
  for (const { name, place } of on) {
    try {
      const one = await withJob(server, { items: 6_000, inFlight: 64, profile: null }, (job) =>
        measureResume(server, place, plain(job)),
      );
      resumed.push(one);
      report(`${name}: ${one.seconds.toFixed(1)} s`);
    } catch (problem) {
      const error = problem instanceof Error ? problem.message : String(problem);
      failed.push({ what: name, error });
      report(`${name}: ${error}`);
    }
  }
  return { resumed, failed };
}

/** @throws Error  the run does not get under way, or does not come to its end */
async function measureResume(server: BenchServer, place: StorePlace, job: Job): Promise<Resumed> {
  await server.begin(50);
  await using store = await place.open(homeOf(job));
  const { command, home } = await prepared(job, store);
  await command('up');
  try {
    const run = endOf(command('run', 'bench.yaml', '--json'));
    const underWay = async () => generationsOf(await server.served()) >= job.items / 3;
    if (!(await until(underWay, limitMs, { everyMs: 20 }))) throw new Error('the run does not get under way');
    process.kill((await serviceOf(home, 'worker')).process.pid, 'SIGKILL');
    const killed = performance.timeOrigin + performance.now();
    // What the worker had sent is still on its way: the server may read it after its sender is gone.
    await sleep(500);
    await server.mark();
    const end = await run;
    if (end instanceof Error) throw end;
    const { samples, totals } = JSON.parse(end) as { samples: number; totals: { errors: number } };
    const { since_mark, received } = await server.served();
    if (samples !== job.items || totals.errors > 0 || since_mark === null) {
      throw new Error(`it ended with ${samples} of ${job.items} samples and ${totals.errors} errors`);
    }
    return { store: place.name, seconds: (since_mark - killed) / 1_000, again: received - job.items };
  } finally {
    await command('down');
  }
}

function endOf(run: Promise<string>): Promise<string | Error> {
  return run.catch((problem: unknown) => (problem instanceof Error ? problem : new Error(String(problem))));
}
