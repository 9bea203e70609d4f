// What each kind of request to a bucket is for, and a rig that spoils some of them.
import { type S3Options, s3Store } from '../../../activities/store/s3.ts';
import type { Store } from '../../../activities/store/store.ts';
import { type BucketServer, startBucketServer, useEnvironment } from '../../bucket/server.ts';
import { type BucketFault, type BucketProxy, type Site, startBucketProxy } from '../../fakes/bucket-proxy.ts';

export const attempts = 3;
const partBytes = 5 * 1024 * 1024;
export const large = Buffer.alloc(2 * partBytes + 100, 'large ');

export type Rig = {
  server: BucketServer;
  proxy: BucketProxy;
  /** A store with one object, and none of the faults yet. */
  opened(opts?: S3Options): Promise<Store>;
  /** The first `times` requests of a site fail. Returns how many there were. */
  spoil(site: Site, fault: BucketFault, times: number): () => number;
} & AsyncDisposable;

/** A server and what stands in front of it; this process's settings are for the latter. */
export async function startRig(): Promise<Rig> {
  const server = await startBucketServer();
  const proxy = await startBucketProxy(server);
  useEnvironment(proxy.env);
  let stores = 0;
  return {
    server,
    proxy,
    async opened(opts = {}) {
      proxy.spoil(() => null);
      stores += 1;
      const place = { bucket: server.bucket, prefix: `store-${stores}` };
      const store = await s3Store(place, { patience: { attempts }, partBytes, ...opts });
      await store.create('there/a', 'a');
      return store;
    },
    spoil(site, fault, times) {
      const before = proxy.count(site);
      proxy.spoil((asked) => (asked.site === site && asked.number - before <= times ? fault : null));
      return () => proxy.count(site) - before;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What a site is for, and what must have come of it, however it was spoiled. */
export const work = {
  read: { does: async (store) => String(Buffer.from((await store.read('there/a')) ?? '')), comes: 'a' },
  list: { does: (store) => store.list('there/'), comes: ['a'] },
  create: { does: (store) => createdAndRead(store, 'new', Buffer.from('new')), comes: 'whole' },
  segment: { does: segmentLines, comes: Array.from({ length: 450 }, (_, n) => String(n)) },
  begin: { does: (store) => createdAndRead(store, 'large', large), comes: 'whole' },
  part: { does: (store) => createdAndRead(store, 'large', large), comes: 'whole' },
  complete: { does: (store) => createdAndRead(store, 'large', large), comes: 'whole' },
} satisfies Partial<Record<Site, { does(store: Store): Promise<unknown>; comes: unknown }>>;

export const sites = ['read', 'list', 'create', 'segment', 'begin', 'part', 'complete'] as const;

async function createdAndRead(store: Store, path: string, data: Buffer): Promise<string> {
  await store.create(path, data);
  const found = await store.read(path);
  return found !== null && data.equals(found) ? 'whole' : 'not what was put there';
}

async function segmentLines(store: Store): Promise<string[]> {
  const segment = await store.segment('s/a-0.jsonl');
  for (let n = 0; n < 450; n += 1) await segment.append(String(n));
  await segment.close();
  const texts = [];
  for (const name of await store.list('s/')) texts.push(String(Buffer.from((await store.read(`s/${name}`)) ?? '')));
  // By name is not by time.
  return texts.flatMap((text) => text.split('\n').slice(0, -1)).sort((a, b) => Number(a) - Number(b));
}
