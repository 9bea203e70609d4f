// No room for records in the middle of a run.
import { expect, test } from 'vitest';
import { listServices } from '../../local/services.ts';
import { Lab } from '../lab.ts';

test('records that found no room are made again when there is some, and nothing is lost', async () => {
  await using lab = await Lab.start({ items: 20, fake: { latencyMs: 5 } });
  const worker = async () => (await listServices(lab.home)).find(({ name }) => name === 'worker')?.process.pid ?? 0;
  // Temporal is up before files are kept small, for its database is none of them.
  await lab.run(['run', 'sweep.yaml', '--limit', '1']);
  await lab.kill('worker');
  await lab.model.reset();

  const cramped = lab.begin(['run', 'sweep.yaml'], { prefix: ['sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'] });
  // What could not be written is asked for again, and again.
  await lab.when(({ repeated }) => repeated > 0);
  await lab.kill('cli');
  await cramped.done;
  process.kill(await worker(), 'SIGTERM');

  const { code, json } = await lab.run(['run', 'sweep.yaml', '--json']);
  const records = await lab.records(json.run);
  expect([code, json.samples, json.totals.errors, records.length]).toEqual([0, 20, 0, 80]);
});
