// How often the SDK had to try a request again.
import type { S3Client } from '@aws-sdk/client-s3';
import type { Metrics } from '../../metrics.ts';

/** Counts the tries of every request of this client beyond its first. */
export function countRetries(client: S3Client, metrics: Metrics): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = (context.commandName ?? 'unknown').replace(/Command$/, '');
      const tell = (attempts: number) => {
        if (attempts > 1) metrics.count('uturn_store_retries_total', { request }, attempts - 1);
      };
      try {
        const result = await next(args);
        tell(attemptsOf(result.output));
        return result;
      } catch (error) {
        tell(attemptsOf(error));
        throw error;
      }
    },
    { step: 'initialize', name: 'retriesCounted' },
  );
}

/** Replies and errors of the SDK alike. */
function attemptsOf(end: unknown): number {
  if (typeof end !== 'object' || end === null || !('$metadata' in end)) return 1;
  const { $metadata: metadata } = end;
  const said = typeof metadata === 'object' && metadata !== null && 'attempts' in metadata ? metadata.attempts : 1;
  return typeof said === 'number' ? said : 1;
}
