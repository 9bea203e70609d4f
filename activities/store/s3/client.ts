// How uturn talks to a bucket: the SDK's own settings for where and as whom, ours for how patiently.
import { S3Client } from '@aws-sdk/client-s3';
import { ConfigProblem } from '../../../domain/problems.ts';
import { tryMoreAgain } from './again.ts';

/** `attempts` of one request; `idleMs`: how long a connection may be silent. */
export type Patience = { attempts: number; idleMs: number };

const usual: Patience = { attempts: 8, idleMs: 20_000 };
const connectMs = 5_000;
/** The only one that servers other than Amazon's ask for by default; they sign with it and mean nothing by it. */
const regionOfOthers = 'us-east-1';

/**
 * A client for the endpoint, region and credentials that the SDK finds: environment, shared files, the machine's role.
 * @throws ConfigProblem  no region is set
 */
export async function s3Client(patience: Partial<Patience> = {}): Promise<S3Client> {
  const { attempts, idleMs } = { ...usual, ...patience };
  const settings = new S3Client({}).config;
  const endpoint = await settings.serviceConfiguredEndpoint?.();
  const client = new S3Client({
    region: await settings.region().catch((cause: unknown) => {
      if (endpoint !== undefined) return regionOfOthers;
      throw new ConfigProblem('no region is set for the s3: store', {
        advice: 'Set AWS_REGION to the region of the bucket, or AWS_ENDPOINT_URL_S3 where it lies on another server.',
        cause,
      });
    }),
    // Few servers of one's own have a name for each bucket.
    forcePathStyle: endpoint !== undefined,
    // Many servers know no checksums in trailers; what we read is checked against its own hashes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    retryMode: 'standard',
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, httpsAgent: pool, httpAgent: pool },
  });
  tryMoreAgain(client);
  return client;
}

const pool = { keepAlive: true, maxSockets: 64 };
