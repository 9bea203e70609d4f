// What the SDK's retries cover besides what they do by themselves. They are the only loop around a request.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { S3Client } from '@aws-sdk/client-s3';

/** Adds to what a client tries again. */
export function tryMoreAgain(client: S3Client): void {
  // Bodies are read whole before a request counts as answered: a connection cut half-way is tried again like any other.
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if (hasStream(result.response)) result.response.body = Readable.from([await buffer(result.response.body)]);
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'bodiesWhole' },
  );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (passes(error, context.commandName)) Object.assign(error, { $retryable: { throttling: false } });
        throw error;
      }
    },
    { step: 'deserialize', priority: 'high', name: 'passingAgain' },
  );
}

/**
 * Somebody else was writing the same object: a moment later it is there, or can be written; an upload has to begin anew.
 * A clock that is wrong is put right by the answer; the SDK forgets to ask again where it was wrong before and is right now.
 */
function passes(error: unknown, command: string | undefined): error is Error {
  if (isConflict(error)) return command !== 'CompleteMultipartUploadCommand';
  return error instanceof Error && error.name === 'RequestTimeTooSkewed';
}

export function isConflict(error: unknown): error is Error {
  return statusOf(error) === 409;
}

/** The HTTP status of a refusal, or null where nothing was answered. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof Error && '$metadata' in error)) return null;
  const metadata = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return null;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
}

function hasStream(response: unknown): response is { body: Readable } {
  return typeof response === 'object' && response !== null && 'body' in response && response.body instanceof Readable;
}
