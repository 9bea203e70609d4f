// No room for records in the middle of a run.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listServices } from '../../local/services.ts';
import { until } from '../../local/until.ts';
import { Lab } from '../lab.ts';

test('what found no room is held and nothing more is asked for; when there is some again, nothing is lost', async () => {
  await using lab = await Lab.start({ items: 20, fake: { latencyMs: 5 } });
  const worker = async () => (await listServices(lab.home)).find(({ name }) => name === 'worker')?.process.pid ?? 0;
  // Temporal is up before files are kept small, for its database is none of them.
  await lab.run(['run', 'sweep.yaml', '--limit', '1']);
  await lab.kill('worker');
  await lab.model.reset();

  const cramped = lab.begin(['run', 'sweep.yaml'], { prefix: ['sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'] });
  await lab.when(({ served }) => served >= 8);
  const counts = async () => {
    const { received, repeated } = await lab.model.stats();
    return { received, repeated };
  };
  const quiet = async () => {
    const before = await counts();
    await sleep(4_000);
    return before.received === (await counts()).received;
  };
  expect(await until(quiet, 60_000, { everyMs: 0 })).toBe(true);
  expect((await counts()).repeated).toBe(0);
  expect((await counts()).received).toBeLessThan(40);
  await lab.kill('cli');
  await cramped.done;
  process.kill(await worker(), 'SIGTERM');

  const { code, json } = await lab.run(['run', 'sweep.yaml', '--json']);
  const records = await lab.records(json.run);
  expect([code, json.samples, json.totals.errors, records.length]).toEqual([0, 20, 0, 80]);
});
