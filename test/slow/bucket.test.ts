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

test('two runs that race for one stage in a bucket both end, with the same records', async () => {
  await using bucket = await startBucketServer();
  await using lab = await Lab.start({ items: 40, bucket, fake: { latencyMs: 20 } });
  await lab.config({ name: 'other' }, 'other.yaml');
  const both = await Promise.all(['sweep.yaml', 'other.yaml'].map((file) => lab.run(['run', file, '--json'])));
  expect(both.map(({ code, json }) => [code, json.samples])).toEqual([
    [0, 40],
    [0, 40],
  ]);
  const [one = [], other = []] = await Promise.all(both.map(({ json }) => lab.hashes(json.run)));
  expect(one).toEqual(other);
  const verified = await lab.run<{ found: unknown[] }>(['store', 'verify', '--json']);
  expect(verified).toMatchObject({ code: 0, json: { runs: 2, found: [] } });
});

test('every command that reads says of a bucket what it says of a folder', async () => {
  await using bucket = await startBucketServer();
  await using folder = await Lab.start({ items: 12 });
  await folder.run(['run', 'sweep.yaml']);
  await using lab = await Lab.start({ items: 12, bucket });
  const { json } = await lab.run(['run', 'sweep.yaml', '--json']);
  const run = json.run;
  // Addresses and dates differ.
  const plain = ({ code, stdout }: { code: number; stdout: string }) => ({
    code,
    stdout: stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\dZ|127\.0\.0\.1:\d+|(file|s3):\/\/\S+|\/tmp\/\S+/g, '…'),
  });
  for (const args of [
    ['plan', 'sweep.yaml'],
    ['run', 'sweep.yaml'],
    ['resume', run],
    ['watch', run],
    ['list'],
    ['status', run],
    ['records', run, '--stage', 'score'],
    ['records', run, '--stage', 'user_turn', '--text'],
    ['report', run],
    ['store', 'verify'],
    ['store', 'migrate'],
    ['doctor'],
  ])
    expect([args, plain(await lab.run(args))]).toEqual([args, plain(await folder.run(args))]);
});
