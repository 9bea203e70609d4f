// Whole sweeps whose store is a bucket of a real S3 server.
import { expect, test } from 'vitest';
import { startBucketServer } from '../bucket/server.ts';
import { Lab } from '../lab.ts';

test('a sweep in a bucket comes to the same results as one in a folder, also when its worker is killed', async () => {
  await using bucket = await startBucketServer();
  await using folder = await Lab.start({ items: 40, fake: { latencyMs: 20 }, config: { model: { concurrency: 8 } } });
  const quiet = await folder.run(['run', 'sweep.yaml', '--json']);

  await using lab = await Lab.start({
    items: 40,
    fake: { latencyMs: 20 },
    config: { model: { concurrency: 8 } },
    bucket,
  });
  const rough = lab.begin(['run', 'sweep.yaml', '--json']);
  await lab.when(({ served }) => served >= 30);
  await lab.kill('worker');
  const { code, stderr, json } = await rough.done;

  expect({ code, stderr, samples: json?.samples }).toMatchObject({ code: 0, samples: 40 });
  expect(await lab.hashes(json.run)).toEqual(await folder.hashes(quiet.json.run));
});
