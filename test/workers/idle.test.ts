import { expect, test } from 'vitest';
import { readEnding } from '../../activities/run/documents.ts';
import { listRuns } from '../../activities/store/runs.ts';
import { isAlive } from '../../local/process.ts';
import { listServices } from '../../local/services.ts';
import { until } from '../../local/until.ts';
import { Lab } from '../lab.ts';

test('a command killed with -9 leaves a run that ends by itself, and then no process', {
  timeout: 60_000,
}, async () => {
  await using lab = await Lab.start({ fake: { latencyMs: 20 }, services: 'ended' });
  const running = lab.begin(['run', 'sweep.yaml'], { env: { UTURN_IDLE_SECONDS: '2' } });
  await lab.when((stats) => stats.served >= 5);
  await lab.kill('cli');
  expect((await running.done).code).toBe(137);

  const gone = async () => (await listServices(lab.home)).every((service) => !isAlive(service.process));
  expect(await until(gone, 45_000)).toBe(true);
  const [run = ''] = await listRuns(lab.store);
  expect((await readEnding(lab.store, run))?.end).toMatchObject({ state: 'complete', samples: 24, errors: 0 });
});
