// `npm run test:scale`: a million held-out samples through the real command, worker and Temporal, on a server that answers at once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generationsOf, startServer } from '../../bench/server/server.ts';
import { connectTemporal } from '../../local/connection.ts';
import { homePaths } from '../../local/home.ts';
import { freePort } from '../../local/ports.ts';
import { listServices } from '../../local/services.ts';
import { localTemporal } from '../../local/temporal.ts';
import type { RunJson } from '../../report/json.ts';
import { timed } from './commands.ts';
import { config, writeExperiment } from './experiment.ts';
import { gatesOf, type Measured, summaryLine } from './gates.ts';
import { type Histories, historiesOf } from './histories.ts';
import { recordsIn } from './records.ts';
import { shapeOf } from './shape.ts';
import { watch } from './watch.ts';

const shape = shapeOf(Number(process.env['UTURN_SCALE'] ?? 1_000_000));
const dir = await mkdtemp(join(tmpdir(), 'uturn-scale-'));
const metricsPort = await freePort(null);
const env = {
  ...process.env,
  UTURN_METRICS: String(metricsPort),
  UTURN_HOME: join(dir, 'home'),
  UTURN_STORE: '',
  TEMPORAL_ADDRESS: '',
  NO_COLOR: '1',
};
const home = homePaths(env);
const uturn = (...args: string[]) => timed(args, { cwd: dir, env });

try {
  const measured = await measure();
  const gates = gatesOf(measured);
  console.log(summaryLine(measured, gates));
  process.exitCode = gates.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await uturn('down');
  if (process.env['UTURN_SCALE_KEEP'] === '1') console.error(`kept: ${dir}`);
  else await rm(dir, { recursive: true, force: true });
}

async function measure(): Promise<Measured> {
  await using server = await startServer();
  await writeExperiment(dir, { shape, url: server.url });
  await uturn('up');
  await server.begin(0);
  const watching = watch({ home, server, total: shape.total, metricsPort });
  const ran = await uturn('run', config, '--json');
  const { run } = JSON.parse(ran.stdout) as RunJson;
  const { looks, peak } = watching.end();
  console.error(`${run} has ended after ${ran.seconds.toFixed(0)} s`);

  const status = await uturn('status', run, '--json');
  const list = await uturn('list');
  const report = await uturn('report', run, '--json');
  const { cells } = JSON.parse(report.stdout) as RunJson;
  return {
    shape,
    seconds: ran.seconds,
    served: generationsOf(await server.served()),
    records: await recordsIn(home.store),
    told: toldIn(status.stdout),
    looks,
    peak,
    histories: await histories(),
    report: { ...report, judged: cells.reduce((sum, { judged }) => sum + judged, 0) },
    status: status.cpu,
    list: list.cpu,
  };
}

async function histories(): Promise<Histories> {
  const temporal = (await listServices(home)).find(({ name, alive }) => name === 'temporal' && alive);
  if (temporal === undefined) throw new Error('Temporal is gone');
  const { client, close } = await connectTemporal(localTemporal(temporal));
  try {
    return await historiesOf(client);
  } finally {
    await close();
  }
}

function toldIn(status: string): Record<string, number> {
  const { models } = JSON.parse(status) as { models: { stages: { stage: string; records: number }[] }[] };
  const told: Record<string, number> = {};
  for (const { stage, records } of models.flatMap(({ stages }) => stages)) told[stage] = (told[stage] ?? 0) + records;
  return told;
}
