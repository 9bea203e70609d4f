// Where a store can be: the rules are the same everywhere, and so are their tests.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { fileStore } from '../../../activities/store/file.ts';
import { s3Store } from '../../../activities/store/s3.ts';
import type { Store } from '../../../activities/store/store.ts';
import { type BucketServer, startBucketServer, useEnvironment } from '../../bucket/server.ts';
import { temporaryFolder } from './folder.ts';

/** An empty place of a test's own. */
export type Place = {
  uri: string;
  open(): Promise<Store>;
  /** Puts bytes there behind the store's back. */
  plant(path: string, data: string | Uint8Array): Promise<void>;
} & AsyncDisposable;

export type PlaceKind = 'file:' | 's3:';

export const placeKinds: PlaceKind[] = ['file:', 's3:'];

export function emptyPlace(kind: PlaceKind): Promise<Place> {
  return kind === 'file:' ? inFolder() : inBucket();
}

async function inFolder(): Promise<Place> {
  const folder = await temporaryFolder();
  return {
    uri: `file://${folder.path}`,
    open: () => fileStore(folder.path),
    async plant(path, data) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), data);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

let server: Promise<BucketServer> | null = null;
let places = 0;

/** One server for all places of a test file; it ends with the process. */
async function inBucket(): Promise<Place> {
  server ??= startBucketServer();
  const { bucket, env } = await server;
  useEnvironment(env);
  places += 1;
  const prefix = `place-${places}/deep`;
  const client = new S3Client({ forcePathStyle: true });
  return {
    uri: `s3://${bucket}/${prefix}`,
    open: () => s3Store({ bucket, prefix }),
    async plant(path, data) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/${path}`, Body: Buffer.from(data) }));
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}
