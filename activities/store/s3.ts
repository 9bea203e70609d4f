// A store in a bucket, on Amazon's S3 or any server that speaks as it does. Objects appear whole or not at all, and are never replaced.
import {
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import type { Metrics } from '../metrics.ts';
import { checkFormat, type Opening } from './format.ts';
import { checkedFolder, checkedPath, isSafeName } from './paths.ts';
import { statusOf } from './s3/again.ts';
import { type Patience, s3Client } from './s3/client.ts';
import { countRetries } from './s3/counted.ts';
import { bucketProblem } from './s3/refusals.ts';
import { objectSegment, type Pace, usualPace } from './s3/segment.ts';
import { partBytes, putNew } from './s3/upload.ts';
import type { Store } from './store.ts';

/** `prefix`: '' or a path without its final `/`. */
export type BucketPlace = { bucket: string; prefix: string };

/** `page`: names asked for at once; servers give a thousand at most. */
export type S3Options = Opening & {
  patience?: Partial<Patience>;
  pace?: Partial<Pace>;
  partBytes?: number;
  page?: number;
  metrics?: Metrics;
};

/**
 * The store in a bucket, which has to be there; its prefix is made with the first object.
 * @throws ConfigProblem when bucket, credentials or region are not right, or a newer uturn made the store
 * @throws WorldProblem `store`
 */
export async function s3Store(place: BucketPlace, opts: S3Options = {}): Promise<Store> {
  const client = await s3Client(opts.patience);
  if (opts.metrics !== undefined) countRetries(client, opts.metrics);
  const store = await bucketStore(client, place, opts);
  if (opts.missing !== 'refuse' && (await store.read('format.json')) === null) await checkCondition(store);
  await checkFormat(store, opts);
  return store;
}

async function bucketStore(client: S3Client, place: BucketPlace, opts: S3Options): Promise<Store> {
  const { bucket } = place;
  const above = place.prefix === '' ? '' : `${place.prefix}/`;
  const uri = `s3://${bucket}/${place.prefix}`.replace(/\/$/, '');
  let opened = false;

  /** Work on an object or a folder, its failures told as problems. */
  const at = async <T>(path: string, work: (key: string) => Promise<T>): Promise<T> => {
    try {
      const result = await work(above + path);
      opened = true;
      return result;
    } catch (error) {
      throw bucketProblem(error, { uri: path === '' ? uri : `${uri}/${path}`, bucket, opened });
    }
  };
  const read = async (path: string) => at(checkedPath(path), (Key) => readOrNull(client, { Bucket: bucket, Key }));
  const listing = (path: string): Listing => ({
    Bucket: bucket,
    Prefix: path === '' ? above : `${above}${path}/`,
    MaxKeys: opts.page ?? 1_000,
  });
  const create = async (path: string, data: string | Uint8Array) =>
    at(checkedPath(path), (Key) =>
      putNew(
        client,
        { Bucket: bucket, Key },
        { body: typeof data === 'string' ? Buffer.from(data) : data, partBytes: opts.partBytes ?? partBytes },
      ),
    );

  return {
    uri,
    fileOf: () => null,
    read,
    create,
    async list(folder) {
      const path = checkedFolder(folder);
      return at(path, () => namesIn(client, listing(path)));
    },
    async *below(folder) {
      const path = checkedFolder(folder);
      let next: string | undefined;
      do {
        const page = await at(path, () => pageOf(client, listing(path), next));
        for (const { Key = '' } of page.Contents ?? [])
          if (Key.slice(above.length).split('/').every(isSafeName)) yield Key.slice(above.length);
        next = nextOf(page);
      } while (next !== undefined);
    },
    async segment(path) {
      const put = async (name: string, text: string) => {
        if ((await create(name, text)) === 'created' || Buffer.from(text).equals((await read(name)) ?? Buffer.of()))
          return;
        throw new WorldProblem(
          'store',
          `${uri}/${name} is there already: somebody else writes segments under this name`,
        );
      };
      return objectSegment({ path: checkedPath(path), pace: { ...usualPace, ...opts.pace }, put });
    },
  };
}

async function readOrNull(client: S3Client, object: { Bucket: string; Key: string }): Promise<Uint8Array | null> {
  try {
    const { Body } = await client.send(new GetObjectCommand(object));
    return (await Body?.transformToByteArray()) ?? new Uint8Array();
  } catch (error) {
    if (statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket') return null;
    throw error;
  }
}

async function namesIn(client: S3Client, asked: Listing): Promise<string[]> {
  const names = new Set<string>();
  let next: string | undefined;
  do {
    const page = await pageOf(client, { ...asked, Delimiter: '/' }, next);
    for (const { Key = '' } of page.Contents ?? []) names.add(Key.slice(asked.Prefix.length));
    for (const { Prefix: folder = '' } of page.CommonPrefixes ?? []) names.add(folder.slice(asked.Prefix.length));
    next = nextOf(page);
  } while (next !== undefined);
  return [...names].filter((name) => isSafeName(name.replace(/\/$/, ''))).sort();
}

/** `MaxKeys`: servers give a thousand at most. */
type Listing = { Bucket: string; Prefix: string; MaxKeys: number; Delimiter?: string };

export function pageOf(
  client: S3Client,
  listing: Listing,
  next: string | undefined,
): Promise<ListObjectsV2CommandOutput> {
  const after = next === undefined ? {} : { ContinuationToken: next };
  return client.send(new ListObjectsV2Command({ ...listing, ...after }));
}

export function nextOf({ IsTruncated, NextContinuationToken }: ListObjectsV2CommandOutput): string | undefined {
  return IsTruncated === true ? NextContinuationToken : undefined;
}

/** A server that passes over the condition would let two runs overwrite each other, and say nothing. */
async function checkCondition(store: Store): Promise<void> {
  await checkFormat(store);
  const again = await store.create('format.json', (await store.read('format.json')) ?? '');
  if (again === 'exists') return;
  throw new ConfigProblem('this server replaces objects although it is asked not to', {
    place: { file: store.uri },
    advice: 'The store needs a server that honours "If-None-Match: *". See docs/store.md for servers that do.',
  });
}
