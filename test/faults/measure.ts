// One row played on a lab of its own, and what it cost.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRuns } from '../../activities/store/runs.ts';
import type { Stage } from '../../domain/records/record.ts';
import { listServices } from '../../local/services.ts';
import { startBucketServer } from '../bucket/server.ts';
import { noRoom, share, startBucketProxy } from '../fakes/bucket-proxy.ts';
import type { Stats } from '../fakes/stats.ts';
import { Lab } from '../lab.ts';
import type { Row } from './rows.ts';
import { tearNewest } from './segments.ts';

export const items = 160;
const stages: Stage[] = ['assistant_turn', 'user_turn', 'judgement', 'score'];
/** Every sample is an answer and a user turn. */
const requests = items * 2;

export type Measured = {
  name: string;
  kills: number;
  samples: number;
  lost: number;
  duplicated: number;
  /** Requests the model worked on more than once. */
  repeated: number;
  /** Requests it had been sent and whose records were not in the store, summed over the kills. */
  inFlight: number;
  hashes: string[];
  seconds: number;
  /** Most times that one request was sent. */
  tries: number;
  allowed: { repeats: number; tries: number };
  /** Exit code and last words where the command failed. */
  trouble: string | null;
};

export async function measure(row: Row, opts: { outageMs: number }): Promise<Measured> {
  const begun = performance.now();
  await using stack = new AsyncDisposableStack();
  const server = row.bucket && stack.use(await startBucketServer());
  const bucket =
    server && row.bucket && stack.use(await startBucketProxy(server, share(row.bucket.rate, row.bucket.faults)));
  await using lab = await Lab.start({
    items,
    services: 'ended',
    fake: { latencyMs: 80, ...row.fake },
    config: { model: { concurrency: 8, ...row.model } },
    ...(bucket && { bucket }),
  });
  const tally = { kills: 0, inFlight: 0 };
  let abandoned = 0;
  const ended = await row.play({
    lab,
    outageMs: opts.outageMs,
    begin: (...args) => lab.run(args.length > 0 ? args : ['run', 'sweep.yaml', '--json'], { env: row.env ?? {} }),
    at: async (share) => void (await lab.when(({ served }) => served >= share * requests)),
    async tear() {
      await tearNewest(join(lab.home.store, 'stages'));
      tally.inFlight += 1;
    },
    async signal(signal) {
      const worker = (await listServices(lab.home)).find(({ name, alive }) => name === 'worker' && alive);
      if (worker === undefined) throw new Error('no worker runs');
      process.kill(worker.process.pid, signal);
    },
    async fill(ms) {
      bucket?.spoil(({ site }) => (site === 'read' || site === 'list' || site === 'head' ? null : noRoom));
      await sleep(ms);
      bucket?.spoil(() => null);
    },
    run: async () => (await listRuns(lab.store))[0] ?? '',
    async kill(...victims) {
      const gone = victims.includes('model') ? (await lab.model.stats()).in_flight : null;
      await lab.kill(...victims);
      tally.kills += victims.length;
      const at = gone === null ? await inFlightNow(lab, abandoned) : { inFlight: gone, abandoned };
      tally.inFlight += at.inFlight;
      abandoned = at.abandoned;
    },
  });
  const run = ended.json?.run ?? '';
  const records = run === '' ? [] : await lab.records(run);
  const good = records.filter(({ result }) => result.status === 'ok');
  const names = new Set(good.map(({ result }) => `${result.key} ${result.item} ${result.sample}`));
  const stats = await lab.model.stats();
  return {
    name: row.name,
    ...tally,
    samples: ended.json?.samples ?? 0,
    lost: items * stages.length - names.size,
    duplicated:
      records.length - new Set(records.map(({ result }) => `${result.key} ${result.item} ${result.sample}`)).size,
    repeated: repeatedBy(stats),
    tries: Math.max(0, ...Object.values(stats.tries)),
    allowed: { repeats: tally.inFlight + (row.mayRepeat ?? 0), tries: row.mostTries ?? Number.POSITIVE_INFINITY },
    hashes: run === '' ? [] : await lab.hashes(run),
    seconds: (performance.now() - begun) / 1_000,
    trouble: ended.code === 0 ? null : `exit ${ended.code}: ${ended.stderr.slice(-400)}`,
  };
}

/** Served whole or cut off half-way, and in no file: that much, and no more, may be asked again. `abandoned`: before this kill. */
async function inFlightNow(lab: Lab, abandoned: number): Promise<{ inFlight: number; abandoned: number }> {
  // The server hears of its clients' end a moment later.
  await sleep(20);
  const stats = await lab.model.stats();
  const kept = new Set<string>();
  for (const { record } of await lab.stored()) {
    const { stage, item, sample } = record.result;
    if (stage === 'assistant_turn' || stage === 'user_turn') kept.add(`${stage} ${item} ${sample}`);
  }
  const inFlight = stats.abandoned - abandoned + stats.in_flight + turnsServed(stats) - kept.size;
  // Where the worker lives it goes on while the store is read, and may have kept more than the server had served.
  return { inFlight: Math.max(inFlight, 0), abandoned: stats.abandoned };
}

/** Different ones. The worker's own question, whether a server answers at all, is no turn. */
function turnsServed({ distinct, kinds }: Stats): number {
  return distinct - Math.min(kinds.other, 1);
}

/** Served again, or cut off by a client that went away. */
function repeatedBy(stats: Stats): number {
  return stats.kinds.assistant + stats.kinds.user + stats.abandoned - turnsServed(stats);
}
