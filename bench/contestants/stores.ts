// The stores that uturn is measured on.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { Home } from '../../local/home.ts';
import { motoPython, versitygw } from '../../test/bucket/environment.ts';
import { startBucketServer } from '../../test/bucket/server.ts';
import { absentWhere } from './contestant.ts';

export type BenchStore = {
  /** What commands need to find it. */
  env: Record<string, string>;
  /** Of all objects in it, as they are, without what a file system adds. */
  bytes(): Promise<number>;
} & AsyncDisposable;

/** `open`: a new and empty one. */
export type StorePlace = {
  name: 'file' | 's3';
  /** As of a contestant. */
  prepare(): Promise<string | null>;
  open(home: Home): Promise<BenchStore>;
};

/** The store of a home, in a folder. */
export const inFolder: StorePlace = {
  name: 'file',
  prepare: async () => null,
  open: async ({ store }) => ({ env: {}, bytes: () => bytesIn(store), [Symbol.asyncDispose]: async () => {} }),
};

/** A bucket on a server of its own, whose CPU is not counted: versitygw over a folder, or moto where there is no Go. */
export const inBucket: StorePlace = {
  name: 's3',
  prepare: () => absentWhere(async () => (await versitygw()) ?? (await motoPython())),
  open: bucketStore,
};

async function bucketStore(): Promise<BenchStore> {
  const server = await startBucketServer((await versitygw()) === null ? 'moto' : 'versitygw');
  const { bucket, env } = server;
  const bytes = async () => {
    const client = new S3Client({
      endpoint: server.url,
      region: env['AWS_REGION'] ?? '',
      forcePathStyle: true,
      credentials: { accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '', secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '' },
    });
    let sum = 0;
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, ...(token !== undefined && { ContinuationToken: token }) }),
      );
      for (const { Size = 0 } of page.Contents ?? []) sum += Size;
      token = page.NextContinuationToken;
    } while (token !== undefined);
    client.destroy();
    return sum;
  };
  return {
    env: { ...env, UTURN_STORE: `s3://${bucket}/bench` },
    bytes,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
