// The same of a bucket.
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { isSafeName } from '../paths.ts';
import { type BucketPlace, nextOf, pageOf } from '../s3.ts';
import type { Sweepable } from '../sweepable.ts';
import { s3Client } from './client.ts';
import { bucketProblem } from './refusals.ts';

export async function bucketSweepable({ bucket, prefix }: BucketPlace): Promise<Sweepable> {
  const client = await s3Client();
  const above = prefix === '' ? '' : `${prefix}/`;
  const at = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw bucketProblem(error, { uri: `s3://${bucket}/${above}${path}`, bucket, opened: true });
    }
  };
  return {
    async *objects(folder) {
      const listing = { Bucket: bucket, Prefix: `${above}${folder}/`, MaxKeys: 1_000 };
      let next: string | undefined;
      do {
        const page = await at(folder, () => pageOf(client, listing, next));
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const path = Key.slice(above.length);
          // One without an age is as good as new.
          if (path.split('/').every(isSafeName)) yield { path, bytes: Size, at: LastModified?.getTime() ?? Date.now() };
        }
        next = nextOf(page);
      } while (next !== undefined);
    },
    async remove(path) {
      await at(path, () => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: above + path })));
    },
  };
}
