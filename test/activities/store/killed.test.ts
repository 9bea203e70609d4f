// Real processes: killed while they write, and writing to a place with no room.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileStore } from '../../../activities/store/file.ts';
import { openShard } from '../../../activities/store/shard.ts';
import { temporaryFolder } from './folder.ts';
import { place, success, wants } from './samples.ts';

const appender = join(import.meta.dirname, 'appender.ts');
const items = 100_000;

/** What the child has said so far, and an end to wait for. */
function listen(child: ChildProcess) {
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.err += chunk;
  });
  return { said, closed: once(child, 'close') };
}

test('kill -9 loses nothing whose add had returned, and at most what was in flight is extra', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  const reported = new Set<string>();
  for (const [n, wait] of [1, 40, 15, 80].entries()) {
    const child = spawn(process.execPath, [appender, folder.path, `attempt-${n}`, String(items)]);
    const { said, closed } = listen(child);
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, wait));
    child.kill('SIGKILL');
    const [, signal] = await closed;
    expect({ signal, err: said.err }).toEqual({ signal: 'SIGKILL', err: '' });

    const lines = said.out.split('\n').slice(0, -1);
    expect(lines.filter((item) => reported.has(item))).toEqual([]);
    for (const item of lines) reported.add(item);

    const shard = await openShard(store, place, { wanted: wants(items), attempt: 'reader' });
    const adopted = new Set(shard.adopted.map((record) => record.result.item));
    expect([...reported].filter((item) => !adopted.has(item))).toEqual([]);
    expect(adopted.size - reported.size).toBeLessThanOrEqual(8 * (n + 1));
    expect({ damaged: shard.damaged, all: adopted.size + shard.pending.length }).toEqual({ damaged: 0, all: items });
  }
  expect(reported.size).toBeGreaterThan(100);
}, 120_000);

test('a disk that fills up is the world’s problem, and what was written before is adopted', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  // No file may grow past 64 blocks: the write that passes the limit is cut short, as on a full disk.
  const child = spawn('sh', [
    '-c',
    `ulimit -f 64; exec "$0" "$@"`,
    process.execPath,
    appender,
    folder.path,
    'full',
    '1000',
  ]);
  const { said, closed } = listen(child);
  expect(await closed).toEqual([1, null]);
  expect(said.err).toMatch(/^WorldProblem: .*full-0\.jsonl: EFBIG/);

  const shard = await openShard(store, place, { wanted: wants(1000), attempt: 'next' });
  const reported = said.out.split('\n').slice(0, -1);
  expect(shard.adopted.length).toBeGreaterThan(30);
  expect(reported.filter((item) => shard.pending.some((one) => one.item === item))).toEqual([]);
  await Promise.all(shard.pending.map((one) => shard.add(success(one, 'there is room again'))));
  expect((await shard.seal()).records.length).toBe(1000);
}, 30_000);
