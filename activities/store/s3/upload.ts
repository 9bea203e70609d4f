// An object in one request, or in parts where it is large. Either way it appears whole, and only where there is none.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isConflict, statusOf } from './again.ts';

export type Target = { Bucket: string; Key: string };

/** No part but the last may be smaller than 5 MiB, nor may there be more than 10,000. */
export const partBytes = 16 * 1024 * 1024;

/** Tries of an upload that others got in the way of: each begins anew. */
const uploads = 3;

/** Puts an object where there is none. Throws as the SDK does. */
export async function putNew(
  client: S3Client,
  target: Target,
  opts: { body: Uint8Array; partBytes: number },
): Promise<'created' | 'exists'> {
  const put = opts.body.byteLength <= 2 * opts.partBytes ? putWhole : putInParts;
  try {
    await put(client, target, opts);
    return 'created';
  } catch (error) {
    // Or an upload that is gone: it was completed before, by a request whose answer was lost.
    if ((statusOf(error) === 412 || isGone(error)) && (await isThere(client, target))) return 'exists';
    throw error;
  }
}

async function putWhole(client: S3Client, target: Target, { body }: { body: Uint8Array }): Promise<void> {
  await client.send(new PutObjectCommand({ ...target, Body: body, IfNoneMatch: '*' }));
}

async function putInParts(
  client: S3Client,
  target: Target,
  opts: { body: Uint8Array; partBytes: number },
): Promise<void> {
  for (let left = uploads - 1; ; left -= 1) {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    try {
      const Parts = await sendParts(client, { ...target, UploadId }, opts);
      await client.send(
        new CompleteMultipartUploadCommand({ ...target, UploadId, IfNoneMatch: '*', MultipartUpload: { Parts } }),
      );
      return;
    } catch (error) {
      // Parts that nobody completes are paid for until somebody looks.
      await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {});
      if (!isConflict(error) || left === 0) throw error;
    }
  }
}

/** One after another: there is one large object at a time, and a few megabytes each keep a line busy. */
async function sendParts(
  client: S3Client,
  upload: Target & { UploadId: string | undefined },
  { body, partBytes }: { body: Uint8Array; partBytes: number },
): Promise<{ PartNumber: number; ETag: string | undefined }[]> {
  const parts = [];
  for (let start = 0, PartNumber = 1; start < body.byteLength; start += partBytes, PartNumber += 1) {
    const Body = body.subarray(start, start + partBytes);
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    parts.push({ PartNumber, ETag });
  }
  return parts;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchUpload';
}

async function isThere(client: S3Client, target: Target): Promise<boolean> {
  return client.send(new HeadObjectCommand(target)).then(
    () => true,
    () => false,
  );
}
