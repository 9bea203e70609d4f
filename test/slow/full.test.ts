// No room in the middle of a campaign: it waits, parked, and goes on where it was when there is some.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../activities/store/open.ts';
import { openShard, readPart, type Wanted } from '../../activities/store/shard.ts';
import type { Store } from '../../activities/store/store.ts';
import { type CampaignProgress, campaignId, names, queues, type ShardRef } from '../../domain/plan/boundary.ts';
import { WorldProblem } from '../../domain/problems.ts';
import { makeRecord } from '../../domain/records/record.ts';
import { until } from '../../local/until.ts';
import { startBucketServer, useEnvironment } from '../bucket/server.ts';
import { noRoom, startBucketProxy } from '../fakes/bucket-proxy.ts';
import { groupsOf, openStage, type Stage } from '../workflows/stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

/** A store that can be filled to its last byte, and given room again. */
type Filled = { store: Store; fill(): void; empty(): void } & AsyncDisposable;

async function bucket(): Promise<Filled> {
  const server = await startBucketServer();
  const proxy = await startBucketProxy(server);
  useEnvironment(proxy.env);
  return {
    store: await openStore(`s3://${server.bucket}/full`),
    fill: () => proxy.spoil(({ site }) => (site === 'read' || site === 'list' ? null : noRoom)),
    empty: () => proxy.spoil(() => null),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A file system of its own, of 2 MB. */
async function folder(): Promise<Filled> {
  const path = await mkdtemp(join(tmpdir(), 'uturn-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', path]);
  const filler = join(path, 'filler');
  return {
    store: await openStore(join(path, 'store')),
    fill: () => {
      try {
        for (let bytes = 1024 * 1024; ; ) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        // The last byte was taken.
      }
    },
    empty: () => rmSync(filler),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', [path]);
      await rm(path, { recursive: true });
    },
  };
}

const mayMount =
  process.getuid?.() === 0 &&
  existsSync('/proc/filesystems') &&
  readFileSync('/proc/filesystems', 'utf8').includes('tmpfs');

test('a bucket without room', async () => {
  await using place = await bucket();
  await parkAndGoOn(place, /the store is full \(InsufficientStorage/);
});

test.runIf(mayMount)('a disk without room', async () => {
  await using place = await folder();
  await parkAndGoOn(place, /ENOSPC: no space left on device/);
});

async function parkAndGoOn({ store, fill, empty }: Filled, reason: RegExp): Promise<void> {
  const made = new Map<string, number>();
  const parts = new Map<string, { ref: ShardRef; part: string }>();
  const run = `full-${store.uri.slice(0, 4)}`;
  let tries = 0;
  let filled = false;
  const node = async (ref: ShardRef) => {
    const wanted: Wanted[] = Array.from({ length: ref.items }, (_, n) => ({
      item: `${n}`,
      sample: ref.sample,
      from: null,
    }));
    tries += 1;
    const shard = await openShard(store, ref, { wanted, attempt: `try-${tries}` });
    try {
      for (const [n, one] of shard.pending.entries()) {
        // Once, in the middle of a shard of the second stage.
        if (ref.stage === 'user_turn' && n === 8 && !filled) {
          filled = true;
          fill();
        }
        const name = `${ref.stage} ${ref.block} ${one.item}`;
        made.set(name, (made.get(name) ?? 0) + 1);
        await shard.add(
          makeRecord(
            { stage: ref.stage, key: ref.key, ...one, status: 'ok', body: 'x'.repeat(500) },
            { attempt: 'a', at: '', ms: 0, host: '', requests: 1 },
          ),
        );
      }
      const { part } = await shard.seal();
      parts.set(`${ref.stage} ${ref.block}`, { ref, part });
    } catch (error) {
      await shard.close().catch(() => {});
      expect(error).toBeInstanceOf(WorldProblem);
      throw error;
    }
  };

  await using played = await stage.play({
    models: ['a'],
    groups: groupsOf({ temperatures: [0], blocks: 2 }),
    lanes: 1,
    attempts: 2,
    node,
  });
  const handle = await stage.client.workflow.start('sweep', {
    workflowId: run,
    taskQueue: queues.control,
    args: [{ run, execution: 1 }],
  });
  const progress = () =>
    stage.client.workflow
      .getHandle(campaignId(run, 'a'))
      .query<CampaignProgress>(names.progress)
      .catch(() => null);
  expect(await until(async () => (await progress())?.state === 'parked', 60_000)).toBe(true);
  expect((await progress())?.parked.map((one) => one.reason)).toContainEqual(expect.stringMatching(reason));

  empty();
  await handle.signal(names.resume);
  expect(await handle.result()).toMatchObject({ state: 'complete' });
  await played.stop();
  for (const { ref, part } of parts.values()) expect((await readPart(store, ref, part)).length).toBe(ref.items);
  expect(parts.size).toBe(8);
  // Nothing whose stage was sealed, or that was kept before there was no room, is made again.
  expect([...made].filter(([name, times]) => name.startsWith('assistant_turn 0') && times > 1)).toEqual([]);
}
